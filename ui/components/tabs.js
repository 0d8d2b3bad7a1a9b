// Which sheet of the right column is on top. The server keeps only that one up to date, so it is told.
const names = ["story", "persona", "insights", "topics", "memories", "fading", "receipt", "health"];
const ROW = 4;
const root = element.querySelector(".k-surface");
let at = null;          // the chat whose sheet was asked for
const remembered = K.kept("tab");
if (names.includes(remembered)) K.view.tab = remembered;

const ask = K.askSheet = () => { if (K.chat && K.view.tab !== "receipt") trigger("show", { chat: K.chat, marks: K.marks, ...K.view }); };
const shown = () => names.forEach((each) => {
  const on = each === K.view.tab;
  const sheet = document.getElementById(`k-${each}`);
  if (sheet) {
    sheet.dataset.shown = String(on);
    sheet.setAttribute("role", "tabpanel");
    sheet.setAttribute("tabindex", "0");
    sheet.setAttribute("aria-labelledby", `k-tab-${each}`);
  }
  const tab = document.getElementById(`k-tab-${each}`);
  tab?.setAttribute("aria-selected", String(on));
  tab?.setAttribute("tabindex", on ? "0" : "-1");
  if (on) requestAnimationFrame(() => tab?.scrollIntoView({ block: "nearest", inline: "nearest" }));   // when it is laid out anyway
});
K.tab = (name, focus = false) => {
  const news = K.view.tab !== name;
  K.view.tab = name;
  K.keep("tab", name);
  shown();
  if (news) ask();
  if (news && name === "receipt") K.redraw("receipt");
  if (focus) document.getElementById(`k-tab-${name}`)?.focus();
};
const step = (event) => {
  const last = names.length - 1;
  const here = names.indexOf(K.view.tab);
  const across = { ArrowDown: here + ROW, ArrowUp: here - ROW }[event.key];   // they stand in two rows
  const to = { ArrowRight: (here + 1) % names.length, ArrowLeft: (here + last) % names.length, Home: 0, End: last }[event.key] ?? (names[across] ? across : undefined);
  if (to === undefined) return;
  event.preventDefault();
  K.tab(names[to], true);
};
// Of several characters: whose memory the sheets show.
const minds = () => {
  const members = K.chat ? K.story.group?.members ?? [] : [];
  const mine = K.mindOf();
  return members.length ? [K.el("div", { class: "k-minds", role: "group", "aria-label": K.t("company_whose") }, members.map((one) =>
    K.el("button", { class: "k-member", type: "button", "aria-pressed": String(one.name === mine), "data-mind": one.name, "aria-label": K.t("company_of", { name: one.name }), onclick: () => K.showMind(one.name) },
      K.avatar(one.name, "s"), K.el("span", { dir: "auto", text: one.name }))))] : [];
};
K.surface("tabs", { element, props, watch }, () => {
  root.replaceChildren(
    K.el("div", { role: "tablist", "aria-label": K.t("panel"), onkeydown: step },
      names.map((name) => K.el("button", { type: "button", role: "tab", id: `k-tab-${name}`, "aria-controls": `k-${name}`, text: K.t(name), onclick: () => K.tab(name) }))),
    K.el("button", { class: "k-plain k-narrow", type: "button", "aria-label": K.t("close"), onclick: () => K.drawer(null) }, K.icon("close")),
    ...minds(), ...[K.memoryPlace?.(), K.samplePlace?.()].filter(Boolean));
  shown();
  if (at !== K.chat) {
    at = K.chat;
    if (K.view.tab !== "persona") ask();   // a chat comes with the sheet that is on top at first
  }
});
