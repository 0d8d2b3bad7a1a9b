// The probes of a project: dialogues that are open for regular ones, the universal table with its reviews, and runs.
A.views.probes = async (id) => {
  let said = await A.ask("probes", { project: id });
  if (!said) { location.hash = "home"; return; }
  A.crumbs(A.el("a", { href: `#project=${id}`, text: said.project.name, dir: "auto" }), A.el("span", { text: A.t("probes") }));
  const pairs = A.el("div", { id: "a-pairs" }), table = A.el("div", { id: "a-table" });

  // Regular probes
  const dialogue = (one) => A.el("li", { "data-item": one.id }, A.el("div", {}, A.el("b", { text: `${one.number}. ${one.title}`, dir: "auto" }), A.el("p", { class: "quiet", text: [A.t("messages_n", { n: one.turns }), A.t("regular_own_n", { n: one.own }), one.undecided > 0 && A.t("regular_undecided_n", { n: one.undecided }), A.t("regular_n", { n: one.standing })].filter(Boolean).join(" · ") })),
    A.el("div", { class: "row" }, A.el("a", { class: "button", href: `#regular=${one.id}`, "data-does": "write", text: A.t("probe_write") }), one.to_review > 0 && A.el("a", { class: "button", href: `#regular_review=${one.id}`, "data-does": "review", text: `${A.t("regular_review")} (${one.to_review})` })));
  const share = (found) => `${found.value.toFixed(2)} [${found.low.toFixed(2)}, ${found.high.toFixed(2)}]`;
  const whole = () => said.set && A.el("p", { id: "a-set", class: said.set.biased.length ? "told" : "quiet" }, A.t("regular_set", { n: said.set.n, longest: share(said.set.longest), shortest: share(said.set.shortest), places: said.set.places.map((count, place) => `${"ABCD"[place]} ${count}`).join(", ") }), said.set.people && ` ${A.t("regular_people", { share: share(said.set.people), reviews: said.set.people.n, ...said.set.verdicts })}`, said.set.biased.map((name) => ` ${A.t(`biased_${name}`)}`));

  const agreed = (figures) => figures?.length > 0 && A.el("div", { class: "wide-table" }, A.el("table", { class: "figures agreement" }, A.el("caption", { class: "quiet", text: A.t("reviewers_agree") }), A.el("thead", {}, A.el("tr", {}, ["figure", "value", "interval", "n"].map((key) => A.el("th", { scope: "col", text: key === "n" ? "n" : A.t(key) })))),
    A.el("tbody", {}, figures.map((f) => A.el("tr", { "data-figure": f.name }, A.el("th", { scope: "row", text: A.t(`agree_${f.name}`) }), A.el("td", { text: f.value === null ? `${A.t("undefined")}: ${A.t(`why_${f.why}`)}` : f.value.toFixed(2) }), A.el("td", { text: f.low === null ? "" : `${f.low.toFixed(2)} – ${f.high.toFixed(2)}` }), A.el("td", { text: f.n }))))));

  // The table
  const took = (answer) => { if (answer) { A.trouble(""); said = { ...said, ...answer }; drawTable(); } };
  const edit = async (one) => {
    const fields = Object.fromEntries(["topic", "p", "q", "a"].map((name) => [name, A.el(name === "topic" ? "input" : "textarea", { maxlength: name === "topic" ? "60" : "500", rows: "2", value: one[name], dir: "auto" })]));
    const language = A.el("select", {}, ["en", "zh"].map((name) => A.el("option", { value: name, selected: one.language === name, text: A.t(`language_${name}`) })));
    const why = A.el("p", { class: "told", role: "alert", hidden: true });
    const body = A.el("form", { class: "item", onsubmit: (event) => event.preventDefault() }, why, Object.entries(fields).map(([name, field]) => A.el("label", {}, A.t(`probe_${name}`), field)), A.el("label", {}, A.t("language"), language));
    const kept = A.keeping(one.version ? `probe.${one.id}.${one.version}` : `probe.new.${id}`, { ...fields, language });
    const read = () => ({ id: one.id, version: one.version, language: language.value, ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])) });
    // Refused, it stands there again as it was written.
    for (;;) {
      const written = await A.dialog(A.t("probe"), body, [[null, A.t("cancel"), ""], [read, A.t("save"), "firm"]]);
      if (!written) return;
      const answer = await A.ask("keep_probe", { project: id, probe: written });
      if (answer) { kept.end(); took(answer); return; }
      why.textContent = document.querySelector("#a-trouble span")?.textContent ?? "";
      why.hidden = !why.textContent;
    }
  };
  const drop = async (one) => { if (await A.sure(A.t("probe_remove_sure", { topic: one.topic }), A.t("delete"), "grave")) took(await A.ask("remove_probe", { project: id, id: one.id })); };
  const review = async (one, verdict, note = "") => { took(await A.ask("review_probe", { project: id, id: one.id, version: one.version, review: { verdict, note } })); table.querySelector(`[data-probe="${one.id}"] button`)?.focus({ preventScroll: true }); };
  const object = async (one) => {
    const note = A.el("input", { maxlength: "2000", autofocus: true, "aria-label": A.t("note"), dir: "auto" });
    note.addEventListener("keydown", (event) => { if (event.key === "Enter" && !A.composing(event)) { event.preventDefault(); note.closest("dialog").querySelector("button.firm").click(); } });
    const why = await A.dialog(A.t("probe_object"), A.el("div", {}, A.el("p", { text: one.p, dir: "auto" }), A.el("label", {}, A.t("probe_object_why"), note)), [[null, A.t("cancel"), ""], [() => note.value, A.t("probe_object"), "firm"]]);
    if (why !== null) review(one, "objected", why);
  };
  const status = (one) => A.el("td", { class: "review" }, one.blind ? A.el("p", { class: "quiet", text: A.t("probe_blind") }) : A.el("span", { class: `badge ${one.checked ? "good" : one.objections.length ? "differ" : ""}`, text: one.checked ? A.t("probe_checked") : one.objections.length ? A.t("probe_objected") : A.t("probe_accepted_n", { n: one.accepted }) }),
    one.objections.map((note) => A.el("p", { class: "quiet", text: note, dir: "auto" })),
    one.wrote ? A.el("p", { class: "quiet", text: A.t("probe_yours") }) : one.mine ? A.button(A.t(one.mine === "accepted" ? "probe_unaccept" : "probe_unobject"), () => review(one, ""), { class: "plain link" }) : [A.button(A.t("probe_accept"), () => review(one, "accepted"), { class: "plain link" }), A.button(A.t("probe_object"), () => object(one), { class: "plain link" })]);
  const row = (one) => A.el("tr", { "data-probe": one.id }, A.el("th", { scope: "row" }, one.topic, A.el("p", { class: "quiet", text: A.t(`language_${one.language}`) })), ["p", "q", "a"].map((name) => A.el("td", { text: one[name], dir: "auto" })), status(one),
    A.el("td", {}, A.button(A.t("edit"), () => edit(one), { class: "plain link" }), A.button(A.t("delete"), () => drop(one), { class: "plain link" })));
  const drawTable = () => {
    const checked = said.table.filter((one) => one.checked).length;
    table.replaceChildren(said.table.length ? A.el("p", { class: "quiet", text: A.t("probes_checked", { n: checked, of: said.table.length }) }) : A.el("p", { class: "quiet", text: A.t("probes_none") }),
      said.table.length ? A.el("div", { class: "wide-table" }, A.el("table", { class: "figures" }, A.el("thead", {}, A.el("tr", {}, [...["topic", "p", "q", "a"].map((name) => A.t(`probe_${name}`)), A.t("review")].map((text) => A.el("th", { scope: "col", text })), A.el("th", {}))), A.el("tbody", {}, said.table.map(row)))) : "", agreed(said.table_agreement) || "");
  };
  const check = async () => {
    const found = await A.ask("probe_pairs", { project: id });
    if (!found) return;
    const topic = (which) => said.table.find((one) => one.id === which)?.topic ?? "";
    pairs.replaceChildren(A.el("p", { class: "told", text: found.pairs.length ? A.t("probes_close", { n: found.pairs.length }) : A.t("probes_apart") }), A.el("ul", {}, found.pairs.map((pair) => A.el("li", { text: `${topic(pair.one)} – ${topic(pair.other)}: ${pair.likeness.toFixed(2)}` }))));
  };
  const taken = async (told) => {
    A.toast([A.t("table_added", { n: told.added }), told.changed && A.t("table_changed", { n: told.changed }), told.known && A.t("table_known", { n: told.known })].filter(Boolean).join(" "));
    took(await A.ask("probes", { project: id }));
  };
  const runs = said.table && A.runs(id, said, { manages: said.manages });
  A.leaving = () => runs?.end();
  if (said.table) drawTable();
  A.show(A.el("section", { class: "sheet wide" }, A.el("h1", { text: A.t("probes") }), A.el("p", { class: "quiet", text: A.t("probes_mean") }),
    A.el("h2", { text: A.t("regular") }), A.el("p", { class: "quiet", text: A.t("regular_mean") }), said.open.length ? A.el("ul", { class: "list", id: "a-open" }, said.open.map(dialogue)) : A.el("p", { class: "quiet", text: A.t("regular_none_open") }), whole(), agreed(said.agreement),
    runs?.box,
    said.table && [A.el("h2", { text: A.t("probe_table") }), A.el("p", { class: "quiet", text: A.t("probe_table_mean") }),
      A.el("div", { class: "row" }, A.button(A.t("probes_ours"), async () => took(await A.ask("probes_ours", { project: id })), { id: "a-ours" }), A.button(A.t("probe_new"), () => edit({ id: A.id(), version: 0, language: A.language, topic: "", p: "", q: "", a: "" })), A.button(A.t("probes_check"), check, { id: "a-check" }), A.fileButton(A.t("table_take"), id, taken, "table"), A.el("a", { class: "button", href: `/keepsake/annotation/files/${id}/table`, download: "", text: A.t("file_table") })),
      A.el("p", { class: "quiet", text: A.t("table_mean") }),
      pairs, table]));
  (document.querySelector("#a-open [data-does=review]") ?? document.querySelector("#a-open a.button"))?.focus({ preventScroll: true });
  runs?.look();
};
