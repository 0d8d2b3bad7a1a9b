// What was deleted and can come back: messages, cut ends and branches of this conversation, and whole conversations. Only here is anything ever erased.
let open = null;
const ask = () => { if (open) trigger("bin", { chat: K.chat, marks: K.marks }); };

const row = (icon, title, about, buttons, line = "") =>
  K.el("li", { class: "k-bin-row" }, K.icon(icon),
    K.el("div", { class: "k-bin-words" }, K.el("p", { class: "k-bin-text", dir: "auto", text: title }), line && K.el("p", { class: "k-branch-last", dir: "auto", text: line }), K.el("p", { class: "k-quiet", text: about })),
    K.el("span", { class: "k-row-tools" }, buttons));
const restore = (label, act) => K.el("button", { class: "k-button", type: "button", "aria-label": label, text: K.t("restore"), onclick: act });
const when = (at) => K.t("deleted_on", { when: K.when(at) });

const itemOf = (item) => {
  const title = item.text.replaceAll("*", "") || K.t("branch_name", { n: item.round });
  const about = [K.t(`binned_${item.kind}`, { n: item.count }), item.round > 0 && K.t("round", { n: item.round }), when(item.at)].filter(Boolean).join(" · ");
  return row({ message: "thread", tail: "cut", branch: "fork", wording: "left" }[item.kind] ?? "bin", title, about,
    restore(K.t("restore_this", { name: title }), () => K.act("restore", { item: item.id }, ask)));
};
const erase = async (chats) => {
  const one = chats.length === 1 ? chats[0] : null;
  const sure = await K.confirm({
    title: one ? K.t("erase_title", { name: one.title || one.character }) : K.t("erase_all_title", { n: chats.length }),
    text: K.t("erase_means"), act: K.t("erase"), danger: true,
    points: [...chats.slice(0, 8).map((chat) => K.t("erase_counts", {
      name: chat.title || chat.character, messages: K.t("count_messages", { n: chat.messages }), memories: K.t("count_memories", { n: chat.memories }) })),
      ...[chats.reduce((n, chat) => n + chat.carried, 0)].filter((n) => n > 0).map((n) => K.t("carried_stays", { n }))],
  });
  if (sure) K.arrange("erase", { chats: chats.map((chat) => chat.id).join(",") }, () => { K.toast(K.t("did_erase", { n: chats.length })); ask(); });
};
// What was deleted in this conversation, on whichever branch; what is shown on any stays, and so do its other wordings.
const empty = async ({ messages, branches, memories }) => {
  const edition = K.story.edition;   // what the question is about
  const points = [["count_messages", messages], ["count_branches", branches], ["count_memories", memories]].filter(([, n]) => n > 0).map(([key, n]) => K.t(key, { n }));
  const sure = await K.confirm({ title: K.t("empty_title"), text: K.t("empty_means"), act: K.t("erase"), danger: true, points });
  if (sure) K.arrange("empty", { of: K.chat, edition, receipt: K.shown.receipt, ...K.view }, () => { K.toast(K.t("did_empty")); ask(); });
};
const chatOf = (chat) =>
  row("thread", chat.title || chat.character, [K.t("binned_chat", { n: chat.rounds }), K.t("count_memories", { n: chat.memories }), chat.title && chat.character, when(chat.at)].filter(Boolean).join(" · "), [
    restore(K.t("restore_this", { name: chat.title || chat.character }), () => K.arrange("restore", { of: chat.id }, ask)),
    K.el("button", { class: "k-button k-grave", type: "button", text: K.t("erase"), onclick: () => erase([chat]) })]);

// Own characters that were removed. One that a conversation is with goes with the last of these.
const eraseCharacter = async (one) => {
  const sure = await K.confirm({ title: K.t("erase_title", { name: one.name }), text: K.t("erase_character_means"), act: K.t("erase"), danger: true });
  if (sure) K.keepCharacter("erase", { character: one.id }, () => { K.toast(K.t("did_erase_character", { name: one.name })); ask(); });
};
const characterOf = (one) =>
  row("feather", one.name, one.conversations ? K.t("binned_character", { n: one.conversations }) : K.t("binned_character_alone"), [
    restore(K.t("restore_this", { name: one.name }), () => K.keepCharacter("restore", { character: one.id }, ask)),
    !one.conversations && K.el("button", { class: "k-button k-grave", type: "button", text: K.t("erase"), onclick: () => eraseCharacter(one) })], one.tagline);

const playerOf = (one) =>
  row("person", one.name, one.conversations ? K.t("binned_player", { n: one.conversations }) : K.t("binned_player_alone"), [
    restore(K.t("restore_this", { name: one.name }), () => K.restorePlayer(one, ask)),
    !one.conversations && K.el("button", { class: "k-button k-grave", type: "button", text: K.t("erase"), onclick: () => K.erasePlayer(one, ask) })]);

const fill = (value) => {
  const parts = [K.el("p", { class: "k-quiet", text: K.t("bin_means") })];
  if (value.chat) {
    parts.push(K.el("section", {}, K.el("h3", { text: K.t("bin_here") }),
      value.items.length ? K.el("ul", { class: "k-bin" }, value.items.map(itemOf)) : K.el("p", { class: "k-quiet", text: K.t("bin_none") }),
      value.weight.messages + value.weight.branches > 0
        ? K.el("button", { class: "k-button k-grave", type: "button", text: K.t("empty"), onclick: () => empty(value.weight) })
        : value.items.length > 0 && K.el("p", { class: "k-quiet k-foot", text: K.t("empty_none") })));
  }
  parts.push(K.el("section", {}, K.el("h3", { text: K.t("bin_chats") }),
    value.chats.length ? K.el("ul", { class: "k-bin" }, value.chats.map(chatOf)) : K.el("p", { class: "k-quiet", text: K.t("bin_no_chats") }),
    value.chats.length > 1 && K.el("button", { class: "k-button k-grave", type: "button", text: K.t("erase_all"), onclick: () => erase(value.chats) })));
  if (value.characters.length) parts.push(K.el("section", {}, K.el("h3", { text: K.t("own_characters") }), K.el("ul", { class: "k-bin" }, value.characters.map(characterOf))));
  if (K.players.removed.length) parts.push(K.el("section", {}, K.el("h3", { text: K.t("players") }), K.el("ul", { class: "k-bin" }, K.players.removed.map(playerOf))));
  const focused = open.content.contains(document.activeElement);
  open.content.replaceChildren(...parts);
  if (focused) (open.content.querySelector("button") ?? open.node.querySelector("header button")).focus();
};
K.openBin = () => {
  K.drawer(null);
  open = K.dialog({ name: "bin", title: K.t("bin"), body: [K.el("p", { class: "k-quiet", text: K.t("loading") })], closed: () => { open = null; } });
  K.redraw("bin");
  ask();
  K.playersDo("list").then(() => K.redraw("bin"));
};
K.surface("bin", { element, props, watch }, (_, value) => {
  if (open && value) fill(value);
});
