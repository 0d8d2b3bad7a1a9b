// Two runs, or two systems of one, question by question.
R.compareForm = (said) => {
  const own = [...new Set(said.figures.parts.flatMap((part) => part.figures.map((one) => one.system)))];
  const other = A.el("select", { id: "r-other" }, said.others.map((one) => A.el("option", { value: one.id, text: `${R.title(one)} · ${R.setting(one)}` })), A.el("option", { value: said.run.id, text: A.t("this_run") }));
  const names = () => A.el("datalist", {}, own.map((name) => A.el("option", { value: name })));
  const first = A.el("select", { id: "r-first" }), second = A.el("input", { id: "r-second", maxlength: "80", list: "r-systems-list" });
  first.replaceChildren(A.el("option", { value: "", text: A.t("namesakes") }), ...own.map((name) => A.el("option", { value: name, text: name })));
  const list = names();
  list.id = "r-systems-list";
  const go = (event) => {
    event.preventDefault();
    location.hash = `compare=${R.place(said.run.id, other.value, first.value, first.value ? second.value : "")}`;
  };
  const two = A.el("label", {}, A.t("second"), second, list);
  const shown = () => { two.hidden = !first.value; second.required = Boolean(first.value); };
  first.addEventListener("change", shown);
  shown();
  return said.questions && A.el("details", { id: "r-compare" }, A.el("summary", { text: A.t("compare") }), A.el("p", { class: "quiet", text: A.t("compare_means") }),
    A.el("form", { onsubmit: go }, A.el("div", { class: "grid-2" }, A.el("label", {}, A.t("compare_with"), other), A.el("label", {}, A.t("first"), first), two), A.el("div", {}, A.el("button", { class: "firm", id: "r-compare-go", text: A.t("compare") }))));
};
A.views.compare = async (place) => {
  const [first, second, one, other] = place.split("\n");
  A.show(A.el("p", { class: "quiet", role: "status", text: A.t("comparing") }));
  const said = await A.ask("compare", { first, second, first_system: one, second_system: other });
  if (!said) { A.show(A.el("p", {}, A.el("a", { href: `#run=${first}`, text: A.t("open") }))); return; }
  A.crumbs(A.el("a", { href: `#run=${first}`, text: R.title(said.first), dir: "auto" }), A.el("span", { text: A.t("compare") }));
  const p = (value) => value < 0.001 ? "<.001" : value.toFixed(3);
  const signed = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
  const row = (c) => A.el("tr", { class: c.holm < 0.05 ? "clear" : "" }, A.el("th", { scope: "row", text: c.systems[0] === c.systems[1] ? c.systems[0] : c.systems.join(" → ") }), A.el("td", { text: c.category ?? A.t("whole") }), A.el("td", { text: c.metric }), A.el("td", { text: R.number(c.first) }), A.el("td", { text: R.number(c.second) }),
    A.el("td", {}, c.holm < 0.05 && A.el("span", { text: "● " }), A.el("b", { text: signed(c.difference.value) }), A.el("span", { class: "span", text: ` [${signed(c.difference.low)}, ${signed(c.difference.high)}]` })), A.el("td", { text: p(c.p) }), A.el("td", { text: p(c.holm) }), A.el("td", { text: c.difference.n }));
  const heads = ["system", "part", "measure", "first", "second", "difference"].map((name) => A.t(name));
  const table = (rows) => A.el("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": A.t("tables") }, A.el("table", { class: "figures" }, A.el("thead", {}, A.el("tr", {}, [...heads, "p", A.t("p_holm"), "n"].map((text) => A.el("th", { scope: "col", text })))), A.el("tbody", {}, rows.map(row))));
  const whole = said.compared.filter((c) => c.category === null), parts = said.compared.filter((c) => c.category !== null);
  A.show(A.el("section", { class: "sheet wide", id: "r-compared" }, A.el("h1", { text: A.t("compare") }),
    A.el("p", {}, `${A.t("first")}: `, A.el("a", { href: `#run=${first}`, text: R.title(said.first), dir: "auto" }), A.el("span", { class: "quiet", text: ` ${R.setting(said.first)}`, dir: "auto" })),
    A.el("p", {}, `${A.t("second")}: `, A.el("a", { href: `#run=${second}`, text: R.title(said.second), dir: "auto" }), A.el("span", { class: "quiet", text: ` ${R.setting(said.second)}`, dir: "auto" })),
    A.el("p", { class: "quiet", text: A.t("compared_means", { n: said.compared.length }) }), said.plots.map((name) => R.plot(`${R.file(first, name, second)}&mark=${said.mark}`, name)), table(whole),
    parts.length > 0 && A.el("details", {}, A.el("summary", { text: A.t("parts_of") }), table(parts))));
};
