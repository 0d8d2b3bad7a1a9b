// The story as a line through time: arcs open to their chapters, chapters to their rounds with what was said. Every sentence leads to its round.
// A span, as a button never breaks over lines and a page of prose does.
const sentence = (line) => K.el("span", {
  class: "k-told", role: "button", tabindex: 0, title: K.t("go_to_round", { n: line.round }), text: line.text,
  onclick: () => K.jump(line.round), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); K.jump(line.round); } },
});
const told = (piece) => K.el("p", { class: "k-page-text", dir: "auto", lang: K.here()?.language ?? null }, piece.lines.flatMap((line, at) => (at ? [K.gap(K.here()?.language), sentence(line)] : [sentence(line)])));
const span = (piece) => {
  const [first, last] = [Math.max(1, piece.first), Math.max(1, piece.last)];
  return K.el("small", { lang: K.locale(), text: first === last ? K.t("round", { n: first }) : K.t("rounds_span", { first, last }) });
};
const when = (piece) => {
  if (!piece.began) return null;
  const [from, to] = [K.date(piece.began), K.date(piece.ended)];
  return K.el("time", { class: "k-when", datetime: piece.began, text: from === to ? from : K.t("days_span", { from, to }) });
};
const item = (piece) => ({ ...piece, kind: "plot", text: piece.lines.map((line) => line.text).join("\n") });

// What is open stays open while the story grows; what was said in it is asked for again when something may read otherwise.
let of = null;
let edition = null;
const open = new Set();
const spans = new Map();     // key -> {rounds, asked}: rounds as they came last, asked: newer ones are on their way
const keyOf = (piece) => `${Math.max(0, piece.first)}-${piece.last}`;
const name = (tier, piece) => `${tier} ${piece.first}`;
const fetchSpan = (piece) => {
  const key = keyOf(piece);
  if (spans.get(key)?.asked) return;
  spans.set(key, { rounds: spans.get(key)?.rounds ?? null, asked: true });
  trigger("span", { chat: K.chat, first: Math.max(0, piece.first), last: piece.last });
};
K.takeSpan = (value) => {
  if (value.chat !== K.chat || !spans.has(value.key)) return;
  spans.set(value.key, { rounds: value.rounds, asked: true });
  K.redraw("story");
};
const spoken = (line) => K.el("p", { class: `k-spoken k-spoken-${line.role}`, dir: "auto" }, K.el("b", { text: line.name }), " ", K.lines(line.text), line.cut && " …");
const roundOf = (one) => K.el("li", { class: "k-spoken-round", "data-round-told": one.round },
  K.el("header", {}, K.roundLink(one.round, one.round), K.el("time", { datetime: one.at, text: K.when(one.at) }),
    one.kept[0] + one.kept[1] > 0 && K.el("button", { class: "k-link k-kept", type: "button", "aria-haspopup": "dialog", title: K.t("kept_means", { n: one.round }), onclick: () => K.openRound(one.round) },
      K.icon("mark"), K.el("span", { text: one.kept[0] ? K.t("kept_count", { n: one.kept[0] }) : K.t("kept_lost", { n: one.kept[1] }) }))),
  K.el("div", { lang: K.here()?.language ?? null }, one.lines.map(spoken)));
const rounds = (piece) => {
  const there = spans.get(keyOf(piece))?.rounds;
  if (!there) return K.el("p", { class: "k-quiet", role: "status", text: K.t("loading") });
  return there.length ? K.el("ol", { class: "k-spoken-rounds" }, there.map(roundOf)) : K.el("p", { class: "k-quiet", text: K.t("span_empty") });
};
const fold = (id, piece, key, inside) => K.el("button", {
  class: "k-link k-fold", type: "button", "aria-expanded": String(open.has(id)), "data-choice": `fold ${id}`,
  onclick: () => { if (open.has(id)) open.delete(id); else open.add(id); if (inside === "rounds" && open.has(id)) fetchSpan(piece); K.redraw("story"); },
}, K.icon(open.has(id) ? "down" : "right"), K.el("span", { text: K.t(key, { n: inside === "rounds" ? piece.last - Math.max(1, piece.first) + 1 : inside }) }));

const node = (tier, piece, heading, below) => {
  const id = name(tier, piece);
  return K.el("li", { class: `k-node k-node-${tier}`, "data-first": piece.first },
    K.el("section", { class: `k-chapter${piece.excluded ? " k-left-out" : ""}` },
      when(piece),
      K.el("h3", {}, heading, " ", span(piece), piece.id && K.memoryDots(item(piece))), K.memoryBadges(piece), told(piece), below(id)));
};
const chapterNode = (piece, heading) => node("chapter", piece, heading, (id) => [
  fold(id, piece, open.has(id) ? "rounds_fold" : "rounds_unfold", "rounds"), open.has(id) && rounds(piece)].filter(Boolean));
const arcNode = (piece, heading, inside) => node("arc", piece, heading, (id) => [
  inside.length && fold(id, piece, open.has(id) ? "chapters_fold" : "chapters_unfold", inside.length),
  open.has(id) && K.el("ol", { class: "k-timeline" }, inside.map(([chapter, n]) => chapterNode(chapter, K.t("chapter", { n }))))].filter(Boolean));

