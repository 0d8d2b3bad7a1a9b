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

// How long a chapter is, and closing one before it is that long. The story is told anew from what is remembered, so nothing is lost by trying.
const preset = (value, one) =>
  K.el("button", {
    type: "button", "aria-pressed": String(value.preset === one.name), "data-preset": one.name, title: K.t("preset_means", { n: one.chapter, all: one.arc }),
    onclick: () => { if (value.preset !== one.name) K.act("divide", { name: one.name }); },
  }, K.t(`preset_${one.name}`));
const division = (value) => {
  const chosen = value.presets.find((one) => one.name === value.preset);
  return K.el("footer", { class: "k-division" },
    K.el("button", {   // always there, so that the focus is not lost with the last open round
      class: "k-button k-summarise", type: "button", "aria-disabled": String(!value.open), title: K.t("summarise_means"), text: K.t("summarise"),
      onclick: () => { if (value.open) K.act("summarise"); else K.toast(K.t("error_nothing_to_tell")); },
    }),
    K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("story_division") }, value.presets.map((one) => preset(value, one))),
    chosen && K.el("p", { class: "k-quiet", text: K.t("preset_means", { n: chosen.chapter, all: chosen.arc }) }));
};

// What day it is in the story. What was said keeps its day; what is said from now on, and "yesterday" in it, counts from this one.
let made = { key: null, form: null };
const calendar = (value) => {
  const key = JSON.stringify([value.chat, value.day, value.day_runs, K.locale()]);
  if (made.key !== key) made = { key, form: dated(value) };
  return made.form;   // the same one as long as nothing changed, so that a day half typed in stays when a chapter is told
};
const dated = (value) => {
  const day = K.el("input", { type: "date", id: "k-day", min: "0100-01-01", max: "9000-12-31", value: value.day });
  const runs = K.el("input", { type: "checkbox", id: "k-day-runs", checked: value.day ? value.day_runs : true });
  const set = (event) => { event.preventDefault(); if (day.value) K.act("set_day", { name: day.value, to: runs.checked ? 1 : 0 }); else day.focus(); };
  return K.el("form", { class: "k-division k-calendar", onsubmit: set },
    K.el("label", { for: "k-day", text: K.t("story_day") }),
    K.el("div", { class: "k-today" }, day,
      K.el("button", { class: "k-button", type: "submit", text: K.t("story_day_set") }),
      value.day && K.el("button", { class: "k-link", type: "button", text: K.t("story_day_real"), onclick: () => K.act("set_day", { name: "" }) })),
    K.el("label", { class: "k-check" }, runs, K.el("span", { text: K.t("story_day_runs") })),
    K.el("p", { class: "k-quiet", text: K.t("story_day_means") }));
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
  if (parts.length && !open.length && !value.open) parts.push(K.el("p", { class: "k-quiet", text: K.t("story_next") }));
  K.refill(root, ...(parts.length ? parts : [K.el("p", { class: "k-quiet k-empty", text: K.t("story_none", { n: value.chapter_rounds }) })]), division(value), calendar(value));
});
