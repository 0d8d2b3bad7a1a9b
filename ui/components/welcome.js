// Where nothing is open yet: who there is to talk with.
const NEWEST = 8;   // own characters; the others stand in the left column
const LATEST = 3;   // conversations, ahead of whom to begin one with; all of them stand in the left column, which a phone hides
K.welcome = () =>
  K.el("div", { class: "k-welcome" },
    K.el("img", { src: K.brand, alt: "", width: 72, height: 72 }),
    K.el("h1", { text: K.t("welcome") }),
    K.el("p", { text: K.t("welcome_line") }),
    (K.shelf?.chats.length ?? 0) > 0 && K.el("nav", { class: "k-recent", "aria-label": K.t("your_chats") },
      K.el("h2", { text: K.t("your_chats") }),
      K.el("ul", {}, K.shelf.chats.slice(0, LATEST).map((chat) =>
        K.el("li", {}, K.el("button", { type: "button", class: "k-link", onclick: () => trigger("open", { chat: chat.id }) },
          K.facesOf(chat), K.el("span", { lang: chat.language, text: chat.title || K.nameOf(chat) }), K.el("small", { text: K.t("chat_rounds", { n: chat.rounds }) })))))),
    K.beginsAs?.(),
    K.el("div", { class: "k-covers" }, [...K.builtIn(), ...(K.shelf?.own ?? []).slice(0, NEWEST)].map((one) =>
      K.el("button", { type: "button", class: "k-cover", "data-character": one.id, "aria-label": K.t("talk_with", { name: one.name }), onclick: () => trigger("create", { character: one.id }) },
        one.avatar ? K.avatar(one.name, "l", null) : K.face(one.face, one.name, "l"),
        K.el("b", { text: one.name, lang: one.language, dir: "auto" }), K.adultBadge(one),
        K.el("span", { text: K.lineOf(one), lang: one.language, dir: "auto" }),
        K.knows(`speaks_${one.language}`) && K.el("small", { text: K.t(`speaks_${one.language}`) })))),
    K.noticeDue?.() && K.el("aside", { class: "k-guide", "aria-label": K.t("guide_title") }, K.guide?.(),
      K.el("button", { class: "k-button", type: "button", text: K.t("got_it"), onclick: () => K.accept() })),
    K.el("p", { class: "k-ways" }, K.el("button", { class: "k-link k-new-character", type: "button", "aria-haspopup": "dialog", onclick: () => K.openGallery() }, K.icon("seek"), K.el("span", { text: K.t("gallery") })), K.newCharacter?.(), K.el("button", { class: "k-link k-open-gathering", type: "button", onclick: () => K.openGathering() }, K.icon("plus"), K.el("span", { text: K.t("company_begin_title") })), K.el("button", { class: "k-link k-open-hearing", type: "button", onclick: () => K.openHearing() }, K.icon("ear"), K.el("span", { text: K.t("listen_begin_title") })), K.el("button", { class: "k-link k-import", type: "button", onclick: () => K.openImport() }, K.icon("in"), K.el("span", { text: K.t("import_welcome") })),
      K.el("button", { class: "k-link k-open-samples", type: "button", onclick: () => K.openSamples() }, K.icon("book"), K.el("span", { text: K.t("samples_welcome") }))));

// What a sheet beside it will hold, while nothing is open.
const told = { persona: "tour_persona_text", story: "tour_story_text", insights: "tour_insights_text", topics: "tour_topics_text", memories: "tour_memories_text", fading: "fading_means", receipt: "tour_receipt_text" };
K.nothingOpen = (sheet) => K.el("div", { class: "k-quiet k-empty k-nothing-open" },
  K.el("p", { text: K.t("memories_no_chat") }), told[sheet] && K.el("p", { text: K.t(told[sheet]) }));
