// How memories fade: the room there is, who is most alive, nearly forgotten and forgotten, and the whole course of one that was chosen.
let strange = null;
let unfolded = new Set();
const ask = () => trigger("show", { chat: K.chat, marks: K.marks, ...K.view });
const choose = (id) => { K.view = { ...K.view, chosen: id }; K.redraw("fading"); ask(); document.getElementById("k-fading").scrollTop = 0; };
K.showCourse = (id) => {
  const there = K.view.tab === "fading";
  K.view = { ...K.view, chosen: id };
  if (K.narrow()) K.drawer("panel");
  if (there) ask(); else K.tab("fading", true);
};

const standing = (one) => {
  if (one.kind === "episode") return K.t("stays_said");
  if (one.forgotten) return "";
  if (one.spared) return K.t("stays_spared");
  if (one.needs === null) return K.t("stays_room");
  if (one.needs <= 0) return K.t("stays_strong");
  return K.t(one.score > one.needs ? "stays_above" : "goes_next", { needs: K.score(one.needs) });
};
const fate = (one) => {
  const last = one.fates.at(-1);
  return last && K.el("span", { class: last[1] ? "k-lost-in" : "k-back-in" }, K.t(last[1] ? "lost_since" : "back_since", { n: last[0] }));
};
const told = (one) => [
  K.el("span", { text: K.t("score_now", { score: K.score(one.score) }) }),
  one.reinforced > 0 && K.el("span", { class: "k-up", text: K.t("recalled_times", { n: one.reinforced }) }),
  one.inhibited > 0 && K.el("span", { class: "k-down", text: K.t("inhibited_times", { n: one.inhibited }) }),
  fate(one)].filter(Boolean);

const row = (one) =>
  K.el("li", { class: `k-fade${one.forgotten ? " k-faded" : ""}`, "data-memory": one.id },
    K.el("button", { class: "k-fade-open", type: "button", title: K.t("show_course"), onclick: () => choose(one.id) },
      K.el("span", { class: "k-fade-text", dir: "auto", lang: K.here()?.language ?? null, text: one.text }), K.spark(one)),
    K.el("footer", {}, K.whence(one, one.first, one.last), told(one), K.memoryBadges(one), K.memoryDots(one)));
const group = (key, says, list, more = null) => list.length > 0 && K.el("section", { class: "k-fades", "data-group": key },
  K.el("h3", { text: K.t(key) }), says && K.el("p", { class: "k-quiet", text: says }), K.el("ol", {}, list.map(row)), more);

const table = (key, heads, rows) => K.el("details", { class: "k-rows", ...K.unfolds(unfolded.has(key), (open) => { if (open) unfolded.add(key); else unfolded.delete(key); }) },
  K.el("summary", { text: K.t(key) }),
  K.el("table", {}, K.el("thead", {}, K.el("tr", {}, heads.map((head) => K.el("th", { scope: "col", text: K.t(head) })))), K.el("tbody", {}, rows)));

const room = (value) => {
  const losses = value.room.map(([round, count], at) => [round, at ? value.room[at - 1][1] - count : 0]).filter(([, lost]) => lost > 0);
  const over = value.held > value.capacity;
  return K.el("section", { class: "k-fades", "data-group": "room" },
    K.el("h3", { text: K.t("room") }),
    K.el("figure", {},
      K.roomChart(value.room, value.capacity, K.t("room_chart", { first: value.room[0][0], last: value.room.at(-1)[0], held: value.held, all: value.capacity, n: losses.length })),
      K.el("figcaption", { class: "k-quiet", text: K.t(over ? "room_over" : "room_says", { held: value.held, all: value.capacity }) })),
    losses.length > 0 && table("room_table", ["column_round", "column_what"], losses.reverse().map(([round, n]) =>
      K.el("tr", {}, K.el("td", {}, K.roundLink(round, round)), K.el("td", { text: K.t("room_lost", { n }) })))));
};

