// The list of runs, and a new one.
const R = {};
R.time = (seconds) => seconds < 90 ? A.t("seconds", { n: Math.max(1, Math.round(seconds)) }) : A.t("minutes", { n: Math.round(seconds / 60) });
R.moment = (at) => new Intl.DateTimeFormat(A.language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
R.number = (value) => Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(3);
R.active = (run) => ["waiting", "running"].includes(run.state);
R.title = (run) => run.name || A.words[`task_${run.task}`]?.split(/[:：]/)[0] || run.task;
R.badge = (run) => A.el("span", { class: `badge state-${run.state}`, text: A.t(`state_${run.state}`) });
R.setting = (run) => [R.moment(run.at), run.data, run.systems.join(", "), run.quick && A.t("is_quick"), A.t("seed_n", { n: run.seed }), run.seconds >= 1 && A.t("took", { time: R.time(run.seconds) })].filter(Boolean).join(" · ");
// Why a run failed: where its data was refused, with file, record and field.
R.why = (error) => {
  const key = `error_${error.code}${["data_refused", "import_refused"].includes(error.code) && !error.params.where ? "_file" : ""}`;
  const params = A.language === "zh" && error.params.reason_zh ? { ...error.params, reason: error.params.reason_zh } : error.params;
  return A.words[key] ? A.t(key, params) : error.message;
};
R.progress = (run) => {
  if (run.state !== "running") return null;
  const told = run.progress;
  const share = told.share ?? 0;
  const words = [A.t("share", { n: Math.floor(share * 100) }), told.label && A.t("step_of", { label: [...told.outer, told.label].join(" › "), done: told.done, all: told.all }), told.left_s && A.t("left", { time: R.time(told.left_s) }), told.memory_mb && A.t("memory_used", { n: Math.round(told.memory_mb), limit: run.memory_mb })];
  return [A.el("progress", { max: "1", value: share, "aria-label": R.title(run) }), A.el("p", { class: "quiet", text: words.filter(Boolean).join(" · ") })];
};
R.head = (run) => run.head.length > 0 && A.el("p", { class: "run-head" }, A.el("span", { class: "quiet", text: run.metric }), run.head.map((one) => A.el("span", {}, `${one.system} `, A.el("b", { text: R.number(one.value) }))));
R.tools = (run, done) => {
  const act = async (doing) => { if (await A.ask(doing, { run: run.id })) done(); };
  const drop = async () => { if (await A.sure(A.t("delete_sure"), A.t("delete"), "grave") && await A.ask("remove", { run: run.id })) { A.toast(A.t("deleted")); location.hash = "home"; done(); } };
  return [
    R.active(run) && A.button(A.t("stop"), () => act("stop"), { "data-does": "stop" }),
    ["stopped", "failed"].includes(run.state) && A.button(A.t("go_on"), () => act("go_on"), { class: "firm", title: A.t("go_on_means"), "data-does": "go_on" }),
    run.state !== "running" && A.button(A.t("delete"), drop, { class: "grave", "data-does": "delete" }),
  ];
};
A.views.home = async () => {
  A.crumbs();
  const said = await A.ask("home");
  if (!said) return;
  let timer = 0;
  const list = A.el("ul", { class: "list", id: "r-runs" }), none = A.el("p", { class: "quiet", text: A.t("runs_none") });
  const row = (run) => A.el("li", { "data-run": run.id, "data-state": run.state },
    A.el("div", {}, A.el("a", { href: `#run=${run.id}` }, A.el("b", { text: R.title(run), dir: "auto" })), " ", R.badge(run),
      A.el("p", { class: "quiet", text: R.setting(run), dir: "auto" }), run.error && A.el("p", { class: "told bad", text: R.why(run.error) }), R.progress(run), R.head(run)),
    A.el("div", { class: "row" }, R.tools(run, look), A.el("a", { class: "button", href: `#run=${run.id}`, text: A.t("open") })));
  // What has not changed stays as it is, so that a button that is focused is focused still.
  const drawn = new Map();
  const draw = (runs) => {
    const rows = runs.map((run) => {
      const mark = JSON.stringify(run), before = drawn.get(run.id);
      if (before?.mark === mark) return before.row;
      const focused = before?.row.contains(document.activeElement) && document.activeElement.dataset.does;
      const made = row(run);
      drawn.set(run.id, { mark, row: made });
      if (before) before.row.replaceWith(made);
      if (focused) made.querySelector(`[data-does=${focused}]`)?.focus({ preventScroll: true });
      return made;
    });
    if (rows.length !== list.children.length || rows.some((one, n) => list.children[n] !== one)) list.replaceChildren(...rows);
    none.hidden = runs.length > 0;
    clearTimeout(timer);
    if (runs.some(R.active)) timer = setTimeout(look, 1000);
  };
  const look = async () => { const found = await A.ask("runs"); if (found && list.isConnected) draw(found.runs); };
  A.leaving = () => clearTimeout(timer);
  A.show(A.el("section", { class: "sheet wide" }, A.el("h1", { text: A.t("workbench") }), A.el("p", { class: "quiet", text: A.t("home_means") }),
    newRun(said, look, said.runs.length === 0), A.el("h2", { text: A.t("runs") }), none, list));
  draw(said.runs);
};
const newRun = (said, look, open) => {
  let data = said.data, known = null;
  const name = A.el("input", { id: "r-name", maxlength: "120" }), seed = A.el("input", { id: "r-seed", type: "number", min: "0", max: "2147483647", value: "0" });
  const quick = A.el("input", { id: "r-quick", type: "checkbox", checked: true });
  const task = A.el("select", { id: "r-task" }, said.tasks.map((one) => A.el("option", { value: one, text: A.words[`task_${one}`] ?? one })));
  const source = A.el("select", { id: "r-data" }), systems = A.el("div", { class: "checks", id: "r-systems" }), missing = A.el("p", { class: "told", text: A.t("data_none", { folder: said.folder }) });
  const drop = A.button(A.t("data_delete"), async () => {
    const file = source.value.slice(5);
    if (!await A.sure(A.t("data_delete_sure", { name: file }), A.t("delete"), "grave")) return;
    const left = await A.ask("remove_data", { name: file });
    if (left) { data = left.data; fill(); }
  }, { class: "plain link" });
  const chosen = () => { drop.hidden = !/^file:.*\.jsonl?$/.test(source.value); };
  const fill = (wanted = source.value) => {
    const own = known?.own;
    source.replaceChildren(
      ...(own ? [A.el("option", { value: "own:", text: A.t("data_own") })] : []),
      ...(data.length ? [A.el("optgroup", { label: A.t("data_files", { folder: said.folder }) }, data.map((one) => A.el("option", { value: `file:${one.name}`, text: `${one.name} (${(one.bytes / 1048576).toFixed(1)} MB)` })))] : []),
      ...(said.projects.length ? [A.el("optgroup", { label: A.t("data_gold") }, said.projects.map((one) => A.el("option", { value: `gold:${one.id}`, text: one.name })))] : []));
    if ([...source.options].some((one) => one.value === wanted)) source.value = wanted;
    missing.hidden = source.options.length > 0;
    chosen();
  };
  // What a task measures is looked up when it is chosen: the program imports it then.
  const pick = async () => {
    const wanted = task.value;
    systems.replaceChildren(A.el("span", { class: "quiet", text: A.t("looking") }));
    const found = await A.ask("task", { task: wanted });
    if (!found || task.value !== wanted) return;
    known = found.task;
    const { systems: all, usual } = known;
    systems.replaceChildren(...all.map((one) => A.el("label", { class: "check" }, A.el("input", { type: "checkbox", value: one, checked: usual.includes(one) }), one)));
    fill();
  };
  task.addEventListener("change", pick);
  source.addEventListener("change", chosen);
  const begin = async (event) => {
    event.preventDefault();
    const [kind, ...rest] = source.value.split(":");
    const wanted = [...systems.querySelectorAll("input:checked")].map((one) => one.value);
    const title = kind === "gold" ? source.selectedOptions[0].textContent : rest.join(":");
    if (!wanted.length || !kind) { A.complain({ code: "run_field", params: { field: wanted.length ? "data" : "systems" } }); return; }
    const made = await A.ask("begin", { run: { name: name.value.trim(), task: task.value, data: { kind, name: rest.join(":"), title }, systems: wanted, seed: Number(seed.value), quick: quick.checked } });
    if (made) { A.trouble(""); look(); box.open = false; document.querySelector("#r-runs")?.scrollIntoView({ block: "nearest" }); }
  };
  const box = A.el("details", { id: "r-new", open }, A.el("summary", { text: A.t("new_run") }), A.el("form", { onsubmit: begin },
    A.el("div", { class: "grid-2" }, A.el("label", {}, A.t("task"), task), A.el("label", {}, A.t("data"), source)), missing,
    A.el("div", { class: "row" }, R.fileButton(A.t("data_add"), (told) => { data = told.data; A.toast(A.t("data_added", { name: told.name })); fill(`file:${told.name}`); }), drop),
    A.el("fieldset", {}, A.el("legend", { text: A.t("systems") }), systems, A.el("p", { class: "quiet", text: A.t("systems_means") })),
    A.el("div", { class: "grid-2" }, A.el("label", {}, A.t("run_name"), name), A.el("label", {}, A.t("seed"), seed)), A.el("label", { class: "check" }, quick, A.t("quick")),
    A.el("div", {}, A.el("button", { class: "firm", id: "r-begin", text: A.t("begin") }))));
  pick();
  return box;
};
// A file goes to the server as the body of a request.
R.fileButton = (label, done) => {
  const input = A.el("input", { type: "file", accept: ".json,.jsonl", class: "unseen", id: "r-file", tabindex: "-1", "aria-label": label, onchange: async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      const answer = await fetch(`${A.place}/data?name=${encodeURIComponent(file.name.slice(-100))}`, { method: "POST", body: file });
      const said = await answer.json();
      if (said.error) A.complain(said.error); else { A.trouble(""); done(said); }
    } catch { A.trouble(A.t("no_server")); }
    input.value = "";
  } });
  return A.el("span", {}, A.button(label, () => input.click()), input);
};
