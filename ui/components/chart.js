// Curves over rounds, drawn as SVG nodes. Shapes and words say what colours say; the picture has a name, and a table stands beside it.
const SPACE = "http://www.w3.org/2000/svg";
const WIDE = 340, LEFT = 30, GUTTER = 60, RIGHT = 332;   // a course has the names of its marks beside them
const MOST_MARKS = 400;
K.svg = (tag, attributes, ...children) => {
  const node = document.createElementNS(SPACE, tag);
  Object.entries(attributes).forEach(([name, value]) => { if (value !== null && value !== undefined) node.setAttribute(name, String(value)); });
  node.append(...children.flat().filter(Boolean));
  return node;
};
const near = (value) => Number(value.toFixed(1));
const line = (kind, points) => K.svg("polyline", { class: kind, points: points.map(([x, y]) => `${near(x)},${near(y)}`).join(" ") });
const words = (kind, x, y, text, anchor = "start") => {
  const node = K.svg("text", { class: kind, x: near(x), y: near(y), "text-anchor": anchor });
  node.textContent = text;
  return node;
};
const up = (x, y) => K.svg("path", { class: "k-mark-up", d: `M${near(x)} ${near(y - 3.4)}l3.400 6.400h-6.800z` });
const down = (x, y) => K.svg("path", { class: "k-mark-down", d: `M${near(x)} ${near(y + 3.4)}l3.400 -6.400h-6.800z` });
const cross = (x, y) => K.svg("path", { class: "k-mark-lost", d: `M${near(x - 3.2)} ${near(y - 3.2)}l6.400 6.400m0 -6.400l-6.400 6.400` });
const ring = (x, y) => K.svg("circle", { class: "k-mark-back", cx: near(x), cy: near(y), r: 3.2 });
const scaleOf = (first, last, from, to) => (round) => (last > first ? from + ((round - first) / (last - first)) * (to - from) : (from + to) / 2);
const named = (label, box, ...children) => K.svg("svg", { viewBox: `0 0 ${WIDE} ${box}`, class: "k-chart", role: "img", "aria-label": label }, ...children);
const rounds = (x, first, last, y) => [words("k-tick", x(first), y, first < 0 ? K.t("carried_before") : K.t("round", { n: first })), last > first && words("k-tick", x(last), y, K.t("round", { n: last }), "end")];

// While a memory was forgotten its course is dashed: nothing calls it up.
const stretches = (points, fates) => {
  const ends = fates.filter(([round]) => round > points[0][0]);
  const parts = [];
  let gone = false;
  let from = 0;
  for (const [round, lost] of ends) {
    const at = points.findIndex(([r]) => r >= round);
    if (at < 0 || lost === gone) continue;
    parts.push([gone, points.slice(from, at + 1)]);
    [gone, from] = [lost, at];
  }
  return [...parts, [gone, points.slice(from)]].filter(([, part]) => part.length);
};

