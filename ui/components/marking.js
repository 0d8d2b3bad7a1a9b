// Marking while playing: a message, or words of it, becomes a memory point or what a probe tells, in a project of one's own on the workbench.
const ADDRESS = "keepsake/annotation/do";
const MOST = 500;             // characters of a probe's parts
let marks = new Map();        // message -> its marks
let known = "";               // the conversation and edition they are of
let project = "";             // one's own, once there is one
let held = null;              // the words that were selected when a menu was opened
let places = null;            // how to draw them: the messages on the page, and the node of each

K.mayMark = () => Boolean(K.chat) && K.house !== null && (!K.house.account || K.house.account.annotates);
K.markAsk = async (act, rest = {}) => {
  try {
    const answer = await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: act, chat: K.chat, language: K.language, ...rest }), cache: "no-store" });
    return answer.ok ? await answer.json() : { error: { code: "" } };
  } catch { return { error: { code: "no_server" } }; }
};
const sentence = (error) => (error.code === "no_server" ? K.t("no_server") : K.t(K.knows(`mark_refused_${error.code}`) ? `mark_refused_${error.code}` : "mark_refused"));
const took = (chat, said) => {
  if (said.error) { K.toast(sentence(said.error)); return false; }
  if (chat === K.chat && said.marks) {
    marks = new Map();
    for (const one of said.marks) marks.set(one.message, [...(marks.get(one.message) ?? []), one]);
    project = said.project;
    draw();
  }
  return true;
};

// What stands at a message follows from what the server holds of the open branch: asked for when the conversation is opened and whenever it was rewritten.
const look = async () => {
  const chat = K.chat;
  const said = await K.markAsk("marks");
  if (!said.error) took(chat, said);
};
K.forgetMarks = () => { marks = new Map(); known = ""; places = null; held = null; };
K.showMarks = (messages, nodeOf) => {
  places = { messages, nodeOf };
  const now = `${K.chat} ${K.story.edition}`;
  const opened = !known.startsWith(`${K.chat} `);
  if (K.mayMark() && messages.length && known !== now) {
    if (opened || marks.size) look();
    known = now;
  }
  draw();
};
const draw = () => {
  for (const m of places?.messages ?? []) {
    const place = places.nodeOf(m.id)?.querySelector(".k-marks-place");
    if (!place) continue;
    const mine = marks.get(m.id) ?? [];
    const says = mine.length ? `${K.language} ${mine.map((one) => one.id).join()}` : "";
    if ((place.dataset.says ?? "") === says) continue;
    place.dataset.says = says;
    const kinds = [["point", "highlight", "marked"], ["probe", "probe", "marked_probe"]].map(([kind, icon, key]) => [mine.filter((one) => one.kind === kind), icon, key]);
    place.replaceChildren(...kinds.filter(([some]) => some.length).map(([some, icon, key]) => chip(some, icon, K.t(key, { n: some.length }))));
  }
};
const chip = (some, icon, words) =>
  K.el("button", { class: "k-link k-marked", type: "button", title: K.t("marked_means"), "aria-label": `${words}. ${K.t("marked_means")}`, "aria-haspopup": "menu", "data-marked": some[0].kind, onclick: (event) => open(some, event.currentTarget) },
    K.icon(icon), K.el("span", { text: words }));
const open = (some, anchor) => K.menu(anchor, [
  { name: "workbench", icon: "goto", label: K.t("marked_open"), act: () => location.assign(some[0].kind === "point" ? `/keepsake/annotation#work=${some[0].work}` : `/keepsake/annotation#probes=${project}`) },
  ...some.map((one, at) => ({ name: "unmark", icon: "bin", label: some.length > 1 ? K.t("unmark_n", { n: at + 1 }) : K.t("unmark"), act: () => unmark(one) })),
], { title: K.t("marked_means") });

// The words that are selected in one message, as they are shown, and how many characters of it stand before them.
const visible = (text) => Array.from(text.replace(/[\s*]/g, "")).length;
const chosen = () => {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  const prose = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest(".k-prose");
  const place = prose(range.startContainer);
  if (!place || prose(range.endContainer) !== place || !selection.toString().trim()) return null;
  const before = document.createRange();
  before.setStart(place, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return { message: place.closest(".k-message")?.dataset.id, chosen: selection.toString(), ahead: visible(before.toString()) };
};
K.holdChosen = () => { held = chosen() ?? held; };
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest?.("[data-deed]")) K.holdChosen();
  else held = null;
}, true);
const chosenOf = (m) => [chosen(), held].find((one) => one?.message === m.id) ?? null;

