// operation: of ui.rewriting.Rewrites.arrange; "look" only shows the list as it is. A conversation that goes to the bin leaves its messages, branches and memories as they are, and can come back.
K.arrange = (operation, rest, then = () => {}) => trigger("arrange", { operation, chat: K.chat, marks: K.marks, ...rest, token: K.asking((done) => { if (done) then(); }) });
const titleOf = (chat) => chat.title || K.nameOf(chat);
K.renameChat = async (chat) => {
  const title = await K.prompt({ title: K.t("rename_chat"), label: K.t("name"), value: titleOf(chat), act: K.t("save"), most: K.house.name_limit });
  if (title && title !== titleOf(chat)) K.arrange("rename", { of: chat.id, title });
};
K.deleteChat = (chat) => K.arrange("delete", { of: chat.id }, () =>
  K.toast(K.t("did_delete_chat", { name: titleOf(chat) }), { label: K.t("undo"), act: () => K.arrange("restore", { of: chat.id, open: "yes" }) }));
K.favourChat = (chat) => K.arrange("favour", { of: chat.id, on: chat.favourite ? "" : "yes" });
K.archiveChat = (chat) => {
  const put = (on) => K.arrange("archive", { of: chat.id, on }, () => { if (on) K.toast(K.t("did_archive", { name: titleOf(chat) }), { label: K.t("undo"), act: () => put("") }); });
  put(chat.archived ? "" : "yes");
};
const foldersOf = (chats) => [...new Set(chats.map((chat) => chat.folder).filter(Boolean))].sort((a, b) => a.localeCompare(b, K.locale()));
// The folders that are there, a new one, or none.
K.fileChat = (chat, anchor) => {
  const put = (title) => K.arrange("file", { of: chat.id, title });
  const fresh = async () => { const title = await K.prompt({ title: K.t("folder"), label: K.t("name"), act: K.t("save"), most: K.house.name_limit }); if (title) put(title); };
  K.menu(anchor, [
    ...foldersOf(K.shelf.chats).map((folder) => ({ name: `folder-${folder}`, icon: folder === chat.folder ? "tick" : "folder", label: folder, act: () => put(folder) })),
    null,
    { name: "folder_new", icon: "plus", label: K.t("folder_new"), act: fresh },
    chat.folder && { name: "folder_out", icon: "undo", label: K.t("folder_out"), act: () => put("") },
  ].filter((item) => item !== ""), { title: K.t("folder_move"), head: titleOf(chat) });
};
// What can be done with a conversation in the list; the menu above it says the same.
K.chatDeeds = (chat, anchor) => [
  { name: "rename", icon: "pencil", label: K.t("rename_chat"), act: () => K.renameChat(chat) },
  { name: "favour", icon: "star", label: K.t(chat.favourite ? "unfavour" : "favour"), act: () => K.favourChat(chat) },
  { name: "file", icon: "folder", label: K.t("folder_move"), act: () => K.fileChat(chat, anchor) },
  { name: "archive", icon: "box", label: K.t(chat.archived ? "unarchive" : "archive"), act: () => K.archiveChat(chat) },
  { name: "export", icon: "out", label: K.t("export_chat"), act: () => K.exportChat(chat) },
  chat.sample
    ? { name: "remove_sample", icon: "bin", label: K.t("sample_remove"), act: () => K.removeSample(chat), grave: true }
    : { name: "delete", icon: "bin", label: K.t("delete_chat"), act: () => K.deleteChat(chat), grave: true },
];
const menuOf = (chat, anchor) => K.menu(anchor, K.chatDeeds(chat, anchor), { title: titleOf(chat), head: K.fine() ? "" : titleOf(chat) });
const folderMenu = (folder, anchor) => K.menu(anchor, [
  { name: "rename", icon: "pencil", label: K.t("folder_rename"), act: async () => {
    const title = await K.prompt({ title: K.t("folder_rename"), label: K.t("name"), value: folder, act: K.t("save"), most: K.house.name_limit });
    if (title && title !== folder) K.arrange("rename_folder", { folder, title });
  } },
  { name: "empty", icon: "undo", label: K.t("folder_empty"), act: () => K.arrange("rename_folder", { folder, title: "" }) },
], { title: folder, head: folder });