const befell = (one) => {
  const rows = [...one.befell.map(([round, effect, was, then]) => ({ round, what: K.t(effect), kind: effect === "reinforced" ? "k-up" : "k-down", was, then })),
    ...one.fates.map(([round, lost]) => ({ round, what: K.t(lost ? "forgotten" : "restore_memory"), kind: lost ? "k-lost-in" : "k-back-in" }))].sort((a, b) => b.round - a.round);
  if (!rows.length) return K.el("p", { class: "k-quiet", text: K.t("befell_none") });
  const all = one.befell.filter(([, effect]) => effect === "reinforced").length < one.reinforced;
  return [table("course_table", ["column_round", "column_what", "column_before", "column_after"], rows.map((at) =>
    K.el("tr", {}, K.el("td", {}, K.roundLink(at.round, at.round)), K.el("td", { class: at.kind, text: at.what }),
      K.el("td", { text: at.was === undefined ? "–" : K.score(at.was) }), K.el("td", { text: at.then === undefined ? "–" : K.score(at.then) })))),
    all && K.el("p", { class: "k-quiet", text: K.t("befell_newest", { n: one.befell.length }) })];
};
const close = (one) => {
  const [first, last] = [one.points[0][0], one.points.at(-1)[0]];
  const score = K.score(one.score);
  const top = K.score(Math.max(...one.points.map(([, value]) => value)));
  const down = one.befell.filter(([, effect]) => effect === "inhibited").length;
  return K.el("section", { class: "k-close", "data-memory": one.id },
    K.el("div", { class: "k-bar-line" }, K.el("h3", { text: K.t("course_of") }), K.el("button", { class: "k-link k-course-close", type: "button", text: K.t("course_close"), onclick: () => choose("") })),
    K.el("article", { class: `k-memory${one.forgotten ? " k-faded" : ""}` },
      K.el("header", {}, K.whence(one, one.first, one.last), K.knows(`kind_${one.kind}`) && K.el("span", { class: "k-kind", text: K.t(`kind_${one.kind}`) }), K.memoryDots(one)),
      K.clipped(`course ${one.id}`, one.text, () => K.redraw("fading")),
      K.el("footer", {}, K.memoryBadges(one), told(one))),
    K.el("figure", {}, K.courseChart(one, K.t(first < 0 ? "course_chart_carried" : "course_chart", { first, last, score, top, up: one.reinforced, down })),
      K.el("figcaption", { class: "k-quiet", text: standing(one) })),
    befell(one));
};

K.surface("fading", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("fading"));
    return;
  }
  const other = (value.chosen?.id ?? "") !== K.view.chosen && !value.missing;
  if (other && strange !== value) { strange = value; ask(); }
  // Who goes next is who is held least, whatever its score; while there is room for many more, nobody goes, and the scores are what is of interest.
  const free = value.capacity - value.held, roomy = free > value.capacity / 10;
  const says = roomy || (free > 0 && value.weighed) ? K.t("nearly_room", { n: free }) : !value.weighed && value.held ? K.t("nearly_unknown") : K.t("nearly_means");
  const all = value.lost_all > value.lost.length && K.el("button", {
    class: "k-link", type: "button", text: K.t("lost_all", { n: value.lost_all }), onclick: () => { K.view = { ...K.view, shelf: "forgotten", limit: 60 }; K.tab("memories", true); } });
  const parts = [
    value.missing && K.view.chosen && K.el("p", { class: "k-degraded", role: "note", text: K.t("course_gone") }),
    K.view.chosen && value.chosen && close(value.chosen),
    value.room.length > 0 && room(value),
    group("alive", K.t("alive_means"), value.alive),
    roomy ? group("weakest", says, value.weakest) : group("nearly", says, value.nearly) || (!value.weighed && value.held > 0 && K.el("p", { class: "k-quiet", text: says })),
    group("lost", K.t("forgotten_means"), value.lost, all)].filter(Boolean);
  K.refill(root, ...(value.room.length ? [...parts, K.el("p", { class: "k-quiet", text: K.t("fading_means") })] : [...parts, K.el("p", { class: "k-quiet k-empty", text: K.noneYet(K.t("fading_none")) })]));
});
