const [GAP, EDGE, LEAST] = [4, 8, 160];   // pixels: from the anchor, from the window's edge, and the least height that is worth scrolling in
// Below its anchor or above it, wherever all of it fits; else beside it; else where there is more room, and the rest is scrolled to. Never over it: a second
// click where the first one was would choose something.
const lay = (node, anchor) => {
  const [wide, high] = [window.innerWidth - EDGE, window.innerHeight - EDGE];
  node.style.maxHeight = `${high - EDGE}px`;
  const [at, size] = [anchor.getBoundingClientRect(), node.getBoundingClientRect()];
  const [above, below] = [at.top - GAP - EDGE, high - at.bottom - GAP];
  const within = (value, most) => Math.max(EDGE, Math.min(value, most));
  const right = at.right + GAP + size.width <= wide, left = at.left - GAP - size.width >= EDGE;
  if (size.height > Math.max(above, below) && (right || left)) {
    node.style.left = `${right ? at.right + GAP : at.left - GAP - size.width}px`;
    node.style.top = `${within(at.top, high - size.height)}px`;
    return;
  }
  const down = size.height <= below || below >= above;
  const height = Math.min(size.height, Math.max(LEAST, down ? below : above));
  node.style.left = `${within(at.right - size.width, wide - size.width)}px`;
  node.style.top = `${within(down ? at.bottom + GAP : at.top - GAP - height, high - height)}px`;
  node.style.maxHeight = `${height}px`;
};
// A menu beside what it belongs to; where there is no room or no mouse, a sheet that comes up from below.
// items: {icon, label, hint, act, grave, off} or null for a line between; head: a sentence above them, or its nodes.
K.menu = (anchor, items, { title, head = "" } = {}) => {
  document.querySelector("dialog.k-menu")?.close();
  const sheet = !K.fine() || K.narrow();
  let chosen = null;
  const rows = items.filter((item, at) => item || (items[at - 1] && items[at + 1])).map((item) => (item
    ? K.el("button", { class: `k-item${item.grave ? " k-grave" : ""}`, type: "button", role: "menuitem", tabindex: 0, "aria-disabled": item.off ? "true" : null, "data-deed": item.name,
        onclick: () => { if (!item.off) { chosen = item.act; node.close(); } } },
        item.icon ? K.icon(item.icon) : K.el("span", { class: "k-icon" }), K.el("span", { text: item.label }), !sheet && item.hint && K.el("kbd", { text: item.hint }))
    : K.el("hr", { role: "separator" })));
  const step = (event) => {
    const all = [...node.querySelectorAll("[role=menuitem]")];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at + all.length - (at < 0 ? 0 : 1)) % all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Tab") { event.preventDefault(); node.close(); }
    if (to === undefined) return;
    event.preventDefault();
    all[to].focus();
  };
  const node = K.el("dialog", { class: `k-menu${sheet ? " k-sheet" : ""}`, "aria-label": title, onkeydown: step, onclick: (event) => { if (event.target === node) node.close(); } },
    K.edges(K.el("div", { class: "k-menu-list" }, head && K.el("p", { class: "k-quiet", dir: "auto" }, head), K.el("div", { role: "menu", "aria-label": title }, rows))));
  // The second click of a double click on what opens the menu neither chooses nor closes.
  node.addEventListener("click", (event) => { if (event.detail > 1) event.stopImmediatePropagation(); }, { capture: true });
  node.addEventListener("close", () => {
    node.remove();
    anchor?.setAttribute?.("aria-expanded", "false");
    if (anchor?.isConnected && !chosen) anchor.focus({ preventScroll: true });
    chosen?.();
  });
  (document.getElementById("k-house") ?? document.body).append(node);
  node.showModal();
  anchor?.setAttribute?.("aria-expanded", "true");
  if (!sheet) lay(node, anchor);
  node.querySelector("[role=menuitem]")?.focus({ preventScroll: true });
};
K.dots = (label, act, options = {}) =>
  K.tool("more", label, (event) => act(event.currentTarget), { "aria-haspopup": "menu", "aria-expanded": "false", ...options });