// Of several characters two faces: who else is there stands in the name.
K.facesOf = (chat) => (chat.members.length
  ? K.el("span", { class: "k-faces" }, K.avatar(chat.character, "s", chat), K.avatar(chat.members.find((name) => name !== chat.character) ?? chat.character, "s", null))
  : K.avatar(chat.character, "s", chat));
// Before its line, so that they take nothing from its name.
const badgesOf = (chat) => [chat.archived && K.el("span", { class: "k-badge", text: K.t("archived") }), chat.listens && K.el("span", { class: "k-badge", text: K.t("listening") }), K.sampleBadge?.(chat)].filter(Boolean);
const line = (chat) =>
  K.el("li", { class: "k-chat-row" },
    K.el("button", {
      class: "k-chat", type: "button", "aria-current": chat.id === K.chat ? "page" : null, "data-chat": chat.id,
      onclick: () => K.openChat(chat.id),
    },
      K.facesOf(chat),
      K.el("span", { class: "k-chat-words", lang: chat.language },
        K.el("span", { class: "k-chat-name" }, chat.favourite && K.icon("star"), K.el("span", { title: titleOf(chat), text: titleOf(chat) })),
        K.el("span", { class: "k-chat-under" },
          K.el("span", { class: "k-chat-line", title: K.t("chat_rounds", { n: chat.rounds }) }, badgesOf(chat).flatMap((badge) => [badge, " "]), K.sampleWork?.(chat) ?? chat.line.replaceAll("*", "")),
          K.el("time", { text: chat.at ? K.date(chat.at) : "" })))),
    K.dots(K.t("menu_of", { name: titleOf(chat) }), (anchor) => menuOf(chat, anchor), { "data-chat-menu": chat.id }));

// The list: on top what is kept there, then folders, what stands in none, and folded at the end the archive. Where it is filtered, all of it as one.
let wanted = "";
const MANY = 5;          // conversations from which on the list can be filtered
const isOpen = (name, otherwise) => (K.kept(`fold.${name}`) ?? otherwise) === "open";
const fold = (name, head, chats, { open = "open", tools = null } = {}) =>
  K.el("details", { class: "k-fold", "data-fold": name, ...K.unfolds(isOpen(name, open) || chats.some((chat) => chat.id === K.chat && chat.archived), (unfolded) => K.keep(`fold.${name}`, unfolded ? "open" : "shut")) },
    K.el("summary", {}, head, tools), K.el("ul", {}, chats.map(line)));
const matching = (chats) => {
  const words = wanted.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  return chats.filter((chat) => { const text = `${titleOf(chat)} ${chat.character} ${chat.members.join(" ")} ${chat.folder}`.normalize("NFKC").toLowerCase(); return words.every((word) => text.includes(word)); });
};
const listOf = (chats) => {
  if (wanted.trim()) {
    const found = matching(chats);
    return found.length ? [K.el("ul", {}, found.map(line))] : [K.el("p", { class: "k-quiet", role: "status", text: K.t("filter_none") })];
  }
  const [here, away] = [chats.filter((chat) => !chat.archived), chats.filter((chat) => chat.archived)];
  const [top, rest] = [here.filter((chat) => chat.favourite), here.filter((chat) => !chat.favourite)];
  const loose = rest.filter((chat) => !chat.folder);
  return [
    top.length > 0 && K.el("ul", { class: "k-on-top", "aria-label": K.t("favourites") }, top.map(line)),
    foldersOf(rest).map((folder) => {
      const inside = rest.filter((chat) => chat.folder === folder);
      return fold(`folder ${folder}`, K.el("span", { class: "k-fold-name" }, K.icon("folder"), K.el("span", { dir: "auto", text: folder }), K.el("small", { "aria-label": K.t("folder_count", { n: inside.length }), text: K.number(inside.length) })), inside,
        { tools: K.dots(K.t("menu_of", { name: folder }), (anchor) => folderMenu(folder, anchor), { onclick: (event) => { event.preventDefault(); folderMenu(folder, event.currentTarget); }, "data-folder-menu": folder }) });
    }),
    loose.length > 0 && K.el("ul", {}, loose.map(line)),
    away.length > 0 && fold("archive", K.el("span", { class: "k-fold-name" }, K.icon("box"), K.el("span", { text: K.t("archived_n", { n: away.length }) })), away, { open: "shut" })].flat().filter(Boolean);
};
const filter = K.el("input", { class: "k-field k-filter", type: "text", autocomplete: "off", dir: "auto", oninput: () => { wanted = filter.value; list.replaceChildren(...listOf(K.shelf.chats)); } });
filter.addEventListener("keydown", (event) => { if (event.key === "Escape" && filter.value) { event.stopPropagation(); filter.value = wanted = ""; list.replaceChildren(...listOf(K.shelf.chats)); } });
const list = K.el("div", { class: "k-chat-list" });

