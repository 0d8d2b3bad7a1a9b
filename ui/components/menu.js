// A menu beside what it belongs to; where there is no room or no mouse, a sheet that comes up from below.
// items: {icon, label, hint, act, grave, off} or null for a line between; head: a sentence above them.
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
    K.el("div", { class: "k-menu-list" }, head && K.el("p", { class: "k-quiet", dir: "auto", text: head }), K.el("div", { role: "menu", "aria-label": title }, rows)));
  node.addEventListener("close", () => {
    node.remove();
    anchor?.setAttribute?.("aria-expanded", "false");
    if (anchor?.isConnected && !chosen) anchor.focus({ preventScroll: true });
    chosen?.();
  });
  (document.getElementById("k-house") ?? document.body).append(node);
  node.showModal();
  anchor?.setAttribute?.("aria-expanded", "true");
  if (!sheet) {
    const [at, size] = [anchor.getBoundingClientRect(), node.getBoundingClientRect()];
    const below = at.bottom + 4 + size.height <= window.innerHeight - 8;
    node.style.left = `${Math.max(8, Math.min(at.right - size.width, window.innerWidth - size.width - 8))}px`;
    node.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - 4 - size.height)}px`;
  }
  node.querySelector("[role=menuitem]")?.focus({ preventScroll: true });
};
K.dots = (label, act, options = {}) =>
  K.tool("more", label, (event) => act(event.currentTarget), { "aria-haspopup": "menu", "aria-expanded": "false", ...options });
