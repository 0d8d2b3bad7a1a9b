// One run: how far it is, then its plots, tables and files.
R.file = (run, name, other = "") => `${A.place}/files/${run}/${encodeURIComponent(name)}${other ? `?with=${other}` : ""}`;
R.plot = (address, name) => A.el("figure", { class: "plot" }, A.el("a", { href: address }, A.el("img", { src: address, alt: name.replace(/\.svg.*$/, "").replace(/-/g, " "), loading: "lazy" })));
R.value = (one) => [A.el("b", { text: R.number(one.value) }), one.low !== null && A.el("span", { class: "span", text: ` [${R.number(one.low)}, ${R.number(one.high)}]` })];
R.table = (part) => {
  // What a system is less another stands behind what it is.
  const named = [...new Set(part.figures.map((one) => one.metric))], less = (one) => one.includes("_minus_");
  const metrics = [...named.filter((one) => !less(one)), ...named.filter(less)], systems = [...new Set(part.figures.map((one) => one.system))];
  const cell = (system, metric) => { const found = part.figures.filter((one) => one.system === system && one.metric === metric); return A.el("td", {}, found.length ? found.map((one, n) => [n > 0 && " / ", R.value(one)]) : "–"); };
  const n = (system) => [...new Set(part.figures.filter((one) => one.system === system && one.n !== null).map((one) => one.n))].join(" / ") || "–";
  return A.el("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": part.category ?? A.t("whole") }, A.el("table", { class: "figures" },
    A.el("thead", {}, A.el("tr", {}, [A.t("system"), ...metrics, "n"].map((text) => A.el("th", { scope: "col", text })))),
    A.el("tbody", {}, systems.map((system) => A.el("tr", {}, A.el("th", { scope: "row", text: system }), metrics.map((metric) => cell(system, metric)), A.el("td", { text: n(system) }))))));
};
R.tables = (figures) => {
  const sets = [...new Set(figures.parts.map((part) => `${part.task}: ${part.dataset}`))];
  const named = (part) => [part.category ?? A.t("whole"), part.unit && A.t("unit_of", { unit: part.unit })].filter(Boolean).join(" · ");
  return sets.map((set) => {
    const own = figures.parts.filter((part) => `${part.task}: ${part.dataset}` === set);
    return [A.el("h3", { text: set, dir: "auto" }), own.map((part, n) => n === 0 || part.category === null ? [A.el("p", { class: "quiet", text: named(part) }), R.table(part)] : A.el("details", {}, A.el("summary", { text: named(part) }), R.table(part)))];
  });
};
const shownFact = (value) => Array.isArray(value) ? value.join(" ") : value !== null && typeof value === "object" ? Object.entries(value).map(([name, one]) => `${name} ${one}`).join(", ") : String(value);
A.views.run = async (id) => {
  const watched = await A.ask("watch", { run: id });
  if (!watched) { location.hash = "home"; return; }
  let timer = 0, { run } = watched;
  A.crumbs(A.el("span", { text: R.title(run), dir: "auto" }));
  const again = () => A.views.run(id);
  const head = A.el("div", {}), body = A.el("div", {}), log = A.el("pre", { class: "log", text: watched.log, tabindex: "0" });
  const drawHead = () => head.replaceChildren(A.el("h1", { text: R.title(run), dir: "auto" }),
    A.el("p", { class: "row" }, R.badge(run), A.el("span", { class: "quiet", text: R.setting(run), dir: "auto" })), ...[run.error && A.el("p", { class: "told bad", role: "alert", text: R.why(run.error) }), R.progress(run)].flat().filter(Boolean),
    A.el("div", { class: "row" }, run.state === "done" && A.el("a", { class: "button", id: "r-questions", href: `#questions=${id}`, text: A.t("questions") }), R.tools(run, again)), ...(["stopped", "failed"].includes(run.state) ? [A.el("p", { class: "quiet", text: A.t("go_on_means") })] : []));
  const look = async () => {
    const found = await A.ask("watch", { run: id });
    if (!found || !head.isConnected) return;
    const before = run;
    run = found.run;
    log.textContent = found.log;
    if (before.state !== run.state) { again(); return; }
    drawHead();
    if (R.active(run)) timer = setTimeout(look, 1000);
  };
  A.leaving = () => clearTimeout(timer);
  drawHead();
  A.show(A.el("section", { class: "sheet wide", "data-run": id, "data-state": run.state }, head, body, A.el("details", { open: run.state !== "done" }, A.el("summary", { text: A.t("log") }), log)));
  if (R.active(run)) timer = setTimeout(look, 1000);
  if (run.state !== "done") return;
  const said = await A.ask("open", { run: id });
  if (!said || !body.isConnected) return;
  document.getElementById("r-questions").hidden = !said.questions;
  const plots = said.files.filter((name) => name.endsWith(".svg"));
  const fact = (name) => said.facts[name] !== null && said.facts[name] !== undefined && [A.el("dt", { text: A.t(`fact_${name}`) }), A.el("dd", { text: shownFact(said.facts[name]), dir: "auto" })];
  body.replaceChildren(
    R.compareForm(said) || A.el("p", { class: "quiet", text: A.t("no_questions") }), ...(plots.length ? [A.el("h2", { text: A.t("plots") }), ...plots.map((name) => R.plot(R.file(id, name), name))] : []),
    A.el("h2", { text: A.t("tables") }), A.el("p", { class: "quiet", text: A.t("tables_mean") }), ...R.tables(said.figures).flat(4), ...(said.figures.left ? [A.el("p", { class: "quiet", text: A.t("tables_left", { n: said.figures.left }) })] : []),
    ...(said.facts.notices?.length ? [A.el("h2", { text: A.t("notices") }), A.el("ul", {}, said.facts.notices.map((text) => A.el("li", { text, dir: "auto" })))] : []),
    A.el("h2", { text: A.t("settings") }), A.el("dl", { class: "facts" }, ["command", "data", "data_sha256", "seed", "started_at", "versions", "machine", "noise"].map(fact)),
    A.el("h2", { text: A.t("files") }), A.el("p", { class: "row" }, said.files.map((name) => A.el("a", { href: R.file(id, name), download: name, text: name }))));
};
