// The story so far: arcs, chapters, and the open chapter as far as it goes. Every sentence leads to its round.
// A span, as a button never breaks over lines and a page of prose does.
const sentence = (line) => K.el("span", {
  class: "k-told", role: "button", tabindex: 0, title: K.t("go_to_round", { n: line.round }), text: line.text,
  onclick: () => K.jump(line.round), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); K.jump(line.round); } },
});
const told = (piece) => K.el("p", { class: "k-page-text", dir: "auto" }, piece.lines.flatMap((line, at) => (at ? [" ", sentence(line)] : [sentence(line)])));
const span = (piece) => {
  const [first, last] = [Math.max(1, piece.first), Math.max(1, piece.last)];
  return K.el("small", { lang: K.locale(), text: first === last ? K.t("round", { n: first }) : K.t("rounds_span", { first, last }) });
};

const item = (piece) => ({ ...piece, kind: "plot", text: piece.lines.map((line) => line.text).join("\n") });
const chapter = (piece, heading) =>
  K.el("section", { class: `k-chapter${piece.excluded ? " k-left-out" : ""}`, "data-first": piece.first },
    K.el("h3", {}, heading, " ", span(piece), piece.id && K.memoryDots(item(piece))), K.memoryBadges(piece), told(piece));

// In the open chapter every sentence is still a fact of its own, with what can be done with one.
const lineOf = (line) => {
  const fact = { ...line, kind: "fact", first: line.round, last: line.round };
  return K.el("li", { class: "k-line", "data-memory": line.id, dir: "auto" }, K.el("span", {}, sentence(line), " ", K.memoryBadges(fact)), K.memoryDots(fact));
};

K.surface("story", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.el("p", { class: "k-quiet k-empty", text: K.t(K.chat ? "loading" : "memories_no_chat") }));
    return;
  }
  const lang = K.here()?.language ?? null;
  const open = value.so_far;
  const parts = [
    value.arcs.length && K.el("div", { class: "k-book", lang }, K.el("h2", { lang: K.locale(), text: K.t("story_arcs") }), value.arcs.map((one, at) => chapter(one, K.t("arc", { n: at + 1 })))),
    value.chapters.length && K.el("div", { class: "k-book", lang }, K.el("h2", { lang: K.locale(), text: K.t("story_chapters") }), value.chapters.map((one, at) => chapter(one, K.t("chapter", { n: at + 1 })))),
    open.length && K.el("div", { class: "k-book k-open", lang }, K.el("h2", { lang: K.locale(), text: K.t("so_far") }),
      open.map((one) => K.el("section", { class: "k-chapter", "data-first": one.first }, K.el("ul", { class: "k-page-text" }, one.lines.map(lineOf)), span(one))),
      K.el("p", { class: "k-quiet", lang: K.locale(), text: K.t("so_far_means", { n: value.chapter_rounds }) })),
  ].filter(Boolean);
  K.refill(root, ...(parts.length ? parts : [K.el("p", { class: "k-quiet k-empty", text: K.t("story_none", { n: value.chapter_rounds }) })]));
});
