const ask = () => trigger("show", { chat: K.chat, marks: K.marks, ...K.view });
let strange = null;      // a list that is not the one the reader wants: for it, the right one was asked for
const choice = (field, key, label, extra = null) =>
  K.el("button", {
    type: "button", "aria-pressed": String(K.view[field] === key), "data-choice": key,
    onclick: () => { K.view = { ...K.view, [field]: key, limit: 60 }; K.redraw("memories"); },
  }, K.t(label), extra);
const counted = (value, shelf) => K.el("small", { text: K.number(value.counts[shelf] ?? 0) });
const opened = new Set();
const CLIP = 150;      // letters, of which a Chinese character takes two: about what four lines hold
const weight = (text) => text.length + (text.match(/[\u2E80-\uFFEF]/g)?.length ?? 0);

K.roundLink = (first, last) => (last < 0 ? K.el("span", { class: "k-round k-quiet", text: K.t("carried_before") }) :
  K.el("button", { class: "k-link k-round", type: "button", "aria-label": K.t("go_to_round", { n: first }), onclick: () => K.jump(first) },
    first === last || !last ? K.t("round", { n: first }) : K.t("rounds_span", { first, last })));
K.clipped = (id, text, redraw, { letters = CLIP, lines = 4 } = {}) => {
  const long = weight(text) > letters || text.split("\n").length > lines;
  const full = opened.has(id);
  return [
    K.el("p", { class: `k-episode${long && !full ? " k-clip" : ""}`, dir: "auto", style: { "--k-lines": String(lines) } }, K.lines(text)),
    long && K.el("button", {
      class: "k-link k-more", type: "button", "aria-expanded": String(full), text: K.t(full ? "collapse" : "expand"),
      onclick: () => { if (full) opened.delete(id); else opened.add(id); redraw(); },
    })];
};

// The strongest of the shelf fills its bar; the root spreads the many weak ones apart and keeps the order.
const bar = (one, best) => {
  const { score } = one;
  return K.el("button", { class: "k-score", type: "button", title: K.t("show_course"), "data-choice": `course ${one.id}`, onclick: () => K.showCourse(one.id) },
    K.el("span", { class: "k-bar", "aria-hidden": "true" }, K.el("i", { style: { "inline-size": `${best > 0 ? 100 * Math.sqrt(score / best) : 0}%` } })),
    K.el("span", {}, K.el("span", { class: "k-unseen", text: K.t("score") }), " ", score !== 0 && score < 0.001 ? "< " + K.number(0.001, 3) : K.number(score, 3)));
};
K.happened = (days) => {
  const [from, to] = days.map((day) => day.slice(0, 10));
  if (from.slice(0, 4) === to.slice(0, 4) && from.endsWith("-01-01") && to.endsWith("-12-31")) return K.t("happened_on", { day: from.slice(0, 4) });
  const [first, last] = days.map((day) => K.calendar(day));
  return first === last ? K.t("happened_on", { day: first }) : K.t("happened_between", { first, last });
};

const memoryOf = (one, best) =>
  K.el("li", { class: `k-memory k-kind-${one.kind}${one.excluded ? " k-faded" : ""}`, "data-memory": one.id },
    K.el("header", {}, K.whence(one, one.first, one.last),
      one.kind !== "episode" && one.said_by && K.el("span", { dir: "auto", text: K.t(one.kind === "insight" ? "reading_of" : "said_by", { name: one.said_by }) }),
      K.el("time", { datetime: one.at, text: K.date(one.at) }), K.memoryDots(one)),
    K.clipped(one.id, one.text, () => K.redraw("memories")),
    K.el("footer", {}, K.memoryBadges(one), bar(one, best),
      K.el("span", { class: "k-counts" },
        one.happened && K.el("span", { text: K.happened(one.happened) }),
        one.trust < 1 && K.el("span", { class: "k-down", text: K.t("not_sure") }),
        one.reinforced > 0 && K.el("span", { class: "k-up", text: K.t("recalled_times", { n: one.reinforced }) }),
        one.inhibited > 0 && K.el("span", { class: "k-down", text: K.t("inhibited_times", { n: one.inhibited }) }))));

let toRead = null;   // how far memory has read: beside the line about its work, with a word always, for the same reason
// Work comes and goes with every message: it is told on a line that is always there, so that nothing below moves.
const lineOf = (value) => {
  const { waiting } = value.queue;
  if (!K.remembers()) return K.el("span", { class: "k-quiet k-working", role: "status", text: waiting > 0 ? K.t("memory_off_line", { n: waiting }) : K.t("memory_is_off") });
  const room = value.shelf === "episode" ? "" : K.t("capacity", { n: value.capacity });
  return waiting > 0
    ? K.el("span", { class: "k-working", role: "status" }, K.el("i", { class: "k-dots", "aria-hidden": "true" }),
        K.el("button", { class: "k-link", type: "button", title: K.t("queue"), text: K.t("queue_waiting", { n: waiting }), onclick: () => K.openQueue() }))
    : K.el("span", { class: "k-quiet k-working", role: "status", title: room && K.t("capacity_means", { n: value.capacity }), text: room });
};
const failedOf = (queue) => queue.failed > 0 && K.el("div", { class: "k-failed", role: "alert" },
  K.el("p", {}, K.t("queue_failed", { n: queue.failed })),
  queue.error && K.el("p", { class: "k-quiet", text: K.t("queue_error", { error: queue.error }) }),
  K.el("span", { class: "k-row-tools" },
    K.el("button", { class: "k-button", type: "button", text: K.t("retry"), onclick: () => trigger("retry", { chat: K.chat, ...K.view }) }),
    K.el("button", { class: "k-link", type: "button", text: K.t("details"), onclick: () => K.openQueue() })));

K.surface("memories", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("memories"));
    return;
  }
  const other = value.shelf !== K.view.shelf || value.order !== K.view.order;
  if (other && strange !== value) { strange = value; ask(); }
  const empty = { fact: "facts_none", episode: "memories_none", forgotten: "forgotten_none" }[value.shelf];
  const about = { fact: "score_means", episode: "score_means", forgotten: "forgotten_means" }[value.shelf];
  K.refill(root,
    K.el("div", { class: "k-switch k-shelves", role: "group", "aria-label": K.t("shelves") },
      choice("shelf", "fact", "facts", counted(value, "fact")), choice("shelf", "episode", "episodes", counted(value, "episode")), choice("shelf", "forgotten", "forgotten", counted(value, "forgotten"))),
    K.el("div", { class: "k-bar-line k-firm" }, lineOf(value),
      K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("order") }, choice("order", "score", "by_score"), choice("order", "newest", "by_newest"))),
    failedOf(value.queue) || "",
    toRead ??= K.readPlace(),
    K.el("p", { class: "k-quiet", text: value.total ? K.t(about) : value.shelf === "forgotten" ? K.t(empty) : K.noneYet(K.t(empty)) }),
    value.shelf === "forgotten" ? K.el("p", { class: "k-quiet k-capacity", text: K.t("capacity_means", { n: value.capacity }) }) : "",
    K.el("ol", { class: `k-memories k-shelf-${value.shelf}`, "aria-busy": String(other), lang: K.here()?.language ?? null }, value.memories.map((one) => memoryOf(one, value.best))),
    value.memories.length < value.total && value.memories.length < K.house.most
      ? K.el("button", { class: "k-button", type: "button", text: K.t("show_more"), onclick: () => { K.view.limit = Math.min(K.house.most, K.view.limit * 2); ask(); } }) : "");
});
