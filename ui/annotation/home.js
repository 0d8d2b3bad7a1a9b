// Projects, and what somebody has begun.
A.views.home = async () => {
  A.crumbs();
  if (A.member.role === "player") { A.views.give(""); return; }
  const said = await A.ask("home");
  if (!said) return;
  const take = async (project, role) => {
    const taken = await A.ask("take", { project, role });
    if (taken) location.hash = `${role === "annotator" ? "work" : "review"}=${taken.assignment.id}`;
    else A.views.home();
  };
  const project = (one) => A.el("li", { "data-project": one.id },
    A.el("div", {}, A.el("b", { text: one.name, dir: "auto" }), one.closed && A.el("span", { class: "badge", text: A.t("is_closed") }), one.own && [" ", A.el("span", { class: "badge", text: A.t("is_own") })],
      !one.own && A.el("p", { class: "quiet", text: [one.to_annotate ? A.t("to_annotate", { n: one.to_annotate }) : A.t("none_to_annotate"), one.to_review && A.t("to_review", { n: one.to_review })].filter(Boolean).join(" · ") })),
    A.el("div", { class: "row" },
      one.to_annotate > 0 && !one.closed && A.button(A.t("take"), () => take(one.id, "annotator"), { class: "firm", "data-does": "take" }),
      one.to_review > 0 && !one.closed && A.button(A.t("take_review"), () => take(one.id, "reviewer"), { class: "firm", "data-does": "take_review" }),
      A.el("a", { class: "button", href: `#project=${one.id}`, text: A.t("open_project") })));
  const back = async (one) => { if (await A.sure(A.t("give_back_sure", { title: one.item.title }), A.t("give_back")) && await A.ask("give_back", { assignment: one.id })) A.views.home(); };
  const mine = (one) => A.el("li", {},
    A.el("div", {}, A.el("b", { text: one.item.title, dir: "auto" }), " ", A.el("span", { class: "badge", text: A.t(`as_${one.role}`) }), one.submitted ? A.el("span", { class: "badge good", text: A.t("is_submitted") }) : !one.own && one.lease_until <= Date.now() && A.el("span", { class: "badge warn", text: A.t("held_over") }),
      A.el("p", { class: "quiet", text: `${one.project_name} · ${A.t("messages_n", { n: one.item.turns })} · ${A.t(`state_${one.item.state}`)}${one.submitted || one.own || one.lease_until <= Date.now() ? "" : ` · ${A.t("held_until", { at: new Date(one.lease_until).toLocaleString(A.language, { dateStyle: "medium", timeStyle: "short" }) })}`}` })),
    A.el("div", { class: "row" },
      A.el("a", { class: "button", href: `#${one.role === "annotator" ? "work" : "review"}=${one.id}`, text: A.t(one.submitted ? "look" : "go_on") }),
      !one.submitted && !one.own && one.lease_until > Date.now() && A.button(A.t("give_back"), () => back(one), { "data-does": "give_back" }),
      (one.item.state === "released" || (one.role === "reviewer" && one.submitted)) && A.el("a", { class: "button", href: `#gold=${one.item.id}`, text: A.t("see_gold") })));
  A.show(A.el("section", { class: "sheet" },
    A.el("h1", { text: A.t("home") }),
    A.member.alone && A.el("p", { class: "told", text: A.t("alone") }),
    said.projects.length ? A.el("ul", { class: "list", id: "a-projects" }, said.projects.map(project)) : A.el("p", { class: "quiet", text: A.t("no_projects") }),
    said.mine.length > 0 && [A.el("h2", { text: A.t("your_work") }), A.el("ul", { class: "list", id: "a-mine" }, said.mine.map(mine))],
    A.el("p", {}, A.el("a", { href: "#give", text: A.t("give_own") })),
    said.role === "admin" && newProject()));
  document.querySelector("#a-main .firm, #a-main a.button")?.focus({ preventScroll: true });
};
const newProject = () => {
  const name = A.el("input", { maxlength: "120", required: true, id: "a-name" });
  const overlap = A.el("select", { id: "a-overlap" }, A.el("option", { value: "2", text: A.t("overlap_2"), disabled: A.member.alone }), A.el("option", { value: "1", text: A.t("overlap_1"), selected: A.member.alone }));
  const hours = A.el("input", { type: "number", min: "1", max: "2160", value: "72", id: "a-hours" });
  const categories = A.el("textarea", { rows: "9", id: "a-categories", value: A.t("categories_default") });
  const guideline = A.el("textarea", { rows: "10", id: "a-guideline", value: A.t("guideline_default") });
  const rounds = A.el("input", { type: "number", min: "0", max: "10000", value: "0", id: "a-rounds" });
  const briefing = A.el("textarea", { rows: "6", id: "a-briefing", value: A.t("briefing_default") });
  const kept = A.keeping("project", { name, hours, categories, guideline, rounds, briefing });
  const make = async (event) => {
    event.preventDefault();
    const list = categories.value.split("\n").map((line) => line.trim()).filter(Boolean);
    const made = await A.ask("make_project", { project: { name: name.value, overlap: Number(overlap.value), lease_hours: Number(hours.value), categories: list, guideline: guideline.value, briefing: briefing.value, target_rounds: Number(rounds.value) } });
    if (made) { kept.end(); location.hash = `project=${made.project.id}`; }
  };
  return A.el("details", { id: "a-new", open: kept.found }, A.el("summary", { text: A.t("new_project") }),
    A.el("form", { onsubmit: make },
      A.el("label", {}, A.t("project_name"), name), A.el("label", {}, A.t("overlap"), overlap), A.el("label", {}, A.t("lease_hours"), hours),
      A.el("label", {}, A.t("categories"), categories), A.el("label", {}, A.t("guideline"), guideline), A.el("label", {}, A.t("target_rounds"), rounds), A.el("label", {}, A.t("briefing"), briefing),
      A.el("button", { class: "firm", text: A.t("make_project") })),
    A.fileButton(A.t("take_in_project"), "", (said) => { location.hash = `project=${said.project}`; }));
};
// A file goes to the server as the body of a request.
A.fileButton = (label, project, done, address = "dialogues") => {
  const input = A.el("input", { type: "file", class: "unseen", "aria-label": label, onchange: async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      const answer = await fetch(`/keepsake/annotation/${address}?project=${project}&name=${encodeURIComponent(file.name.slice(0, 100))}`, { method: "POST", body: file });
      const said = await answer.json();
      if (said.error) A.complain(said.error); else { A.trouble(""); done(said); }
    } catch { A.trouble(A.t("error_unexpected")); }
    input.value = "";
  } });
  return A.el("span", {}, A.button(label, () => input.click()), input);
};
