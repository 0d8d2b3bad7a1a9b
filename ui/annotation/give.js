// A player's own conversations: giving one to a project, with what is blacked out, and taking it back.
A.views.give = async (chosen) => {
  A.crumbs(A.el("span", { text: A.t("give") }));
  const said = await A.ask("giving"), asked = said && await A.ask("tasks");
  if (!said || !asked) return;
  const back = async (one) => { if (await A.sure(A.t("withdraw_sure", { title: one.title }), A.t("withdraw"), "grave") && await A.ask("withdraw", { item: one.item_id })) { A.toast(A.t("withdrawn")); A.views.give(chosen); } };
  const given = (one) => A.el("li", { "data-given": one.item_id }, A.el("div", {}, A.el("b", { text: one.title, dir: "auto" }), A.el("p", { class: "quiet", text: `${one.project_name} · ${A.t("messages_n", { n: one.turns })} · ${new Date(one.consent_at).toLocaleDateString(A.language)}` })), A.button(A.t("withdraw"), () => back(one), { class: "grave" }));
  const form = A.el("div", { id: "a-giving" });
  const list = (invitation) => A.el("li", {},
    A.el("div", {}, A.el("b", { text: invitation.name, dir: "auto" }), A.el("p", { class: "guideline", text: invitation.briefing, dir: "auto" }),
      A.el("ul", { class: "list" }, said.conversations.map((one) => A.el("li", { "data-chat": one.chat_id },
        A.el("div", {}, A.el("span", { text: one.title || one.character, dir: "auto" }), " ", A.el("span", { class: "quiet", text: `${one.character} · ${A.t("rounds_of", { n: one.rounds, of: invitation.rounds })}` }), A.el("progress", { max: invitation.rounds, value: Math.min(one.rounds, invitation.rounds), "aria-label": A.t("rounds_of", { n: one.rounds, of: invitation.rounds }) })),
        one.rounds > 0 && A.button(A.t("look_give"), () => look(invitation, one), { "data-does": "look" }))))));
  const look = (invitation, one) => A.giveForm({
    name: one.chat_id, place: form, title: `${one.title || one.character} → ${invitation.name}`,
    preview: (words) => A.ask("preview", { chat: one.chat_id, words }),
    give: async (words, consent, seal) => { const done = await A.ask("give", { project: invitation.id, chat: one.chat_id, words, consent, seal }); if (done) { A.toast(A.t("given_thanks")); A.views.give(""); } return Boolean(done); },
  });
  A.show(A.el("section", { class: "sheet" }, A.el("h1", { text: A.t("give") }), A.el("p", { class: "quiet", text: A.t("give_means") }),
    A.member.role === "player" && A.el("p", { class: "quiet", text: A.t("not_for_players") }),
    A.tasks(asked, () => A.views.give(chosen)),
    said.invitations.length ? A.el("ul", { class: "list", id: "a-invitations" }, said.invitations.map(list)) : !asked.tasks.length && A.el("p", { class: "quiet", text: A.t("no_invitations") }),
    form,
    said.given.length > 0 && [A.el("h2", { text: A.t("given") }), A.el("ul", { class: "list", id: "a-given" }, said.given.map(given))]));
};
// What would be given, with what is blacked out, and the consent. reason: a box of one's own for why it is short, or nothing.
A.giveForm = async ({ name, place, title, preview, give, more = null, words = null }) => {
  let shown = await preview(words ?? "");
  if (!shown) return;
  if (words === null) { words = shown.found.join("\n"); if (words) shown = await preview(words); if (!shown) return; }
  const area = A.el("textarea", { rows: "5", value: words, id: "a-words-out", "aria-label": A.t("black_out") });
  const agree = A.el("input", { type: "checkbox", id: "a-agree" });
  const kept = A.keeping(`give.${name}`, { area });
  if (kept.found) { A.giveForm({ name, place, title, preview, give, more, words: area.value }); return; }   // what is shown is what these words make of it
  place.replaceChildren(A.el("h2", { text: title, dir: "auto" }), ...(more ? [more] : []),
    A.el("label", {}, A.t("black_out"), area), A.el("p", { class: "quiet", text: A.t("black_out_means") }),
    A.el("div", { class: "row" }, A.button(A.t("look_again"), () => A.giveForm({ name, place, title, preview, give, more, words: area.value })), A.el("span", { class: "quiet", text: A.t("blacked_n", { n: shown.blacked }) })),
    A.el("div", { class: "guideline", id: "a-copy" }, A.el("p", {}, A.el("b", { text: shown.title, dir: "auto" })), shown.turns.map((turn) => A.el("p", {}, A.el("b", { text: `${turn.name}: `, dir: "auto" }), A.el("span", { text: turn.text, dir: "auto" })))),
    A.el("label", { class: "check" }, agree, A.t("consent")),
    A.el("div", { class: "row end" }, A.button(A.t("cancel"), () => { place.replaceChildren(); if (location.hash.startsWith("#hand")) location.hash = "give"; }), A.button(A.t("give_do"), async () => {
      if (await give(area.value, agree.checked ? "yes" : "", shown.seal)) { kept.end(); return; }
      const now = await preview(area.value);   // what would be given is not what is shown: then it is shown, and agreed to anew
      const fresh = now ? now.found.filter((word) => !shown.found.includes(word)) : [];   // of what was said since
      if (!now || now.seal === shown.seal) return;
      kept.end();   // what is typed goes along
      A.giveForm({ name, place, title, preview, give, more, words: [area.value, ...fresh].filter(Boolean).join("\n") });
    }, { class: "firm", id: "a-give" })));
  area.focus();
  place.scrollIntoView({ block: "start" });
};