// In the open chapter every sentence is still a fact of its own, with what can be done with one.
const lineOf = (line) => {
  const fact = { ...line, kind: "fact", first: line.round, last: line.round };
  return K.el("li", { class: "k-line", "data-memory": line.id, dir: "auto" }, K.el("span", {}, sentence(line), " ", K.memoryBadges(fact)), K.memoryDots(fact));
};
const unitNode = (piece) => {
  const id = name("unit", piece);
  return K.el("li", { class: "k-node k-node-unit", "data-first": piece.first }, when(piece), K.el("div", { class: "k-unit-head" }, span(piece)),
    K.el("ul", { class: "k-page-text", lang: K.here()?.language ?? null }, piece.lines.map(lineOf)), fold(id, piece, open.has(id) ? "rounds_fold" : "rounds_unfold", "rounds"), open.has(id) && rounds(piece));
};
// Up and down go from fold to fold; right opens, left closes.
const walk = (event) => {
  const at = event.target.closest?.(".k-fold");
  if (!at) return;
  const folds = [...event.currentTarget.querySelectorAll(".k-fold")];
  const here = folds.indexOf(at);
  const to = { ArrowDown: folds[here + 1], ArrowUp: folds[here - 1], Home: folds[0], End: folds.at(-1) }[event.key];
  const turn = { ArrowRight: "false", ArrowLeft: "true" }[event.key] === at.getAttribute("aria-expanded");
  if (to) { event.preventDefault(); to.focus(); }
  else if (turn) { event.preventDefault(); at.click(); }
};

// How long a chapter is, and closing one before it is that long. The story is told anew from what is remembered, so nothing is lost by trying.
const preset = (value, one) =>
  K.el("button", {
    type: "button", "aria-pressed": String(value.preset === one.name), "data-preset": one.name, title: K.t("preset_means", { n: one.chapter, all: one.arc }),
    onclick: () => { if (value.preset !== one.name) K.act("divide", { name: one.name }); },
  }, K.t(`preset_${one.name}`));
const closing = (value) => K.el("button", {   // always there, so that the focus is not lost with the last open round
  class: "k-button k-summarise", type: "button", "aria-disabled": String(!value.open), title: K.t("summarise_means"), text: K.t("summarise"),
  onclick: () => { if (value.open) K.act("summarise"); else K.toast(K.t("error_nothing_to_tell")); },
});
const division = (value) => {
  const chosen = value.presets.find((one) => one.name === value.preset);
  return K.el("div", { class: "k-division" },
    K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("story_division") }, value.presets.map((one) => preset(value, one))),
    chosen && K.el("p", { class: "k-quiet", text: K.t("preset_means", { n: chosen.chapter, all: chosen.arc }) }));
};
// What is set once stands folded below what is read every day.
const settings = (value) => K.el("footer", { class: "k-story-foot" }, closing(value),
  K.el("details", { class: "k-story-settings", ...K.unfolds(K.kept("fold.story") === "open", (open) => K.keep("fold.story", open ? "open" : "shut")) },
    K.el("summary", { text: K.t("story_settings") }), division(value), calendar(value)));

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
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("story"));
    return;
  }
  if (of !== K.chat) { of = K.chat; open.clear(); spans.clear(); }
  if (edition !== K.story.edition) { edition = K.story.edition; spans.forEach((known) => { known.asked = false; }); }
  const within = (arc) => value.chapters.map((one, at) => [one, at + 1]).filter(([one]) => arc.first <= one.first && one.last <= arc.last);
  const inArcs = new Set(value.arcs.flatMap((arc) => within(arc).map(([one]) => one)));
  const loose = value.chapters.map((one, at) => [one, at + 1]).filter(([one]) => !inArcs.has(one));
  const past = [...value.arcs.map((one, at) => arcNode(one, K.t("arc", { n: at + 1 }), within(one))), ...loose.map(([one, n]) => chapterNode(one, K.t("chapter", { n })))];
  for (const piece of [...value.chapters, ...value.so_far]) if (open.has(name("chapter", piece)) || open.has(name("unit", piece))) fetchSpan(piece);
  const parts = [
    ...K.broughtAlong(value.carried),
    past.length > 0 && K.el("ol", { class: "k-timeline k-book", onkeydown: walk }, past),
    value.so_far.length > 0 && K.el("div", { class: "k-book k-open" }, K.el("h2", { text: K.t("so_far") }),
      K.el("ol", { class: "k-timeline", onkeydown: walk }, value.so_far.map(unitNode)),
      K.el("p", { class: "k-quiet", text: K.t("so_far_means", { n: value.chapter_rounds }) })),
  ].filter(Boolean);
  if (parts.length && !value.so_far.length && !value.open) parts.push(K.el("p", { class: "k-quiet", text: K.t("story_next") }));
  K.refill(root, ...(parts.length ? parts : [K.el("p", { class: "k-quiet k-empty", text: K.noneYet(K.t("story_none", { n: value.chapter_rounds })) })]), settings(value));
});
