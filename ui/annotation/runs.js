// Probe runs: asked for, watched, stopped and gone on with; what they found as tables and plots; people's own labels of judged replies.
A.svg = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.flat(4));
  return made;
};
// Values with their intervals, a row of places along the bottom and a mark of its own for each series; the table beside it says the same in numbers.
A.plot = ({ label, places, series, most, level = null }) => {
  const width = 520, height = 240, left = 40, right = 12, top = 12, bottom = 34;
  const x = (place, n) => left + (place + 0.5) * ((width - left - right) / places.length) + (n - (series.length - 1) / 2) * Math.min(18, (0.8 * (width - left - right)) / places.length / series.length);
  const y = (value) => height - bottom - (value / most) * (height - top - bottom);
  const shape = (n, cx, cy) => [
    () => A.svg("circle", { cx, cy, r: 5 }), () => A.svg("rect", { x: cx - 4.5, y: cy - 4.5, width: 9, height: 9 }),
    () => A.svg("path", { d: `M${cx} ${cy - 6}L${cx + 5.5} ${cy + 4.5}H${cx - 5.5}Z` }), () => A.svg("path", { d: `M${cx} ${cy - 6.5}L${cx + 6.5} ${cy}L${cx} ${cy + 6.5}L${cx - 6.5} ${cy}Z` }), () => A.svg("path", { d: `M${cx - 5} ${cy - 5}L${cx + 5} ${cy + 5}M${cx - 5} ${cy + 5}L${cx + 5} ${cy - 5}`, class: "cross" }),
  ][n % 5]();
  const mark = (n) => `s${n % 5}${n > 4 ? " hollow" : ""}`;
  const steps = most === 1 ? [0, 0.25, 0.5, 0.75, 1] : Array.from({ length: most + 1 }, (_, n) => n);
  const text = (words, attributes) => { const made = A.svg("text", attributes); made.textContent = words; return made; };
  const told = series.map((one) => `${one.name}: ${one.points.map((p) => `${places[p.place]} ${p.value.toFixed(2)}`).join(", ")}`).join("; ");
  const picture = A.svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${label}. ${told}`, class: "plot" },
    steps.map((step) => [A.svg("line", { x1: left, x2: width - right, y1: y(step), y2: y(step), class: "grid" }), text(most === 1 ? step.toFixed(2) : String(step), { x: left - 6, y: y(step) + 4, "text-anchor": "end" })]),
    places.map((name, place) => text(name, { x: left + (place + 0.5) * ((width - left - right) / places.length), y: height - bottom + 20, "text-anchor": "middle" })),
    level === null ? [] : [A.svg("line", { x1: left, x2: width - right, y1: y(level.value), y2: y(level.value), class: "level" }), text(level.label, { x: left + 2, y: y(level.value) - 4, class: "level" })],
    series.map((one, n) => A.svg("g", { class: mark(n) }, one.joined && one.points.length > 1 ? A.svg("polyline", { points: one.points.map((p) => `${x(p.place, n)},${y(p.value)}`).join(" ") }) : [],
      one.points.map((p) => [A.svg("line", { x1: x(p.place, n), x2: x(p.place, n), y1: y(p.low), y2: y(p.high), class: "whisker" }), shape(n, x(p.place, n), y(p.value))]))));
  const key = series.map((one, n) => A.el("span", { class: "key" }, A.svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true", class: "plot" }, A.svg("g", { class: mark(n) }, shape(n, 8, 8))), one.name));
  return A.el("figure", {}, A.el("figcaption", { class: "quiet", text: label }), picture, A.el("p", { class: "keys-of-plot" }, key));
};
A.runs = (id, said, { manages }) => {
  const place = A.el("div", { id: "a-runs" });
  const named = (one, s) => (s < 0 ? A.t("run_no_memory") : A.settingName(one.settings[s]));
  // Somebody's own name stands above what differs.
  const heading = (one, s) => A.el("th", { scope: "row", dir: "auto" }, named(one, s), s >= 0 && one.settings[s].name && A.el("p", { class: "quiet", text: A.settingDiffers(one.settings[s].differs) || A.t("setting_ordinary") }));
  const interval = (f) => [A.el("b", { text: f.value.toFixed(2) }), A.el("span", { class: "quiet", text: ` ${f.low.toFixed(2)}–${f.high.toFixed(2)}` })];
  const table = (heads, rows) => A.el("div", { class: "wide-table" }, A.el("table", { class: "figures" }, A.el("thead", {}, A.el("tr", {}, heads.map((text) => A.el("th", { scope: "col", text })))), A.el("tbody", {}, rows)));
  const trouble = (counts) => Object.entries(counts).map(([why, n]) => A.t(`trouble_${why}`, { n })).join(", ") || "–";
  const universal = (one) => {
    const at = (s, d) => one.figures.filter((f) => f.setting === s && f.distance === d);
    const judged = one.scores.length > 0, score = (s, d) => one.scores.find((f) => f.setting === s && f.distance === d);
    const rows = one.settings.flatMap((setting, s) => one.distances.map((d) => A.el("tr", {}, heading(one, s), A.el("td", { text: d }), [1, 3, 9].map((k) => { const f = at(s, d).find((f) => f.k === k); return A.el("td", {}, f ? interval(f) : "–"); }),
      judged ? [A.el("td", {}, score(s, d)?.mean ? interval(score(s, d).mean) : "–"), A.el("td", { text: score(s, d) ? trouble(score(s, d).unjudged) : "–" })] : A.el("td", { text: at(s, d)[0]?.near?.toFixed(2) ?? "–" }), A.el("td", { text: at(s, d)[0]?.n ?? 0 }))));
    const series = one.settings.map((setting, s) => ({ name: named(one, s), joined: true, points: one.distances.map((d, n) => ({ place: n, ...at(s, d).find((f) => f.k === 9) })).filter((p) => "value" in p) }));
    const means = one.settings.map((setting, s) => ({ name: named(one, s), joined: true, points: one.distances.map((d, n) => ({ place: n, ...score(s, d)?.mean })).filter((p) => "value" in p) }));
    return [table([A.t("run_setting"), A.t("run_distance"), "recall@1", "recall@3", "recall@9", ...(judged ? [A.t("run_score"), A.t("run_unjudged")] : [A.t("run_near")]), "n"], rows),
      A.plot({ label: A.t("plot_recall"), places: one.distances.map(String), series, most: 1 }), judged && A.plot({ label: A.t("plot_score"), places: one.distances.map(String), series: means, most: 5 }), judged && labels(one)];
  };
  const regular = (one) => {
    const far = (d) => (d === 0 ? A.t("run_whole") : String(d));
    const rows = one.accuracies.map((f) => A.el("tr", {}, heading(one, f.setting), A.el("td", { text: f.setting < 0 ? "–" : far(f.distance) }), A.el("td", {}, f.right ? interval(f.right) : "–"), A.el("td", {}, f.recalled ? interval(f.recalled) : "–"), A.el("td", { text: trouble(f.trouble) }), A.el("td", { text: f.right?.n ?? 0 }), A.el("td", { text: f.left_out ? A.t("run_too_short", { n: f.left_out }) : "–" })));
    const chance = A.el("tr", {}, A.el("th", { scope: "row", text: A.t("run_chance") }), A.el("td", { text: "–" }), A.el("td", {}, A.el("b", { text: "0.25" })), Array.from({ length: 4 }, () => A.el("td", { text: "–" })));
    // After the whole dialogue comes last; what can be guessed has no distance, and a place of its own.
    const places = [...one.distances.filter((d) => d > 0), ...one.distances.filter((d) => d === 0)], blind = one.accuracies.find((f) => f.setting < 0)?.right;
    const series = one.settings.map((setting, s) => ({ name: named(one, s), joined: true, points: places.map((d, n) => ({ place: n, ...one.accuracies.find((f) => f.setting === s && f.distance === d)?.right })).filter((p) => "value" in p) }));
    if (blind) series.push({ name: A.t("run_no_memory"), points: [{ place: places.length, ...blind }] });
    return [table([A.t("run_setting"), A.t("run_distance"), A.t("run_accuracy"), A.t("run_recalled"), A.t("run_trouble"), "n", A.t("run_left_out")], [...rows, chance]),
      A.plot({ label: A.t("plot_accuracy"), places: [...places.map(far), ...(blind ? [A.t("run_no_memory")] : [])], series, most: 1, level: { value: 0.25, label: A.t("run_chance") } })];
  };
  const labels = (one) => A.el("div", { class: "labels" }, A.el("h4", { text: A.t("labels") }), A.el("p", { class: "quiet", text: A.t("labels_mean", { n: one.labelled }) }),
    one.agreement.length > 0 && table([A.t("figure"), A.t("value"), A.t("interval"), "n"], one.agreement.map((f) => A.el("tr", {}, A.el("th", { scope: "row", text: A.t(`label_${f.name}`) }), A.el("td", { text: f.value === null ? `${A.t("undefined")}: ${A.t(`why_${f.why}`)}` : f.value.toFixed(2) }), A.el("td", { text: f.low === null ? "" : `${f.low.toFixed(2)} – ${f.high.toFixed(2)}` }), A.el("td", { text: f.n })))),
    A.button(A.t("label_give"), () => label(one), { class: "firm" }));
  const label = async (one) => {
    let found = await A.ask("label_next", { id: one.id });
    while (found?.reply) {
      const { reply, done } = found;
      const body = A.el("div", { class: "to-label" }, A.el("p", { class: "quiet", text: A.t("label_done", { n: done }) }), ["q", "a", "text"].map((name) => A.el("p", {}, A.el("b", { text: `${A.t(name === "text" ? "label_reply" : `probe_${name}`)}: ` }), A.el("span", { text: reply[name], dir: "auto" }))), A.el("p", { class: "quiet", text: A.t("label_scale") }));
      const press = (event) => { if (/^[0-5]$/.test(event.key)) { event.preventDefault(); [...document.querySelectorAll("dialog[open] [data-score]")][Number(event.key)]?.click(); } };
      document.addEventListener("keydown", press);
      const asked = A.dialog(A.t("labels"), body, [[null, A.t("close"), ""], ...[0, 1, 2, 3, 4, 5].map((n) => [n, String(n), ""])]);
      [...document.querySelectorAll("dialog[open] .row.end button")].slice(1).forEach((button, n) => { button.dataset.score = n; });
      const score = await asked;
      document.removeEventListener("keydown", press);
      if (score === null) break;
      found = await A.ask("label", { id: reply.id, score });
    }
    if (found && !found.reply) A.toast(A.t("label_all"));
    look();
  };
  const act = async (doing, one) => { if (await A.ask(doing, { id: one.id })) look(); };
  const how = (one) => [one.kind === "regular" ? (one.how.answers === "nearest" || !one.how.answers ? A.t("how_rule") : A.t("how_model", { model: one.how.answers })) : one.how.judge ? A.t("how_judged", { voice: one.how.voice, judge: one.how.judge }) : A.t("how_near"), one.how.first && A.t("how_first", { n: one.how.first }), one.how.reader && A.t("how_reader", { model: one.how.reader })].filter(Boolean).join(" ");
  const shown = (one) => {
    const stage = one.stage && A.t(`run_${one.stage.name}`, { n: one.stage.done, of: one.stage.all, setting: named(one, one.stage.setting) });
    return A.el("section", { "data-run": one.id, "data-state": one.state }, A.el("h3", { class: "round" }, `${A.t(`kind_${one.kind}`)} · ${one.title} · `, A.el("span", { class: "badge", text: one.error === "model_changed" ? A.t("run_model_changed") : A.t(`run_is_${one.state}`) })),
      A.el("p", { class: "quiet", text: [A.t("run_found", { n: one.found, of: one.all }), stage].filter(Boolean).join(" · ") }), one.found < one.all && A.el("progress", { max: one.all, value: one.found, "aria-label": A.t("run_found", { n: one.found, of: one.all }) }), A.el("p", { class: "quiet", text: how(one) }),
      manages && A.el("div", { class: "row" }, ["waiting", "running"].includes(one.state) && A.button(A.t("run_stop"), () => act("run_stop", one)), ["stopped", "failed"].includes(one.state) && A.button(A.t("run_on"), () => act("run_on", one), { class: "firm" })),
      one.figures.length > 0 && universal(one), one.accuracies.length > 0 && regular(one));
  };
  // A new one
  const dialogues = said.items ?? [], standing = new Map(said.open.map((one) => [one.id, one.standing]));
  const item = A.el("select", { id: "a-run-item" }, dialogues.map((one) => A.el("option", { value: one.id, text: `${one.number}. ${one.title} (${A.t("messages_n", { n: one.turns })}, ${A.t("regular_n", { n: standing.get(one.id) ?? 0 })})` })));
  const distances = A.el("input", { id: "a-distances", value: "30, 150, 300" });
  const whole = A.el("input", { type: "checkbox", id: "a-whole", checked: true });
  const settings = said.offered && A.settings(said.offered);   // for admins
  const replies = A.el("input", { type: "checkbox", id: "a-replies", disabled: !said.models.judge, onchange: () => replying() });
  const first = A.el("input", { id: "a-first", type: "number", min: "1", value: "1" });
  const only = A.el("select", { id: "a-only" }, A.el("option", { value: "", text: A.t("run_all_items") }), (said.table ?? []).map((one) => A.el("option", { value: one.id, text: `${one.topic} (${A.t(`language_${one.language}`)})` })));
  const forUniversal = A.el("div", { class: "parted" }, A.el("label", {}, A.t("run_only"), only), A.el("label", {}, A.t("run_first"), first), A.el("label", { class: "check" }, replies, A.t("run_replies")), A.el("p", { class: "quiet", text: said.models.judge ? A.t("run_sends", { voice: said.models.voice, judge: said.models.judge }) : A.t("run_no_judge") }));
  const forRegular = A.el("div", { class: "parted", hidden: true }, A.el("label", { class: "check" }, whole, A.t("run_whole_too")), A.el("p", { class: "quiet", text: A.t("run_distances_mean") }), A.el("p", { class: "quiet", text: said.models.answers === "nearest" ? A.t("how_rule") : A.t("how_model", { model: said.models.answers }) }));
  const kind = A.el("select", { id: "a-run-kind", onchange: () => { forUniversal.hidden = kind.value === "regular"; forRegular.hidden = !forUniversal.hidden; replying(); } }, ["universal", "regular"].map((name) => A.el("option", { value: name, text: A.t(`kind_${name}`) })));
  const replying = () => settings?.replying(kind.value === "universal" && replies.checked);
  const begin = async (event) => {
    event.preventDefault();
    const numbers = (text) => text.split(/[\s,，、]+/).filter(Boolean).map(Number);
    const run = { kind: kind.value, settings: settings.value(), distances: [...(kind.value === "regular" && whole.checked ? [0] : []), ...numbers(distances.value)], replies: kind.value === "universal" && replies.checked ? "yes" : "no", ...(kind.value === "universal" ? { first: Number(first.value) || 1, only: only.value } : {}) };
    if (await A.ask("run_begin", { project: id, item: item.value, run })) { A.trouble(""); look(); }
  };
  let timer = 0, last = "";
  const draw = (runs) => { const now = JSON.stringify(runs); if (now !== last) place.replaceChildren(...(runs.length ? runs.map(shown) : [A.el("p", { class: "quiet", text: A.t("runs_none") })])); last = now; };
  const look = async () => {
    clearTimeout(timer);
    const found = await A.ask("probe_runs", { project: id });
    if (!found || !place.isConnected) return;
    draw(found.runs);
    if (found.runs.some((one) => ["waiting", "running"].includes(one.state))) timer = setTimeout(look, 2000);
  };
  const form = manages && dialogues.length > 0 && A.el("details", {}, A.el("summary", { text: A.t("run_new") }), A.el("form", { onsubmit: begin, novalidate: true }, A.el("label", {}, A.t("run_kind"), kind), A.el("label", {}, A.t("run_item"), item), A.el("label", {}, A.t("run_distances"), distances), forUniversal, forRegular, A.el("h3", { text: A.t("run_settings") }), settings.box, A.el("button", { class: "firm", id: "a-run", text: A.t("run_begin") })));
  draw(said.runs);
  return { box: A.el("div", {}, A.el("h2", { text: A.t("runs") }), A.el("p", { class: "quiet", text: A.t("runs_mean") }), place, manages && said.runs.length > 0 && A.el("p", {}, A.el("a", { href: `/keepsake/annotation/files/${id}/runs`, download: "", text: A.t("file_runs") })), form), look, end: () => clearTimeout(timer) };
};
