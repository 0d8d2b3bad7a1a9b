// The keyboard, and the sheet that explains it. Everything here steps back while something is typed, composed by an input method, or open on top.
const mac = /Mac|iP(hone|ad)/.test(navigator.platform);
const names = { Ctrl: mac ? "⌘" : "Ctrl", Alt: mac ? "⌥" : "Alt", Shift: mac ? "⇧" : "Shift", Backspace: mac ? "⌫" : "Backspace", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", Escape: "Esc" };
K.keyName = (combination) => combination.split("+").map((part) => names[part] ?? part).join(mac ? " " : "+");

const newest = () => K.newest();
const own = () => K.messages().findLast((m) => m.role === "user");
const reply = () => (newest()?.role === "user" ? null : newest());
const panel = () => {
  if (K.narrow()) { K.drawer(document.body.dataset.kDrawer === "panel" ? null : "panel"); return; }
  const shut = document.body.dataset.kPanel !== "shut";
  if (shut) document.body.dataset.kPanel = "shut";
  else delete document.body.dataset.kPanel;
  K.keep("panel", shut ? "shut" : "open");
};
if (K.kept("panel") === "shut") document.body.dataset.kPanel = "shut";

// name: {keys, act, label}. typing: it also works while something stands in the box; empty: it works in the box while that is empty.
const bindings = {
  leaf_back: { keys: ["ArrowLeft"], label: "press_leaf_back", act: () => reply() && K.leaf(reply(), -1), empty: true },
  leaf_on: { keys: ["ArrowRight"], label: "press_leaf_on", act: () => reply() && K.leaf(reply(), 1), empty: true },
  regenerate: { keys: ["Ctrl+Enter"], label: "regenerate", act: () => K.regenerate(reply()), empty: true },
  resume: { keys: ["Alt+Enter"], label: "resume", act: () => K.resume(reply()), empty: true },
  edit: { keys: ["ArrowUp"], label: "press_edit", act: () => newest() && K.edit(newest().id), empty: true, box: true },
  edit_own: { keys: ["Ctrl+ArrowUp"], label: "press_edit_own", act: () => own() && K.edit(own().id), empty: true },
  draft: { keys: ["Ctrl+Shift+M"], label: "draft", act: () => K.draft(), typing: true },
  take_back: { keys: ["Ctrl+Shift+Backspace"], label: "press_take_back", act: () => own() && own().round > 0 && K.act("delete_from", { message: own().id }), empty: true },
  undo: { keys: ["Ctrl+Z"], label: "undo", act: () => K.undo() },
  redo: { keys: ["Ctrl+Shift+Z", "Ctrl+Y"], label: "redo", act: () => K.redo() },
  asking: { keys: ["Ctrl+K"], label: "asking", act: () => K.openAsking(), typing: true },
  search: { keys: ["Ctrl+Shift+F"], label: "search", act: () => K.openSearch(), typing: true },
  panel: { keys: ["Ctrl+M"], label: "press_panel", act: panel, typing: true },
  box: { keys: ["/"], label: "press_box", act: () => { K.drawer(null); K.writing.box.focus(); } },
  sheet: { keys: ["?", "Ctrl+/"], label: "press_sheet", act: () => K.openKeys() },
};
K.keyOf = (name) => (bindings[name] && on() ? K.keyName(bindings[name].keys[0]) : "");
const on = () => K.kept("keys") !== "off";

const pressed = (event) => {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && !"?/".includes(key);   // on many keyboards these need Shift anyway
  return [(event.ctrlKey || event.metaKey) && "Ctrl", event.altKey && "Alt", shift && "Shift", key].filter(Boolean).join("+");
};
const WIDGETS = "[role=tablist], [role=toolbar], [role=menu], [role=tree], [role=radiogroup], summary, select";
const press = (event) => {
  // Safari reports the Enter that ends a composition with key code 229.
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
  if (event.key === "Escape") {
    if (K.dialogOpen() || event.repeat) return;
    if (K.speaksNow()) K.hush();
    else if (K.translates()) K.stopTranslating();
    else if (document.body.dataset.kDrawer) K.drawer(null);
    else K.stop();
    return;
  }
  if (K.dialogOpen()) return;
  const said = pressed(event);
  const found = Object.values(bindings).find((one) => one.keys.includes(said));
  if (!found || (!on() && found !== bindings.box && !(said === "Ctrl+/"))) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const field = target.closest("input, textarea, select, [contenteditable]");
  const main = field && field === K.writing?.box;
  if (field && !(main && (found.typing || said === "Ctrl+/" || (found.empty && field.value === "")))) return;
  if (!field && found.box && target.closest("#k-scroll, #k-panel, #k-shelf")) return;   // there the arrows scroll
  if (/^Arrow/.test(event.key) && target.closest(WIDGETS)) return;
  if (/Enter$/.test(said) && target.closest("button, a, [role=button]")) return;
  if (!K.chat && ![bindings.sheet, bindings.panel, bindings.search].includes(found)) return;
  if (event.repeat && ![bindings.leaf_back, bindings.undo, bindings.redo].includes(found)) { event.preventDefault(); return; }
  event.preventDefault();
  found.act();
};
if (!K.keys) {
  K.keys = true;
  document.addEventListener("keydown", press);
}

const row = (label, keys) => K.el("tr", {}, K.el("th", { scope: "row", text: K.t(label) }), K.el("td", {}, keys.map((key, at) => [at ? " " : "", K.el("kbd", { text: K.keyName(key) })]).flat()));
const table = (title, rows) => K.el("section", {}, K.el("h3", { text: K.t(title) }), K.el("table", {}, K.el("tbody", {}, rows)));
const bound = (...wanted) => wanted.map((name) => row(bindings[name].label, bindings[name].keys));
K.openKeys = () => {
  const check = K.el("input", { type: "checkbox", id: "k-keys-on", onchange: () => { K.keep("keys", check.checked ? "on" : "off"); tables.dataset.off = String(!check.checked); K.redraw("transcript", "composer"); } });
  check.checked = on();
  const tables = K.el("div", { class: "k-key-tables", "data-off": String(!on()) },
    table("keys_writing", [row("press_send", ["Enter"]), row("press_line", ["Shift+Enter"]), ...bound("draft", "box")]),
    table("keys_reply", [row("press_stop", ["Escape"]), ...bound("leaf_back", "leaf_on", "regenerate", "resume")]),
    table("keys_rewriting", [...bound("edit", "edit_own"), row("press_save", ["Ctrl+Enter"]), ...bound("take_back", "undo", "redo")]),
    table("keys_page", bound("search", "asking", "panel", "sheet")));
  K.dialog({
    name: "keys", title: K.t("keys"), kind: "k-keys",
    body: [tables, K.el("p", { class: "k-quiet", text: K.t("keys_empty") }), K.el("label", { class: "k-check", for: "k-keys-on" }, check, K.el("span", { text: K.t("keys_on") }))],
  });
};
