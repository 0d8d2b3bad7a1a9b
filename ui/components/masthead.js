// Who one talks with, on which branch, what can be taken back, and everything else about the conversation behind one menu.
const opener = (name, icon, label) =>
  K.el("button", {
    class: "k-plain k-narrow", type: "button", "data-k-opens": name, "aria-label": label, "aria-expanded": "false", "aria-controls": `k-${name}`,
    onclick: () => K.drawer(name),
  }, K.icon(icon));

const slim = () => window.matchMedia("(max-width: 1240px)").matches;   // the question mark has no room beside the name then
const undoing = () => [["undo", K.undoable(), K.undo], ["redo", K.story.redo, K.redo]];
const labelOf = (way, operation) => (operation ? K.t(way === "undo" ? "undo_this" : "redo_this", { what: K.operation?.(operation) ?? operation }) : K.t(way));
const more = (anchor, chat) => K.menu(anchor, [
  ...(K.narrow() ? undoing().map(([way, operation, act]) => ({ name: way, icon: way, label: labelOf(way, operation), act, off: !operation })) : []),
  K.narrow() ? null : false,
  { name: "branches", icon: "fork", label: K.t("branches"), act: () => K.openTree() },
  { name: "bin", icon: "bin", label: K.t("bin"), act: () => K.openBin() },
  { name: "search", icon: "lens", label: K.t("search"), hint: K.keyOf?.("search"), act: () => K.openSearch() },
  { name: "asking", icon: "seek", label: K.t("asking"), hint: K.keyOf?.("asking"), act: () => K.openAsking() },
  { name: "lore", icon: "book", label: K.t("lorebooks"), act: () => K.openLorebooks() },
  { name: "note", icon: "note", label: K.t("note"), act: () => K.openNote() },
  ...K.memoryDeeds(),
  { name: "carrying", icon: "out", label: K.t("carrying"), act: () => K.openCarrying() },
  { name: "playing", icon: "person", label: K.t("play_as"), act: () => K.openPlaying() },
  !chat.sample && !K.story.listening?.on && { name: "join", icon: "person", label: K.t("company_join"), act: () => K.openJoining() },
  K.story.listening?.on && { name: "take_up", icon: "send", label: K.t("listen_take_up", { name: K.nameOf(chat) }), act: () => K.act("take_up", { name: K.nameOf(chat) }) },
  K.story.listening && !K.story.listening.on && { name: "listen", icon: "ear", label: K.t("listen_from_here"), act: () => K.act("listen") },
  (K.story.listening?.on || K.story.listening?.feeds > 0) && { name: "feeds", icon: "in", label: K.t("listen_feeds"), act: () => K.openFeeds() },
  { name: "queue", icon: "list", label: K.t("queue"), act: () => K.openQueue() },
  K.readTo > 0 && { name: "read_to", icon: "mark", label: K.t("read_to_go", { n: K.readTo }), act: () => K.jump(K.readTo) },
  { name: "learning", icon: "curve", label: K.t("learning"), act: () => K.openLearning() },
  { name: "models", icon: "cog", label: K.t("models"), act: () => K.openModels() },
  null,
  K.fine() && { name: "keys", icon: "keys", label: K.t("keys"), hint: "?", act: () => K.openKeys() },
  slim() && { name: "guide", icon: "ask", label: K.t("guide_title"), act: () => K.openGuide() },
  { name: "tour", icon: "flag", label: K.t("tour"), act: () => K.startTour() },
  null,
  ...K.chatDeeds(chat, anchor),
].filter((item) => item !== false && item !== undefined), { title: K.t("chat_menu") });

K.surface("masthead", { element, props, watch }, (root) => {
  const chat = K.here();
  const name = K.nameOf(chat);
  const { branch, forked, branches, redo, note } = K.story;
  const undo = K.undoable();
  document.title = name ? `${name} · ${K.t("brand")}` : K.t("brand");
  const focused = root.contains(document.activeElement) ? document.activeElement.id : "";
  root.replaceChildren(
    opener("shelf", "menu", K.t("open_shelf")),
    chat
      ? K.el("div", { class: "k-title" },
          K.facesOf(chat),
          K.el("h1", { text: chat.title || name, lang: chat.language, dir: "auto" }),
          K.sampleBadge?.(chat),
          chat.listens && K.el("span", { class: "k-listening", title: K.t("listening_means", { name }) }, K.icon("ear"), K.el("span", { text: K.t("listening") })),
          !K.remembers() && K.el("span", { class: "k-listening k-memory-off", title: K.t("memory_off_means") }, K.icon("forget"), K.el("span", { class: "k-unseen", text: K.t("memory_is_off") })),
          K.el("span", { class: "k-quiet k-rounds", text: K.t("chat_rounds", { n: chat.rounds }) }),
          branches > 1 && K.el("button", { class: "k-branch", id: "k-branch", type: "button", title: K.t("branches_means", { n: branches }), "aria-haspopup": "dialog", onclick: () => K.openTree() },
            K.icon("fork"), K.el("span", { dir: "auto", text: branch || (forked ? K.t("branch_name", { n: forked }) : K.t("branch_first")) })))
      : K.el("div", { class: "k-title" }, K.el("img", { src: K.brand, alt: "", width: 28, height: 28, class: "k-narrow" }), K.el("h1", { class: "k-narrow", text: K.t("brand") })),
    ...(chat ? [K.tool("seek", K.t("asking"), () => K.openAsking(), { id: "k-asking-open", class: "k-plain k-wide", "aria-haspopup": "dialog" })] : []),
    ...(chat && note ? [K.tool("note", K.t("note_set"), () => K.openNote(), { id: "k-note-open", class: "k-plain k-wide", "aria-haspopup": "dialog" })] : []),
    ...(chat && (undo || redo) ? undoing().map(([way, operation, act]) => K.tool(way, labelOf(way, operation), act, { id: `k-${way}`, class: "k-plain k-wide", disabled: !operation })) : []),
    K.tool("ask", K.t("guide_title"), () => K.openGuide(), { class: `k-plain k-help${chat ? " k-wide" : ""}` }),
    ...(chat ? [K.dots(K.t("chat_menu"), (anchor) => more(anchor, chat), { id: "k-chat-menu" })] : []),
    opener("panel", "book", K.t("open_panel")));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
});
