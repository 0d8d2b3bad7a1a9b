// The reply on its way, below the transcript. When the transcript has it, the transcript calls K.settle and this empties in the same breath.
const nothing = { job: null, text: "", parts: [] };
let drawn = nothing;
const root = element.querySelector(".k-surface");
K.settle = (job) => {
  if (!job) return;
  K.settled.add(job);
  if (K.live?.job === job) {
    K.live = null;
    root.replaceChildren();
    drawn = nothing;
    K.redraw("composer", "transcript");
    K.followed?.();
  }
};

const meter = (frame) => {
  if (frame.phase !== "reading" || !frame.total) return null;
  const part = Math.min(1, frame.read / frame.total);
  return K.el("span", { class: "k-meter" },
    K.el("progress", { max: 1, value: part, "aria-label": K.t("phase_reading", { name: frame.name }) }),
    K.el("span", { text: new Intl.NumberFormat(K.locale(), { style: "percent" }).format(part) }));
};

const frameOf = (name) =>
  K.el("article", { class: "k-message k-character-says k-live", "aria-busy": "true" },
    K.avatar(name, "m"),
    K.el("div", { class: "k-leaf" },
      K.el("header", {}, K.el("b", { text: name })),
      K.el("div", { class: "k-prose", lang: K.here()?.language ?? null }),
      K.el("footer", { class: "k-phase" }, K.el("span", { role: "status" }), K.el("span", { class: "k-progress" }))));

// What the player might say next grows in the box, and only in the tab that asked for it; here it shows nowhere.
const draft = (frame) => {
  const before = K.running();
  root.replaceChildren();
  drawn = nothing;
  K.live = frame.final || K.settled.has(frame.job) ? null : frame;
  K.drafted?.(frame);
  if (before !== K.running()) K.redraw("composer", "transcript");
  K.follow?.(frame);
};
// A reply that is continued shows what it said before, and goes on from there.
const textOf = (frame) => {
  const base = frame.kind === "continue" ? K.messages?.().find((m) => m.id === frame.message)?.text ?? "" : "";
  return base && frame.text ? `${base}${/\s$/.test(base) || /^[\s,.;:!?，。；：！？、…]/.test(frame.text) ? "" : " "}${frame.text}` : base || frame.text;
};

K.surface("live", { element, props, watch }, (_, frame) => {
  if (frame?.job && frame.kind === "draft") { draft(frame); return; }
  if (!frame || !frame.job || K.settled.has(frame.job)) {
    if (K.live) { K.live = null; K.redraw("composer", "transcript"); }
    root.replaceChildren();
    drawn = nothing;
    return;
  }
  const before = K.running();
  K.live = frame;
  if (drawn.job !== frame.job || !root.firstChild) {
    root.replaceChildren(frameOf(frame.name));
    drawn = { ...nothing, job: frame.job };
  }
  const text = textOf(frame);
  if (drawn.text !== text) {
    drawn.parts = K.growProse(root.querySelector(".k-prose"), drawn.parts, text);
    drawn.text = text;
  }
  const status = root.querySelector("[role=status]");
  const sentence = K.t(`phase_${frame.phase}`, { name: frame.name });
  if (status.textContent !== sentence) status.textContent = sentence;
  root.querySelector(".k-progress").replaceChildren(...[meter(frame)].filter(Boolean));
  root.querySelector(".k-phase").dataset.phase = frame.phase;
  if (before !== K.running()) K.redraw("composer", "transcript");
  K.toEnd();
  K.follow?.(frame);
});
