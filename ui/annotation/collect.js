// Conversations that are held for a project: what is asked for, what one has begun, handing in and stopping; and for an admin, with whom.
A.tasks = (said, again) => {
  const agreed = new Map();
  const begin = async (task, character) => {
    if (!agreed.get(task.id)?.checked) { A.trouble(A.t("task_agree_first")); agreed.get(task.id)?.focus(); return; }
    const made = await A.ask("begin", { project: task.id, character: character.id, consent: "yes" });
    if (made) location.assign(`/?chat=${encodeURIComponent(made.chat)}`);
  };
  const task = (one) => {
    const agree = A.el("input", { type: "checkbox" });
    agreed.set(one.id, agree);
    return A.el("li", { "data-task": one.id }, A.el("div", {}, A.el("b", { text: one.name, dir: "auto" }), " ", A.el("span", { class: "quiet", text: A.t("task_length", { n: one.rounds }) }),
      A.el("p", { class: "guideline", text: one.briefing, dir: "auto" }), A.el("label", { class: "check" }, agree, A.t("task_agree")),
      A.el("div", { class: "row" }, one.characters.map((each) => A.button(A.t("task_begin", { name: each.name }), () => begin(one, each), { "data-begin": each.id })))));
  };
  const begun = (one) => A.el("li", { "data-taking": one.id }, A.el("div", {}, A.el("b", { text: one.project_name, dir: "auto" }), " ", one.handed ? A.el("span", { class: "badge good", text: A.t("handed_in") }) : !one.open && A.el("span", { class: "badge warn", text: A.t("task_closed") }),
    A.el("p", { class: "quiet", text: A.t("rounds_of", { n: one.rounds, of: one.target }) }), A.el("progress", { max: one.target, value: Math.min(one.rounds, one.target), "aria-label": A.t("rounds_of", { n: one.rounds, of: one.target }) })),
    A.el("div", { class: "row" }, A.el("a", { class: "button", href: `/?chat=${encodeURIComponent(one.chat)}`, text: A.t("taking_go_on") }),
      !one.handed && one.open && one.rounds > 0 && A.el("a", { class: "button", href: `#hand=${one.id}`, text: A.t("hand_in") }), A.button(A.t("task_leave"), () => A.leaveTask(one.id, again), { class: "grave" })));
  if (!said.tasks.length && !said.takings.length) return null;
  return [A.el("h2", { text: A.t("tasks") }), A.el("p", { class: "quiet", text: A.t("tasks_mean") }), A.el("ul", { class: "list", id: "a-tasks" }, said.tasks.map(task)),
    said.takings.length > 0 && [A.el("h2", { text: A.t("takings") }), A.el("ul", { class: "list", id: "a-takings" }, said.takings.map(begun))]];
};
A.leaveTask = async (id, then) => { if (await A.sure(A.t("task_leave_sure"), A.t("task_leave"), "grave") && await A.ask("leave", { taking: id })) { A.toast(A.t("task_left")); then(); } };
A.views.hand = async (id) => {
  const said = await A.ask("tasks"), one = said?.takings.find((each) => each.id === id);
  if (!one || one.handed || !one.open) { location.hash = "give"; return; }
  A.crumbs(A.el("a", { href: "#give", text: A.t("give") }), A.el("span", { text: one.project_name, dir: "auto" }));
  const place = A.el("div", { id: "a-giving" }), short = one.rounds < one.target;
  const reason = A.el("textarea", { rows: "3", maxlength: "2000", id: "a-reason", "aria-label": A.t("hand_in_reason") });
  const kept = A.keeping(`hand.${id}`, { reason });
  A.show(A.el("section", { class: "sheet" }, A.el("h1", { text: A.t("hand_in") }), A.el("p", { class: "guideline", text: one.briefing, dir: "auto" }), place));
  A.giveForm({
    name: id, place, title: one.project_name, preview: (words) => A.ask("hand_preview", { taking: id, words }),
    more: short ? A.el("div", {}, A.el("p", { class: "told", text: A.t("hand_in_short", { n: one.rounds, of: one.target }) }), A.el("label", {}, A.t("hand_in_reason"), reason)) : null,
    give: async (words, consent, seal) => {
      if (!await A.ask("hand_in", { taking: id, words, consent, seal, reason: reason.value })) return false;
      kept.end();
      A.toast(A.t("handed_thanks"));
      location.hash = "give";
      return true;
    },
  });
};
// An admin's side, in the project.
A.collecting = (project, rounds) => {
  const body = A.el("div", { id: "a-collecting" });
  if (!rounds) { body.append(A.el("p", { class: "quiet", text: A.t("collecting_none") })); return body; }
  const draw = (said) => body.replaceChildren(A.el("p", { class: "quiet", text: A.t("collecting_means") }),
    A.el("div", { class: "choices" }, said.characters.map((one) => A.el("label", { class: "check" }, A.el("input", { type: "checkbox", value: one.id, checked: one.asked, onchange: change }), one.name, one.shared && A.el("span", { class: "badge", text: A.t("shared_card") })))),
    A.el("p", { text: A.t("collecting_counts", { begun: said.begun, handed: said.handed }) }),
    said.reasons.length > 0 && A.el("div", {}, A.el("p", { class: "quiet", text: A.t("collecting_short") }), A.el("ul", {}, said.reasons.map((text) => A.el("li", { text, dir: "auto" })))) || "");
  const change = async () => { const said = await A.ask("ask_characters", { project, characters: [...body.querySelectorAll("input:checked")].map((box) => box.value).join(",") }); if (said) draw(said); };
  A.ask("cast", { project }).then((said) => { if (said) draw(said); });
  return body;
};