const agreed = async () => project !== "" || K.confirm({
  title: K.t("mark_first_title"), text: K.t("mark_first"), act: K.t("mark_agree"),
  points: ["mark_first_who", "mark_first_grows", "mark_first_gone", "mark_first_given"].map((key) => K.t(key)),
});
const mark = async (m) => {
  const words = chosenOf(m);
  const chat = K.chat;
  if (!project) await look();   // another tab may have begun
  if (!(await agreed()) || K.chat !== chat) return;
  const said = await K.markAsk("mark", { message: m.id, chosen: words?.chosen ?? "", ahead: words?.ahead ?? 0, consent: "yes" });
  held = null;
  if (!took(chat, said)) return;
  const made = { kind: "point", id: said.made, work: said.work, version: said.version };
  K.toast(K.t("did_mark", { text: Array.from(said.text).length > 80 ? `${Array.from(said.text).slice(0, 80).join("")} …` : said.text }), { label: K.t("undo"), act: () => unmark(made) });
};
const unmark = async (one) => {
  const chat = K.chat;
  if (took(chat, await K.markAsk("unmark", { kind: one.kind, id: one.id, work: one.work ?? "", version: one.version }))) K.toast(K.t("did_unmark"));
};

// A probe needs a question and an answer, so a form stands before it. What is typed in it is kept in this browser until it is saved or given up.
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const probe = async (m) => {
  const words = chosenOf(m);
  const chat = K.chat;
  if (!project) await look();
  if (!(await agreed()) || K.chat !== chat) return;
  const name = `draft.probe.${m.id}`;
  let was = null;
  try { was = JSON.parse(K.kept(name) || "null"); } catch { /* no draft of ours */ }
  const first = { p: Array.from((words?.chosen ?? m.text).trim().replace(/\*/g, "").replace(/\s+/g, " ")).slice(0, MOST).join(""), q: "", a: "", topic: "" };
  const boxes = {};
  const note = () => K.keep(name, JSON.stringify(Object.fromEntries(Object.entries(boxes).map(([key, box]) => [key, box.value]))));
  const part = (key) => {
    boxes[key] = K.el(key === "topic" ? "input" : "textarea", { class: "k-field", id: `k-probe-${key}`, maxlength: key === "topic" ? 60 : MOST, rows: key === "topic" ? null : 2, dir: "auto", autocomplete: "off", oninput: note });
    boxes[key].value = was?.[key] ?? first[key];
    return K.el("div", { class: "k-part" }, K.el("label", { for: `k-probe-${key}`, text: K.t(`probe_${key}`) }), boxes[key]);
  };
  const save = async () => {
    const missing = Object.values(boxes).find((box) => !box.value.trim());
    if (missing) { missing.focus(); fault.textContent = K.t("mark_refused_field_missing"); return; }
    const chinese = (boxes.p.value.match(/[\u4e00-\u9fff]/g) ?? []).length > (boxes.p.value.match(/[A-Za-z]+/g) ?? []).length;
    const value = { id: newId(), language: chinese ? "zh" : "en", version: 0, ...Object.fromEntries(Object.entries(boxes).map(([key, box]) => [key, box.value])) };
    const said = await K.markAsk("mark_probe", { message: m.id, probe: value, consent: "yes" });
    if (said.error) { fault.textContent = sentence(said.error); return; }
    took(chat, said);
    made.close();
    K.toast(K.t("did_mark_probe"), { label: K.t("undo"), act: () => unmark({ kind: "probe", id: said.made, version: 1 }) });
  };
  const fault = K.el("p", { class: "k-fault", role: "alert" });
  const made = K.dialog({
    name: "probe", title: K.t("probe_title"), kind: "k-small", closed: () => K.keep(name, ""),
    body: [was ? K.el("p", { class: "k-quiet", text: K.t("probe_draft") }) : null, part("p"), part("q"), part("a"), part("topic"), fault,
      K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => made.close() }),
        K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("probe_keep"), onclick: save }))],
  });
  boxes.q.focus();
};

K.markDeeds = (m) => {
  if (!K.mayMark() || m.hidden || m.role === "narrator" || !m.text.trim()) return [];
  const some = chosenOf(m) !== null;
  return [
    { name: "mark", icon: "highlight", label: K.t(some ? "mark_quote" : "mark"), act: () => mark(m) },
    { name: "mark_probe", icon: "probe", label: K.t(some ? "mark_probe_quote" : "mark_probe"), act: () => probe(m) },
  ];
};
