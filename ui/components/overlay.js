// What lies over the page: toasts, and dialogs that ask or show something.
const SHORT_MS = 6000;
const LONG_MS = 12000;     // a toast that offers to take something back stays longer
const MOST = 3;
const stack = K.el("div", { class: "k-toasts", role: "status", "aria-live": "polite" });
const house = () => document.getElementById("k-house") ?? document.body;
const dialogs = () => [...document.querySelectorAll("dialog[open]")];

// Behind a dialog everything is inert, so a toast stands in the one on top, at the head of the page; else over the middle of the conversation, above the box.
const place = () => {
  const home = dialogs().at(-1) ?? house();
  if (stack.parentElement !== home) home.append(stack);
  const centre = document.getElementById("k-centre")?.getBoundingClientRect();
  const foot = document.getElementById("k-composer")?.getBoundingClientRect();
  stack.style.left = centre && home === house() ? `${centre.left + centre.width / 2}px` : "50%";
  stack.style.top = home === house() ? "auto" : "1rem";
  stack.style.bottom = home !== house() ? "auto" : foot?.height ? `${Math.max(12, window.innerHeight - foot.top + 8)}px` : "1rem";
};

// words: the sentence, already in the reader's language; act: {label, act} for a button.
K.toast = (words, act = null) => {
  place();
  let timer = null;
  const end = () => { clearTimeout(timer); toast.remove(); };
  const start = () => { clearTimeout(timer); timer = setTimeout(end, act ? LONG_MS : SHORT_MS); };
  const toast = K.el("div", { class: "k-toast", "data-edition": act ? K.story.edition : null, onmouseenter: () => clearTimeout(timer), onmouseleave: start, onfocusin: () => clearTimeout(timer), onfocusout: start },
    K.el("span", { dir: "auto", text: words }),
    act && K.el("button", { class: "k-link", type: "button", text: act.label, onclick: () => { end(); act.act(); } }),
    K.el("button", { class: "k-plain", type: "button", "aria-label": K.t("dismiss"), onclick: end }, K.icon("close")));
  stack.append(toast);
  while (stack.children.length > MOST) stack.firstChild.remove();
  start();
  return end;
};
K.placeToasts = () => requestAnimationFrame(() => { if (stack.firstChild) place(); });
K.clearToasts = () => stack.replaceChildren();
// What a toast offers to take back can be taken back until something else is done.
K.outdateToasts = (edition) => [...stack.children].forEach((toast) => { if (toast.dataset.edition && Number(toast.dataset.edition) < edition) toast.remove(); });
window.addEventListener("resize", () => { if (stack.firstChild) place(); });

// A dialog that is made when it is opened and gone when it is closed. body: its nodes, or nothing yet. name marks it, so that opening it twice is once.
// may: whether the reader's wish to close it is followed; without it, always.
K.dialog = ({ name, title, body = [], closed = null, may = null, kind = "" }) => {
  const before = document.querySelector(`dialog[data-dialog="${name}"]`);
  if (before?.open) return before.k;
  before?.k.gone();   // closed by a key this moment: the browser tells so only later
  const content = K.edges(K.el("div", { class: "k-dialog-body" }, body));
  // At once, and not when the browser tells of it: what is said in between would be written into a dialog that nobody sees any more.
  const close = () => { node.close(); gone(); };
  const leave = () => { if (!may || may()) close(); };
  const node = K.el("dialog", { class: `k-dialog ${kind}`, "data-dialog": name, "aria-labelledby": `k-dialog-${name}`, onclick: (event) => { if (event.target === node) leave(); } },
    K.el("div", { class: "k-dialog-sheet" },
      K.el("header", {}, K.el("h2", { id: `k-dialog-${name}`, dir: "auto", text: title }), K.el("button", { class: "k-plain", type: "button", "aria-label": K.t("close"), onclick: leave }, K.icon("close"))),
      content));
  if (may) {
    // Chromium lets a dialog refuse its first Escape alone; a key that is taken is no wish to close.
    node.addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.isComposing) { event.preventDefault(); leave(); } });
    node.addEventListener("cancel", (event) => { event.preventDefault(); leave(); });
  }
  const gone = () => {
    if (!node.isConnected) return;
    if (stack.parentElement === node) house().append(stack);
    node.remove();
    if (stack.firstChild) place();
    closed?.();
  };
  node.addEventListener("close", gone);
  house().append(node);
  node.k = { node, content, gone, close, title: (text) => { node.querySelector("h2").textContent = text; } };
  node.showModal();
  [...stack.children].forEach((toast) => { if (!toast.dataset.edition) toast.remove(); });   // what was only told has been seen
  if (stack.firstChild) place();
  return node.k;
};
K.dialogOpen = (name) => (name ? Boolean(document.querySelector(`dialog[data-dialog="${name}"][open]`)) : dialogs().length > 0);

// Yes or no. text and points say what would happen; danger marks what cannot be taken back. The answer "no" has the focus.
K.confirm = ({ title, text, points = [], act, danger = false }) =>
  new Promise((answer) => {
    let said = false;
    const made = K.dialog({
      name: "confirm", title, kind: "k-small", closed: () => answer(said),
      body: [
        K.el("p", { dir: "auto", text }),
        points.length > 0 && K.el("ul", { class: "k-points" }, points.map((point) => K.el("li", { dir: "auto", text: point }))),
        K.el("div", { class: "k-choices" },
          K.el("button", { class: "k-button", type: "button", autofocus: true, text: K.t("cancel"), onclick: () => made.close() }),
          K.el("button", { class: `k-button ${danger ? "k-grave" : "k-firmly"}`, type: "button", text: act, onclick: () => { said = true; made.close(); } }))],
    });
  });

// A short text, or null. many: a larger box, where Ctrl+Enter answers and Enter breaks the line.
K.prompt = ({ title, text = "", label, value = "", act, many = false, most = 200 }) =>
  new Promise((answer) => {
    let said = null;
    const box = K.el(many ? "textarea" : "input", { class: "k-field", maxlength: most, "aria-label": label, dir: "auto", autofocus: true, rows: many ? 4 : null, autocomplete: "off" });
    box.value = value;
    const done = () => { if (box.value.trim()) { said = box.value.trim(); made.close(); } else box.focus(); };
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || (many && !event.ctrlKey && !event.metaKey)) return;
      event.preventDefault();
      done();
    });
    const made = K.dialog({
      name: "prompt", title, kind: "k-small", closed: () => answer(said),
      body: [text && K.el("p", { class: "k-quiet", dir: "auto", text }), box,
        K.el("div", { class: "k-choices" },
          K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => made.close() }),
          K.el("button", { class: "k-button k-firmly", type: "button", text: act, onclick: done }))],
    });
    box.focus();
    box.select();
  });