const character = (one) =>
  K.el("button", {
    class: "k-character", type: "button", "data-character": one.id, "aria-label": K.t("talk_with", { name: one.name }),
    onclick: () => K.begin(one.id),
  },
    K.avatar(one.name, "m", null),
    K.el("span", { lang: one.language }, K.el("b", { text: one.name }), K.el("small", { text: one.tagline })));
K.begin = (id) => trigger("create", { character: id });
K.openChat = (id) => (id === K.chat ? K.drawer(null) : trigger("open", { chat: id }));

const languages = () =>
  K.el("div", { class: "k-languages", role: "group", "aria-label": K.t("language_switch") },
    Object.keys(K.catalogue).map((code) =>
      K.el("button", {
        type: "button", "aria-pressed": String(code === K.language), lang: code, text: K.catalogue[code].language_name,
        onclick: () => { K.keep("language", code); K.setLanguage(code); },
      })));

const THEMES = ["system", "light", "dark"];
const themes = () =>
  K.el("div", { class: "k-languages k-themes", role: "group", "aria-label": K.t("theme") },
    THEMES.map((theme) =>
      K.el("button", {
        type: "button", "data-theme-of": theme, "aria-pressed": String(theme === K.theme()), text: K.t(`theme_${theme}`), title: K.t(`theme_${theme}_means`),
        onclick: () => { K.setTheme(theme); K.redraw("shelf"); document.querySelector(`[data-theme-of="${theme}"]`)?.focus(); },
      })));

