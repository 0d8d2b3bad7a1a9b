// A walk around the real page: each step lights one part of it and says what it is for. The page itself is used: the sheets are turned, on a small screen the panel
// is opened; when the tour ends everything stands as it stood.
const seen = (selector) => [...document.querySelectorAll(selector)].find((node) => node.getClientRects().length) ?? null;
const panel = () => document.getElementById("k-panel");
const sheet = (name) => ({ name, sheet: name, at: panel });
const steps = [
  { name: "conversation", at: () => K.scroller() },
  ...["persona", "story", "insights", "topics", "memories", "receipt"].map(sheet),
  { name: "asking", at: () => seen("#k-asking-open") ?? seen("#k-chat-menu"), text: () => (seen("#k-asking-open") ? "tour_asking_text" : "tour_asking_text_touch") },
  { name: "rewriting", at: () => seen("#k-transcript .k-newest") ?? seen("#k-composer"), end: true },
];
const GAP = 14;          // between what is lit and the words about it
const EDGE = 8;
let going = null;        // {node, step, before}

const clip = (box, room) => ({ left: Math.max(box.left, room.left), top: Math.max(box.top, room.top), right: Math.min(box.right, room.right), bottom: Math.min(box.bottom, room.bottom) });
const place = () => {
  if (!going) return;
  const { node, step } = going;
  const card = node.querySelector(".k-tour-card");
  const target = steps[step].at();
  const [wide, high] = [window.innerWidth, window.innerHeight];
  const size = card.getBoundingClientRect();
  const low = K.narrow();
  let box = clip(target.getBoundingClientRect(), { left: EDGE / 2, top: EDGE / 2, right: wide - EDGE / 2, bottom: high - EDGE / 2 });
  if (K.scroller()?.contains(target)) box = clip(box, K.scroller().getBoundingClientRect());
  let [left, top] = [(wide - size.width) / 2, high - size.height - EDGE];
  if (low) {
    if (box.top > high / 2) top = EDGE;   // what stands low is not covered
    else box = clip(box, { left: 0, top: 0, right: wide, bottom: top - EDGE });
  } else {
    const rooms = [[box.left - GAP, box.left - GAP - size.width], [wide - box.right - GAP, box.right + GAP]];
    const [room, beside] = rooms[0][0] >= size.width + EDGE ? rooms[0] : rooms[1];
    const fits = room >= size.width + EDGE;
    left = fits ? beside : Math.max(EDGE, Math.min(box.right - size.width - GAP, wide - size.width - EDGE));
    top = fits ? Math.max(EDGE, Math.min(box.top + 2 * GAP, high - size.height - EDGE)) : (box.bottom + GAP + size.height < high ? box.bottom + GAP : Math.max(EDGE, box.bottom - size.height - 2 * GAP));
  }
  const ring = node.querySelector(".k-tour-ring").style;
  [ring.left, ring.top, ring.width, ring.height] = [box.left, box.top, Math.max(0, box.right - box.left), Math.max(0, box.bottom - box.top)].map((n) => `${Math.round(n)}px`);
  [card.style.left, card.style.top] = [`${Math.round(left)}px`, `${Math.round(top)}px`];
};

const shown = () => steps.filter((step) => step.at() !== null);
const go = (to) => {
  const step = steps[to];
  const all = shown();
  const [back, next] = [...going.node.querySelectorAll("[data-tour]")];
  going.step = to;
  if (step.sheet) K.tab(step.sheet);
  if (K.narrow()) K.drawer(step.sheet ? "panel" : null);
  if (step.end) K.toEnd(true);
  const name = K.here()?.character ?? "";
  going.node.querySelector("h2").textContent = K.t(`tour_${step.name}`);
  going.node.querySelector(".k-tour-text").textContent = K.t(step.text?.() ?? `tour_${step.name}_text`, { name });
  going.node.querySelector(".k-tour-at").textContent = K.t("tour_at", { n: all.indexOf(step) + 1, most: all.length });
  going.node.dataset.step = step.name;
  back.disabled = all.indexOf(step) === 0;
  next.textContent = K.t(all.at(-1) === step ? "tour_done" : "tour_next");
  next.focus({ preventScroll: true });
  place();
  [60, 260, 600].forEach((wait) => setTimeout(place, wait));   // a drawer slides, a sheet fills
};
const move = (by) => {
  const all = shown();
  const to = all.indexOf(steps[going.step]) + by;
  if (to >= all.length) going.node.close();
  else if (to >= 0) go(steps.indexOf(all[to]));
};
const press = (event) => {
  if (event.isComposing) return;
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  move(by);
};
const ended = () => {
  const { node, before } = going;
  going = null;
  node.remove();
  K.keep("tour", "seen");
  K.tab(before.tab);
  if (before.shut) document.body.dataset.kPanel = "shut";
  if (K.narrow()) K.drawer(before.drawer);
  if (before.focus?.isConnected) before.focus.focus({ preventScroll: true });
};

K.tourSeen = () => K.kept("tour") !== null;
K.startTour = () => {
  if (going) return;
  if (!K.chat || !K.scroller()) { K.openSamples(); K.toast(K.t("tour_needs")); return; }
  document.querySelectorAll("dialog[open]").forEach((open) => open.close());
  const button = (name, label, kind, act) => K.el("button", { class: `k-button ${kind}`, type: "button", "data-tour": name, text: label, onclick: act });
  const node = K.el("dialog", { class: "k-tour", "aria-labelledby": "k-tour-title", "aria-describedby": "k-tour-text", onkeydown: press },
    K.el("div", { class: "k-tour-ring", "aria-hidden": "true" }),
    K.el("div", { class: "k-tour-card" },
      K.el("header", {}, K.el("span", { class: "k-quiet k-tour-at" }), K.fine() && K.el("span", { class: "k-quiet", text: K.t("tour_keys") }),
        K.el("button", { class: "k-plain", type: "button", "aria-label": K.t("tour_skip"), title: K.t("tour_skip"), onclick: () => node.close() }, K.icon("close"))),
      K.el("div", { "aria-live": "polite" }, K.el("h2", { id: "k-tour-title" }), K.el("p", { id: "k-tour-text", class: "k-tour-text" })),
      K.el("footer", {}, button("back", K.t("tour_back"), "", () => move(-1)), button("next", "", "k-firmly", () => move(1)))));
  node.addEventListener("close", ended);
  going = { node, step: 0, before: { tab: K.view.tab, drawer: document.body.dataset.kDrawer ?? null, shut: document.body.dataset.kPanel === "shut", focus: document.activeElement } };
  delete document.body.dataset.kPanel;
  (document.getElementById("k-house") ?? document.body).append(node);
  node.showModal();
  go(0);
};
window.addEventListener("resize", place);
