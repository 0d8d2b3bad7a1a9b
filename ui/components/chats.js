// operation: of ui.rewriting.Rewrites.arrange; "look" only shows the list as it is. A conversation that goes to the bin leaves its messages, branches and memories as they are, and can come back.
K.arrange = (operation, rest, then = () => {}) => trigger("arrange", { operation, chat: K.chat, marks: K.marks, ...rest, token: K.asking((done) => { if (done) then(); }) });
const titleOf = (chat) => chat.title || chat.character;
K.renameChat = async (chat) => {
  const title = await K.prompt({ title: K.t("rename_chat"), label: K.t("name"), value: titleOf(chat), act: K.t("save"), most: K.house.name_limit });
  if (title && title !== titleOf(chat)) K.arrange("rename", { of: chat.id, title });
};
K.deleteChat = (chat) => K.arrange("delete", { of: chat.id }, () =>
  K.toast(K.t("did_delete_chat", { name: titleOf(chat) }), { label: K.t("undo"), act: () => K.arrange("restore", { of: chat.id, open: "yes" }) }));
const menuOf = (chat, anchor) => K.menu(anchor, [
  { name: "rename", icon: "pencil", label: K.t("rename_chat"), act: () => K.renameChat(chat) },
  { name: "export", icon: "out", label: K.t("export_chat"), act: () => K.exportChat(chat) },
  { name: "delete", icon: "bin", label: K.t("delete_chat"), act: () => K.deleteChat(chat), grave: true },
], { title: titleOf(chat), head: K.fine() ? "" : titleOf(chat) });

const line = (chat) =>
  K.el("li", { class: "k-chat-row" },
    K.el("button", {
      class: "k-chat", type: "button", "aria-current": chat.id === K.chat ? "page" : null, "data-chat": chat.id,
      onclick: () => (chat.id === K.chat ? K.drawer(null) : trigger("open", { chat: chat.id })),
    },
      K.avatar(chat.character, "s", chat),
      K.el("span", { class: "k-chat-words", lang: chat.language },
        K.el("span", { class: "k-chat-name" }, K.el("span", { text: titleOf(chat) }), K.el("time", { text: chat.at ? K.date(chat.at) : "" })),
        K.el("span", { class: "k-chat-line", text: chat.line.replaceAll("*", ""), title: K.t("chat_rounds", { n: chat.rounds }) }))),
    K.dots(K.t("menu_of", { name: titleOf(chat) }), (anchor) => menuOf(chat, anchor), { "data-chat-menu": chat.id }));

const character = (one) =>
  K.el("button", {
    class: "k-character", type: "button", "data-character": one.id, "aria-label": K.t("talk_with", { name: one.name }),
    onclick: () => K.begin(one.id),
  },
    K.avatar(one.name, "m", null),
    K.el("span", { lang: one.language }, K.el("b", { text: one.name }), K.el("small", { text: one.tagline })));
K.begin = (id) => trigger("create", { character: id });

const languages = () =>
  K.el("div", { class: "k-languages", role: "group", "aria-label": K.t("language_switch") },
    Object.keys(K.catalogue).map((code) =>
      K.el("button", {
        type: "button", "aria-pressed": String(code === K.language), lang: code, text: K.catalogue[code].language_name,
        onclick: () => { K.keep("language", code); K.setLanguage(code); },
      })));

K.surface("shelf", { element, props, watch }, (root, value) => {
  if (!value) return;
  const news = K.shelf !== value;
  K.shelf = value;
  const scrolled = [".k-chats", ".k-whom"].map((part) => root.querySelector(part)?.scrollTop ?? 0);
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset : null;
  root.replaceChildren(
    K.el("header", { class: "k-brand" },
      K.el("img", { src: K.brand, alt: "", width: 38, height: 38 }),
      K.el("span", {}, K.el("b", { text: K.t("brand") }), K.el("small", { text: K.t("motto") })),
      K.el("button", { class: "k-plain k-narrow", type: "button", "aria-label": K.t("close"), onclick: () => K.drawer(null) }, K.icon("close"))),
    K.el("section", { class: "k-whom", "aria-label": K.t("new_chat") },
      K.el("h2", { text: K.t("new_chat") }), K.el("div", { class: "k-characters" }, (K.house?.characters ?? []).map(character)), K.ownCharacters?.(value.own)),
    K.el("nav", { class: "k-chats", "aria-label": K.t("your_chats") },
      K.el("header", {}, K.el("h2", { text: K.t("your_chats") }),
        K.el("button", { class: "k-link k-import", type: "button", title: K.t("import_chat"), onclick: () => K.openImport() }, K.icon("in"), K.el("span", { text: K.t("import") }))),
      value.chats.length ? K.el("ul", {}, value.chats.map(line)) : K.el("p", { class: "k-quiet", text: K.t("no_chats") })),
    K.el("footer", { class: "k-shelf-foot" }, languages(),
      K.tool("bin", K.t("bin"), () => K.openBin(), { class: "k-plain k-open-bin" })));
  [".k-chats", ".k-whom"].forEach((part, at) => { root.querySelector(part).scrollTop = scrolled[at]; });
  if (focused?.chatMenu) root.querySelector(`[data-chat-menu="${CSS.escape(focused.chatMenu)}"]`)?.focus();
  if (focused?.own) root.querySelector(`[data-own="${CSS.escape(focused.own)}"]`)?.focus({ preventScroll: true });
  if (focused?.chat) root.querySelector(`[data-chat="${CSS.escape(focused.chat)}"]`)?.focus();
  if (news) K.redraw("masthead", "transcript", "composer");
});
