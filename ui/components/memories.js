const order = (key, label) =>
  K.el("button", {
    type: "button", "aria-pressed": String(K.view.order === key), text: K.t(label),
    onclick: () => { K.view.order = key; ask(); K.redraw("memories"); },
  });
const ask = () => trigger("order", { chat: K.chat, ...K.view });
const opened = new Set();
const CLIP = 150;      // letters, of which a Chinese character takes two: about what four lines hold
const weight = (text) => text.length + (text.match(/[\u2E80-\uFFEF]/g)?.length ?? 0);

K.roundLink = (first, last) =>
  K.el("button", { class: "k-link k-round", type: "button", "aria-label": K.t("go_to_round", { n: first }), onclick: () => K.jump(first) },
    first === last || !last ? K.t("round", { n: first }) : K.t("rounds_span", { first, last }));
K.clipped = (id, text, redraw) => {
  const long = weight(text) > CLIP || text.split("\n").length > 4;
  const full = opened.has(id);
  return [
    K.el("p", { class: `k-episode${long && !full ? " k-clip" : ""}`, dir: "auto" }, K.lines(text)),
    long && K.el("button", {
      class: "k-link k-more", type: "button", "aria-expanded": String(full), text: K.t(full ? "collapse" : "expand"),
      onclick: () => { if (full) opened.delete(id); else opened.add(id); redraw(); },
    })];
};

// A bar needs an end: score / (score + 1/4) never reaches it, keeps the order, and puts a memory recalled last round at about four fifths.
const bar = (score) =>
  K.el("span", { class: "k-score", title: K.t("score_means") },
    K.el("span", { class: "k-bar", "aria-hidden": "true" }, K.el("i", { style: { "inline-size": `${(100 * score) / (score + 0.25)}%` } })),
    K.el("span", {}, K.el("span", { class: "k-unseen", text: K.t("score") }), " ", score !== 0 && score < 0.001 ? "< " + K.number(0.001, 3) : K.number(score, 3)));

const memoryOf = (one) =>
  K.el("li", { class: "k-memory", "data-memory": one.id },
    K.el("header", {}, K.roundLink(one.first, one.last), K.el("time", { datetime: one.at, text: K.date(one.at) })),
    K.clipped(one.id, one.text, () => K.redraw("memories")),
    K.el("footer", {}, bar(one.score),
      K.el("span", { class: "k-counts" },
        one.reinforced > 0 && K.el("span", { class: "k-up", text: K.t("recalled_times", { n: one.reinforced }) }),
        one.inhibited > 0 && K.el("span", { class: "k-down", text: K.t("inhibited_times", { n: one.inhibited }) }))));

const queueOf = (queue) => [
  queue.waiting > 0 && K.el("p", { class: "k-queue", role: "status" }, K.el("i", { class: "k-dots", "aria-hidden": "true" }), K.t("queue_waiting", { n: queue.waiting })),
  queue.failed > 0 && K.el("div", { class: "k-queue k-failed", role: "status" },
    K.el("p", {}, K.t("queue_failed", { n: queue.failed })),
    queue.error && K.el("p", { class: "k-quiet", text: K.t("queue_error", { error: queue.error }) }),
    K.el("button", { class: "k-button", type: "button", text: K.t("retry"), onclick: () => trigger("retry", { chat: K.chat, ...K.view }) }))];

K.surface("memories", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.el("p", { class: "k-quiet k-empty", text: K.chat ? K.t("loading") : K.t("memories_no_chat") }));
    return;
  }
  const focused = root.contains(document.activeElement) ? document.activeElement.textContent : null;
  root.replaceChildren(
    K.el("div", { class: "k-bar-line" },
      K.el("strong", { text: K.t("memories_total", { n: value.total }) }),
      K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("order") }, order("score", "by_score"), order("newest", "by_newest"))),
    ...queueOf(value.queue).filter(Boolean),
    K.el("p", { class: "k-quiet", text: value.total ? K.t("score_means") : K.t("memories_none") }),
    K.el("ol", { class: "k-memories", lang: K.here()?.language ?? null }, value.memories.map(memoryOf)),
    value.memories.length < value.total && value.memories.length < K.house.most
      ? K.el("button", { class: "k-button", type: "button", text: K.t("show_more"), onclick: () => { K.view.limit = Math.min(K.house.most, K.view.limit * 2); ask(); } }) : "");
  if (focused) [...root.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus({ preventScroll: true });
});
