// The universal probe table of a project, and runs: what was told in passing, asked for many rounds later.
A.views.probes = async (id) => {
  let said = await A.ask("probes", { project: id });
  if (!said) { location.hash = "home"; return; }
  A.crumbs(A.el("a", { href: `#project=${id}`, text: said.project.name, dir: "auto" }), A.el("span", { text: A.t("probes") }));
  const place = A.el("div", { id: "a-runs" }), pairs = A.el("div", { id: "a-pairs" }), table = A.el("div", { id: "a-table" });

  // The table
  const took = (answer) => { if (answer) { said = { ...said, ...answer }; drawTable(); } };
  const edit = async (one) => {
    const fields = Object.fromEntries(["topic", "p", "q", "a"].map((name) => [name, A.el(name === "topic" ? "input" : "textarea", { maxlength: name === "topic" ? "60" : "500", rows: "2", value: one[name], dir: "auto" })]));
    const language = A.el("select", {}, ["en", "zh"].map((name) => A.el("option", { value: name, selected: one.language === name, text: A.t(`language_${name}`) })));
    const body = A.el("form", { onsubmit: (event) => event.preventDefault() }, Object.entries(fields).map(([name, field]) => A.el("label", {}, A.t(`probe_${name}`), field)), A.el("label", {}, A.t("language"), language));
    const read = () => ({ id: one.id, version: one.version, language: language.value, ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])) });
    const kept = await A.dialog(A.t("probe"), body, [[null, A.t("cancel"), ""], [read, A.t("save"), "firm"]]);
    if (kept) took(await A.ask("keep_probe", { project: id, probe: kept }));
  };
  const drop = async (one) => { if (await A.sure(A.t("probe_remove_sure", { topic: one.topic }), A.t("delete"), "grave")) took(await A.ask("remove_probe", { project: id, id: one.id })); };
  const row = (one) => A.el("tr", { "data-probe": one.id }, A.el("th", { scope: "row" }, one.topic, A.el("p", { class: "quiet", text: A.t(`language_${one.language}`) })), ["p", "q", "a"].map((name) => A.el("td", { text: one[name], dir: "auto" })),
    A.el("td", {}, A.button(A.t("edit"), () => edit(one), { class: "plain link" }), A.button(A.t("delete"), () => drop(one), { class: "plain link" })));
  const drawTable = () => table.replaceChildren(said.probes.length ? A.el("div", { class: "wide-table" }, A.el("table", { class: "figures" }, A.el("thead", {}, A.el("tr", {}, ["topic", "p", "q", "a"].map((name) => A.el("th", { scope: "col", text: A.t(`probe_${name}`) })), A.el("th", {}))), A.el("tbody", {}, said.probes.map(row)))) : A.el("p", { class: "quiet", text: A.t("probes_none") }));
  const check = async () => {
    const found = await A.ask("probe_pairs", { project: id });
    if (!found) return;
    const topic = (which) => said.probes.find((one) => one.id === which)?.topic ?? "";
    pairs.replaceChildren(A.el("p", { class: "told", text: found.pairs.length ? A.t("probes_close", { n: found.pairs.length }) : A.t("probes_apart") }), A.el("ul", {}, found.pairs.map((pair) => A.el("li", { text: `${topic(pair.one)} – ${topic(pair.other)}: ${pair.likeness.toFixed(2)}` }))));
  };

  // Runs
  const item = A.el("select", { id: "a-run-item" }, said.items.map((one) => A.el("option", { value: one.id, text: `${one.number}. ${one.title} (${A.t("messages_n", { n: one.turns })})` })));
  const distances = A.el("input", { id: "a-distances", value: "30, 150, 300", inputmode: "numeric" });
  const settings = A.el("textarea", { id: "a-settings", rows: "3", value: "300, 0, 9\n60, 0, 9" });
  const begin = async (event) => {
    event.preventDefault();
    const numbers = (text) => text.split(/[\s,，、]+/).filter(Boolean).map(Number);
    const asked = settings.value.split("\n").filter((line) => line.trim()).map((line) => { const [capacity, tokens, k] = numbers(line); return { name: line.trim(), capacity, capacity_tokens: tokens ?? 0, k: k ?? 9 }; });
    if (await A.ask("run_begin", { project: id, item: item.value, run: { settings: asked, distances: numbers(distances.value) } })) look();
  };
  const act = async (doing, one) => { if (await A.ask(doing, { id: one.id })) look(); };
  const named = (setting) => A.t("setting_name", { capacity: setting.capacity, tokens: setting.capacity_tokens || "–", k: setting.k });
  const shownRun = (one) => {
    const cells = (setting, distance) => [1, 3, 9].map((k) => { const f = one.figures.find((f) => f.setting === setting && f.distance === distance && f.k === k); return A.el("td", {}, f ? [A.el("b", { text: f.value.toFixed(2) }), A.el("span", { class: "quiet", text: ` ${f.low.toFixed(2)}–${f.high.toFixed(2)}` }), A.el("meter", { min: "0", max: "1", value: f.value, "aria-hidden": "true" })] : "–"); });
    const n = (setting, distance) => one.figures.find((f) => f.setting === setting && f.distance === distance);
    const rows = one.settings.flatMap((setting, s) => one.distances.map((distance) => A.el("tr", {}, A.el("th", { scope: "row", text: named(setting) }), A.el("td", { text: distance }), cells(s, distance), A.el("td", { text: n(s, distance)?.near?.toFixed(2) ?? "–" }), A.el("td", { text: n(s, distance)?.n ?? 0 }))));
    const stage = one.stage && A.t(`run_${one.stage.name}`, { n: one.stage.done, of: one.stage.all, setting: named(one.settings[one.stage.setting]) });
    return A.el("section", { "data-run": one.id, "data-state": one.state }, A.el("h3", { class: "round" }, `${one.title} · `, A.el("span", { class: "badge", text: A.t(`run_is_${one.state}`) })),
      A.el("p", { class: "quiet", text: [A.t("run_found", { n: one.found, of: one.all }), stage].filter(Boolean).join(" · ") }), A.el("progress", { max: one.all, value: one.found, "aria-label": A.t("run_found", { n: one.found, of: one.all }) }),
      A.el("div", { class: "row" }, ["waiting", "running"].includes(one.state) && A.button(A.t("run_stop"), () => act("run_stop", one)), ["stopped", "failed"].includes(one.state) && A.button(A.t("run_on"), () => act("run_on", one), { class: "firm" })),
      one.figures.length > 0 && A.el("div", { class: "wide-table" }, A.el("table", { class: "figures" }, A.el("thead", {}, A.el("tr", {}, [A.t("run_setting"), A.t("run_distance"), "recall@1", "recall@3", "recall@9", A.t("run_near"), "n"].map((text) => A.el("th", { scope: "col", text })))), A.el("tbody", {}, rows))));
  };
  let timer = 0;
  const draw = (runs) => place.replaceChildren(...(runs.length ? runs.map(shownRun) : [A.el("p", { class: "quiet", text: A.t("runs_none") })]));
  const look = async () => {
    clearTimeout(timer);
    const found = await A.ask("probe_runs", { project: id });
    if (!found || !place.isConnected) return;
    draw(found.runs);
    if (found.runs.some((one) => ["waiting", "running"].includes(one.state))) timer = setTimeout(look, 2000);
  };
  A.leaving = () => clearTimeout(timer);
  drawTable();
  A.show(A.el("section", { class: "sheet" }, A.el("h1", { text: A.t("probes") }), A.el("p", { class: "quiet", text: A.t("probes_mean") }),
    A.el("h2", { text: A.t("runs") }), A.el("p", { class: "quiet", text: A.t("runs_mean") }), place,
    A.el("details", {}, A.el("summary", { text: A.t("run_new") }), A.el("form", { onsubmit: begin }, A.el("label", {}, A.t("run_item"), item), A.el("label", {}, A.t("run_distances"), distances), A.el("label", {}, A.t("run_settings"), settings), A.el("button", { class: "firm", id: "a-run", text: A.t("run_begin") }))),
    A.el("h2", { text: A.t("probe_table") }),
    A.el("div", { class: "row" }, A.button(A.t("probes_ours"), async () => took(await A.ask("probes_ours", { project: id })), { id: "a-ours" }), A.button(A.t("probe_new"), () => edit({ id: A.id(), version: 0, language: A.language, topic: "", p: "", q: "", a: "" })), A.button(A.t("probes_check"), check, { id: "a-check" })),
    pairs, table));
  look();
};
