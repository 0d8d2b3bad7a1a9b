// Learning from what replies use: what is wanted of it, how it goes, and the file it leaves in.
const MODES = { off: ["learning_off", "learning_off_means"], learning: ["learning_on", "learning_on_means"], frozen: ["learning_frozen", "learning_frozen_means"] };
const WIDE = 320, HIGH = 96, EDGE = 4;
const LOOK_MS = 2000;
let open = null;
let shown = null;
let timer = null;
const ask = () => { if (open && !document.hidden) trigger("learning", { marks: K.marks }); };

const order = (operation, rest = {}) => trigger("teach", { operation, ...rest });
const choose = (changes) => order("choose", { mode: shown.mode, exploring: shown.exploring ? "yes" : "", ...changes });
const percent = (share) => Math.round(share * 100);

const drawn = (tag, attributes, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, String(value)));
  node.append(...children);
  return node;
};
// From none to all of what was shown, or as far up as the curve goes; what it says stands below it as a sentence.
const curve = (shares) => {
  const top = Math.max(0.1, ...shares);
  const x = (i) => EDGE + (shares.length > 1 ? (i / (shares.length - 1)) * (WIDE - 2 * EDGE) : (WIDE - 2 * EDGE) / 2);
  const y = (share) => HIGH - EDGE - (share / top) * (HIGH - 2 * EDGE);
  const last = shares.length - 1;
  return drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "k-curve", "aria-hidden": "true" },
    drawn("line", { class: "k-curve-floor", x1: EDGE, y1: y(0), x2: WIDE - EDGE, y2: y(0) }),
    drawn("polyline", { points: shares.map((share, i) => `${x(i).toFixed(1)},${y(share).toFixed(1)}`).join(" ") }),
    drawn("circle", { cx: x(last).toFixed(1), cy: y(shares[last]).toFixed(1), r: 3 }));
};
const progress = (value) => K.el("figure", { class: "k-usefulness" },
  K.el("h3", { text: K.t("learning_curve") }),
  value.shares.length ? curve(value.shares) : "",
  K.el("figcaption", { class: "k-quiet", text: value.shares.length
    ? K.t("learning_curve_says", { first: percent(value.shares[0]), last: percent(value.shares.at(-1)), n: Math.min(value.over, value.counted) })
    : K.t("learning_none") }));

const take = async (file) => {
  let end = null;
  try { end = await (await fetch("keepsake/learned", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file })).json(); } catch { /* said below */ }
  if (end?.learning) { ask(); K.toast(K.t("learning_imported", { name: file.name })); }
  fill(end?.learning ? "" : end?.error ? K.sentence(end.error) : K.t("error_unexpected"));
};
const reset = async () => {
  const sure = await K.confirm({ title: K.t("learning_reset_title"), text: K.t("learning_reset_means"), act: K.t("learning_reset"), danger: true });
  if (sure) order("reset");
};
const fill = (refusal = "") => {
  if (!open || !shown) return;
  const input = K.el("input", { type: "file", accept: ".npz", class: "k-unseen", tabindex: -1, "aria-hidden": "true", onchange: () => { if (input.files[0]) take(input.files[0]); } });
  K.refill(open.content,
    K.el("p", { class: "k-quiet", text: K.t("learning_means") }),
    refusal ? K.el("p", { class: "k-refusal", role: "alert", text: refusal }) : "",
    shown.fell ? K.el("p", { class: "k-degraded", role: "note", text: K.t("learning_fell", { before: percent(shown.fell[0]), after: percent(shown.fell[1]) }) }) : "",
    K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("learning_mode") },
      Object.entries(MODES).map(([mode, [label]]) => K.el("button", { type: "button", "data-choice": mode, "aria-pressed": String(shown.mode === mode), text: K.t(label), onclick: () => choose({ mode }) }))),
    K.el("p", { class: "k-quiet", role: "status", text: K.t(MODES[shown.mode][1]) }),
    K.el("label", { class: "k-check" },
      K.el("input", { type: "checkbox", checked: shown.exploring, onchange: (event) => choose({ exploring: event.target.checked ? "yes" : "" }) }), K.el("span", { text: K.t("exploring") })),
    K.el("p", { class: "k-quiet", text: K.t("exploring_means") }),
    progress(shown),
    K.el("p", { class: "k-quiet", text: K.t("learning_updates", { n: shown.updates, replies: shown.counted }) }),
    K.el("div", { class: "k-choices" }, input,
      K.el("button", { class: "k-button", type: "button", text: K.t("learning_export"), onclick: () => order("export") }),
      K.el("button", { class: "k-button", type: "button", text: K.t("learning_import"), onclick: () => input.click() }),
      K.el("button", { class: "k-button k-grave", type: "button", text: K.t("learning_reset"), onclick: reset })));
};
K.openLearning = () => {
  open = K.dialog({ name: "learning", title: K.t("learning"), kind: "k-small", body: [K.el("p", { class: "k-quiet", text: K.t("loading") })], closed: () => { open = null; clearInterval(timer); } });
  clearInterval(timer);
  timer = setInterval(ask, LOOK_MS);
  fill();
  ask();
};
K.surface("learning", { element, props, watch }, (_, value) => {
  if (value) { shown = value; fill(); }
});
