// Who is there, in a conversation with several characters: a row above the box. Tapping one opens what can be done with them.
const row = K.el("div", { class: "k-company", role: "group", hidden: true });
let drawn = "";
K.companyRow = () => row;
// One who was chosen to answer the next message; it holds for that one.
let chosen = { chat: null, name: "" };
K.askedToAnswer = () => (chosen.chat === K.chat && K.story.group?.room.includes(chosen.name) ? chosen.name : "");
K.answered = () => { chosen = { chat: null, name: "" }; };
const choose = (name) => { chosen = { chat: K.chat, name }; draw(); };

// Whose memory the panels show: one of the members, the first until the reader chooses.
K.mindOf = () => { const names = K.story.group?.members.map((m) => m.name) ?? []; return names.includes(K.view.of) ? K.view.of : names[0] ?? ""; };
K.showMind = (name) => {
  K.view.of = name;
  K.redraw("tabs");
  K.askSheet?.();
};
K.namesOf = (names) => new Intl.ListFormat(K.locale(), { type: "conjunction" }).format(names);

const menuOf = (one, here, anchor) => K.menu(anchor, [
  here && { name: "speak", icon: "send", label: K.t("company_speak", { name: one.name }), act: () => K.act("speak", { name: one.name }) },
  here && (K.askedToAnswer() === one.name
    ? { name: "to_not", icon: "undo", label: K.t("company_to_not"), act: () => choose("") }
    : { name: "to", icon: "onward", label: K.t("company_to", { name: one.name }), act: () => { choose(one.name); K.writing.box.focus(); } }),
  here
    ? { name: "out", icon: "out", label: K.t("company_out", { name: one.name }), act: () => K.act("send_out", { name: one.name }) }
    : { name: "back", icon: "in", label: K.t("company_back", { name: one.name }), act: () => K.act("bring_back", { name: one.name }) },
  null,
  { name: "knows", icon: "book", label: K.t("company_knows", { name: one.name }), act: () => { K.showMind(one.name); if (K.narrow()) K.drawer("panel"); } },
].filter((item) => item !== false), { title: one.name, head: K.t(here ? "company_here" : "company_away", { name: one.name }) });

const draw = () => {
  const group = K.chat ? K.story.group : null;
  row.hidden = !group;
  if (!group) { drawn = ""; row.replaceChildren(); return; }
  const next = K.askedToAnswer() || (group.answers === "all" ? "" : group.next);
  const mark = JSON.stringify([K.language, K.chat, group, next]);
  if (mark === drawn) return;
  drawn = mark;
  const focused = row.contains(document.activeElement) ? document.activeElement.dataset.member ?? "all" : null;
  row.setAttribute("aria-label", K.t("company_who"));
  row.replaceChildren(
    ...group.members.map((one) => {
      const here = group.room.includes(one.name);
      const state = K.t(here ? (one.name === next ? "company_next" : "company_here") : "company_away", { name: one.name });
      return K.el("button", { class: "k-member", type: "button", "data-member": one.name, "data-here": String(here), "data-next": String(one.name === next),
        "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": `${K.t("company_menu", { name: one.name })}. ${state}`, title: state,
        onclick: (event) => menuOf(one, here, event.currentTarget) },
        K.avatar(one.name, "s"), K.el("span", { dir: "auto", text: one.name }), one.name === next && K.el("small", { text: K.t("company_next_short") }),
        !here && K.icon("ghost"));
    }),
    K.el("button", { class: "k-member k-join", type: "button", "aria-label": K.t("company_join"), title: K.t("company_join"), "aria-haspopup": "dialog", onclick: () => K.openJoining() }, K.icon("plus")),
    K.el("button", { class: "k-member k-all", type: "button", "aria-pressed": String(group.answers === "all"), title: K.t("company_all_means"),
      onclick: () => K.act("answers", { name: group.answers === "all" ? "one" : "all" }) }, K.el("span", { text: K.t("company_all") })),
    ...(group.room.length ? [] : [K.el("p", { class: "k-quiet", role: "status", text: K.t("company_nobody") })]));
  if (focused !== null) (focused === "all" ? row.querySelector(".k-all") : row.querySelector(`[data-member="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
};
K.drawCompany = draw;