// A course of scores, with what recalled and inhibited the memory below it and the score it needs to stay. The root spreads the many low scores apart.
K.courseChart = (one, label) => {
  const [top, foot, high] = [12, 118, 186];
  const [first, last] = [one.points[0][0], one.points.at(-1)[0]];
  const most = Math.max(0.1, ...one.points.map(([, score]) => score), one.needs ?? 0);
  const x = scaleOf(first, last, GUTTER, RIGHT);
  const y = (score) => foot - Math.sqrt(Math.max(0, score) / most) * (foot - top);
  const ticks = [0, 0.01, 0.1, 0.5, 1, 2, 4].filter((tick) => tick <= most).filter((tick, at, all) => at === 0 || at === all.length - 1 || y(all[at - 1]) - y(tick) > 11);
  const marks = one.befell.slice(-MOST_MARKS).filter(([round]) => round >= first);
  const needs = one.needs !== null && one.needs > 0 ? one.needs : null;
  return named(label, high,
    ticks.map((tick) => [K.svg("line", { class: "k-grid", x1: GUTTER, x2: RIGHT, y1: near(y(tick)), y2: near(y(tick)) }), words("k-tick", GUTTER - 4, y(tick) + 3, K.number(tick, tick === 0 || tick >= 1 ? 0 : tick < 0.1 ? 2 : 1), "end")]).flat(),
    needs !== null && K.svg("line", { class: "k-line-capacity", x1: GUTTER, x2: RIGHT, y1: near(y(needs)), y2: near(y(needs)) }),
    needs !== null && words("k-capacity-says", RIGHT, y(needs) - 4, K.t("line_needs", { needs: K.score(needs) }), "end"),
    one.fates.map(([round]) => K.svg("line", { class: "k-line-fate", x1: near(x(round)), x2: near(x(round)), y1: top, y2: foot })),
    stretches(one.points, one.fates).map(([gone, part]) => line(gone ? "k-course k-course-gone" : "k-course", part.map(([round, score]) => [x(round), y(score)]))),
    one.fates.map(([round, lost]) => (lost ? cross : ring)(x(round), top)),
    K.svg("circle", { class: "k-course-now", cx: near(x(last)), cy: near(y(one.score)), r: 3.4 }),
    [["reinforced", up, 136, "legend_up"], ["inhibited", down, 154, "legend_down"]].map(([effect, shape, at, key]) => [
      K.svg("line", { class: "k-grid", x1: GUTTER, x2: RIGHT, y1: at, y2: at }),
      marks.filter(([, what]) => what === effect).map(([round]) => shape(x(round), at)),
      shape(6, at), words("k-tick", 13, at + 3, K.t(key))]).flat(2),
    rounds(x, first, last, high - 8));
};

// How many facts and insights were held, with the line of the room there is and a cross wherever something was forgotten.
K.roomChart = (steps, capacity, label) => {
  const [top, foot, high] = [14, 92, 112];
  const [first, last] = [steps[0][0], steps.at(-1)[0]];
  const most = Math.max(capacity, ...steps.map(([, count]) => count)) * 1.05;
  const x = scaleOf(first, last, LEFT, RIGHT);
  const y = (count) => foot - (count / most) * (foot - top);
  const walked = steps.flatMap(([round, count], at) => (at ? [[x(round), y(steps[at - 1][1])], [x(round), y(count)]] : [[x(round), y(count)]]));
  const losses = steps.filter(([, count], at) => at && count < steps[at - 1][1]);
  return named(label, high,
    K.svg("line", { class: "k-grid", x1: LEFT, x2: RIGHT, y1: foot, y2: foot }), words("k-tick", LEFT - 4, foot + 3, K.number(0), "end"),
    K.svg("line", { class: "k-line-capacity", x1: LEFT, x2: RIGHT, y1: near(y(capacity)), y2: near(y(capacity)) }),
    words("k-capacity-says", LEFT + 3, y(capacity) - 4, K.t("room_line", { n: capacity })),
    line("k-course", walked),
    losses.slice(-MOST_MARKS).map(([round, count]) => cross(x(round), y(count) + 9)),
    K.svg("circle", { class: "k-course-now", cx: near(x(last)), cy: near(y(steps.at(-1)[1])), r: 3.4 }),
    rounds(x, first, last, high - 6));
};

// A course as small as a word: its sentence stands beside it.
K.spark = (one) => {
  const [wide, high] = [92, 26];
  const [first, last] = [one.points[0][0], one.points.at(-1)[0]];
  const most = Math.max(0.1, ...one.points.map(([, score]) => score));
  const x = scaleOf(first, last, 4, wide - 6);
  const y = (score) => high - 4 - Math.sqrt(score / most) * (high - 8);
  return K.svg("svg", { viewBox: `0 0 ${wide} ${high}`, class: "k-spark", "aria-hidden": "true" },
    stretches(one.points, one.fates).map(([gone, part]) => line(gone ? "k-course k-course-gone" : "k-course", part.map(([round, score]) => [x(round), y(score)]))),
    one.forgotten ? cross(x(last), y(one.score)) : K.svg("circle", { class: "k-course-now", cx: near(x(last)), cy: near(y(one.score)), r: 2.6 }));
};
K.score = (score) => (score > 0 && score < 0.001 ? `< ${K.number(0.001, 3)}` : K.number(score, 3));