// A card that says it is for adults carries the mark wherever it is offered.
K.adultBadge = (one) => (one.adult ? K.el("span", { class: "k-badge k-adult", title: K.t(`adult_${one.adult}`), text: "18+" }) : null);
K.shelved = (value) => {
  const hidden = value.hides_adult ? value.own.filter((one) => one.adult) : [];
  return { ...value, all: value.own, own: hidden.length ? value.own.filter((one) => !one.adult) : value.own, hidden: hidden.length };
};
let came = null;   // the list as the server said it; `K.shelf` is without what is out of sight
K.surface("shelf", { element, props, watch }, (root, value) => {
  if (!value) return;
  const news = came !== value;
  if (news) { came = value; K.shelf = K.shelved(value); K.redraw("banner"); }
  value = K.shelf;
  const scrolled = [".k-chats", ".k-whom"].map((part) => root.querySelector(part)?.scrollTop ?? 0);
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset : null;
  const filtering = document.activeElement === filter;
  if (value.chats.length < MANY) filter.value = wanted = "";
  filter.placeholder = K.t("filter_chats");
  filter.setAttribute("aria-label", K.t("filter_chats"));
  list.replaceChildren(...listOf(value.chats));
  root.replaceChildren(
    K.el("header", { class: "k-brand" },
      K.el("img", { src: K.brand, alt: "", width: 38, height: 38 }),
      K.el("span", {}, K.el("b", { text: K.t("brand") }), K.el("small", { text: K.t("motto") })),
      K.el("button", { class: "k-plain k-narrow", type: "button", "aria-label": K.t("close"), onclick: () => K.drawer(null) }, K.icon("close"))),
    K.el("section", { class: "k-whom", "aria-label": K.t("new_chat") },
      K.el("header", {}, K.el("h2", { text: K.t("new_chat") }),
        K.el("span", { class: "k-quick" }, K.tool("plus", K.t("new_character"), () => K.openCharacter()), K.tool("in", K.t("import_cards"), () => K.openCards())),
        K.el("button", { class: "k-link k-open-passing", type: "button", title: K.t("passing"), "aria-haspopup": "dialog", onclick: () => K.openPassing() }, K.icon("ghost"), K.el("span", { text: K.t("passing_open") }))), K.beginsAs?.(), K.el("div", { class: "k-characters" }, K.builtIn().map(character),
      K.el("button", { class: "k-link k-open-gathering", type: "button", title: K.t("company_begin_title"), "aria-haspopup": "dialog", onclick: () => K.openGathering() }, K.icon("plus"), K.el("span", { text: K.t("company_new") })),
      K.el("button", { class: "k-link k-open-hearing", type: "button", title: K.t("listen_begin_title"), "aria-haspopup": "dialog", onclick: () => K.openHearing() }, K.icon("ear"), K.el("span", { text: K.t("listen_new") }))), K.ownCharacters?.(value.own)),
    K.el("nav", { class: "k-chats", "aria-label": K.t("your_chats"), style: { "--k-rows": String(value.chats.length) } },
      K.el("header", {}, K.el("h2", { text: K.t("your_chats") }),
        value.chats.length > 0 && K.tool("lens", K.t("search"), () => K.openSearch(), { class: "k-plain k-open-search", "aria-haspopup": "dialog" }),
        K.el("button", { class: "k-link k-import", type: "button", title: K.t("import_chat"), onclick: () => K.openImport() }, K.icon("in"), K.el("span", { text: K.t("import") }))),
      value.chats.length >= MANY && filter,
      value.chats.length ? list : K.el("p", { class: "k-quiet", text: K.t("no_chats") }),
      !value.chats.length && K.el("button", { class: "k-link k-open-samples", type: "button", onclick: () => K.openSamples() }, K.icon("book"), K.el("span", { text: K.t("samples_welcome") }))),
    K.el("footer", { class: "k-shelf-foot" }, languages(), themes(),
      K.el("span", {}, K.accountTool?.(), K.workbenchTool?.(), K.runsTool?.(), K.tool("cog", K.t("models"), () => K.openModels(), { class: "k-plain k-open-models", "aria-haspopup": "dialog" }), K.tool("book", K.t("samples"), () => K.openSamples(), { class: "k-plain k-open-samples", "aria-haspopup": "dialog" }),
        K.tool("out", K.t("export"), () => K.exportChat(K.here()), { class: "k-plain k-open-export", "aria-haspopup": "dialog" }), K.tool("bin", K.t("bin"), () => K.openBin(), { class: "k-plain k-open-bin", "aria-haspopup": "dialog" }))));
  root.querySelectorAll(".k-chats, .k-whom").forEach(K.edges);
  [".k-chats", ".k-whom"].forEach((part, at) => { if (scrolled[at]) root.querySelector(part).scrollTop = scrolled[at]; });
  if (filtering) filter.focus({ preventScroll: true });
  if (focused?.chatMenu) root.querySelector(`[data-chat-menu="${CSS.escape(focused.chatMenu)}"]`)?.focus();
  if (focused?.own) root.querySelector(`[data-own="${CSS.escape(focused.own)}"]`)?.focus({ preventScroll: true });
  if (focused?.chat) root.querySelector(`[data-chat="${CSS.escape(focused.chat)}"]`)?.focus();
  if (news) K.redraw("masthead", "transcript", "composer");
  if (news) K.samplesLook?.();
  if (news) K.galleryNews?.();
});
