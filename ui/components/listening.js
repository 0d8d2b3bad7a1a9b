// A conversation that listens: a row above the box says who speaks the next line. Whoever spoke is offered, in the order in which they first did, so that a key
// stays somebody's; any name may be written.
const row = K.el("div", { class: "k-company k-speakers", role: "radiogroup", hidden: true });
let drawn = "";
let chosen = { chat: null, name: "" };
const added = new Map();   // by chat, who was written and has not spoken yet

K.listens = () => Boolean(K.chat && K.story.listening?.on);
K.speakersRow = () => row;
const speakers = () => {
  const said = K.story.listening?.speakers ?? [];
  const mine = K.story.player?.name ?? "";
  const seen = new Set();
  return [mine, ...said, ...(added.get(K.chat) ?? [])].filter((name) => name && !seen.has(name.toLocaleLowerCase()) && seen.add(name.toLocaleLowerCase()));
};
K.speakerNow = () => {
  const names = speakers();
  if (chosen.chat === K.chat && names.includes(chosen.name)) return chosen.name;
  return names[0] ?? "";
};
const choose = (name) => {
  chosen = { chat: K.chat, name };
  drawn = "";
  K.redraw("composer");
};
const another = async () => {
  const name = (await K.prompt({ title: K.t("listen_add_speaker"), text: K.t("listen_add_speaker_text"), label: K.t("name"), act: K.t("listen_add_speaker"), most: K.house.name_limit }))?.replace(/\s+/g, " ");
  if (!name) return;
  const same = speakers().find((one) => one.toLocaleLowerCase() === name.toLocaleLowerCase());
  if (!same) added.set(K.chat, [...(added.get(K.chat) ?? []), name]);
  choose(same ?? name);
  K.writing.box.focus();
};
window.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || !/^Digit[1-9]$/.test(event.code) || !K.listens() || K.dialogOpen?.()) return;
  const name = speakers()[Number(event.code.slice(5)) - 1];
  if (!name) return;
  event.preventDefault();
  choose(name);
  K.writing.box.focus();
});
// One stop for the Tab key; the arrows choose, as among any alternatives.
row.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step || event.altKey) return;
  event.preventDefault();
  const names = speakers();
  choose(names[(names.indexOf(K.speakerNow()) + step + names.length) % names.length]);
  K.drawSpeakers();
  row.querySelector('[aria-checked="true"]')?.focus({ preventScroll: true });
});

K.drawSpeakers = () => {
  row.hidden = !K.listens();
  if (row.hidden) { drawn = ""; row.replaceChildren(); return; }
  const now = K.speakerNow(), names = speakers();
  const mark = JSON.stringify([K.language, K.chat, names, now]);
  if (mark === drawn) return;
  drawn = mark;
  const focused = row.contains(document.activeElement) ? document.activeElement.dataset.speaker ?? "" : null;
  row.setAttribute("aria-label", K.t("listen_speakers"));
  row.replaceChildren(
    ...names.map((name, at) => K.el("button", { class: "k-member", type: "button", role: "radio", "data-speaker": name, "aria-checked": String(name === now), tabindex: name === now ? 0 : -1,
      title: K.fine() && at < 9 ? K.t("listen_speaker", { name, n: at + 1 }) : K.t("listen_speaker_plain", { name }), onclick: () => { choose(name); K.writing.box.focus(); } },
      K.avatar(name, "s"), K.el("span", { dir: "auto", text: name }), K.fine() && at < 9 && K.el("small", { "aria-hidden": "true", text: String(at + 1) }))),
    K.el("button", { class: "k-member k-all k-add-speaker", type: "button", "aria-haspopup": "dialog", onclick: another }, K.icon("plus"), K.el("span", { text: K.t("listen_add_speaker") })));
  if (focused !== null) (row.querySelector(`[data-speaker="${CSS.escape(focused)}"]`) ?? row.querySelector('[aria-checked="true"]'))?.focus({ preventScroll: true });
};
