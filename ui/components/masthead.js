// What this is, for a first visit; the same behind the question mark.
K.guide = () => {
  const status = K.house?.status;
  const model = status?.model ?? "";
  return [
    K.el("h2", { text: K.t("guide_title") }),
    K.el("ul", {},
      K.el("li", { text: K.t("guide_what") }),
      K.el("li", { text: K.t("guide_watch") }),
      K.el("li", { text: status?.small ? K.t("model_is_small", { model }) : K.t("answered_by", { model }) }),
      K.el("li", { text: K.t("guide_stays") })),
    K.el("details", {}, K.el("summary", { text: K.t("own_model") }), K.el("p", { text: K.t("own_model_how") }), K.ownModel?.())];
};
const book = K.el("dialog", { class: "k-guide", onclick: (event) => { if (event.target === book) book.close(); } });
const openBook = () => {
  book.replaceChildren(...K.guide(), K.el("button", { class: "k-button", type: "button", text: K.t("close"), onclick: () => book.close() }));
  if (!book.isConnected) document.getElementById("k-house")?.append(book);
  book.showModal();
};

const opener = (name, icon, label) =>
  K.el("button", {
    class: "k-plain k-narrow", type: "button", "data-k-opens": name, "aria-label": label, "aria-expanded": "false", "aria-controls": `k-${name}`,
    onclick: () => K.drawer(name),
  }, K.icon(icon));

K.surface("masthead", { element, props, watch }, (root) => {
  const chat = K.here();
  const name = chat?.character ?? "";
  document.title = name ? `${name} · ${K.t("brand")}` : K.t("brand");
  root.replaceChildren(
    opener("shelf", "menu", K.t("open_shelf")),
    chat
      ? K.el("div", { class: "k-title", lang: chat.language },
          K.avatar(name, "s"),
          K.el("h1", { text: chat.title || name }),
          K.el("span", { class: "k-quiet", lang: K.locale(), text: K.t("chat_rounds", { n: chat.rounds }) }))
      : K.el("div", { class: "k-title" }, K.el("img", { src: K.brand, alt: "", width: 28, height: 28, class: "k-narrow" }), K.el("h1", { class: "k-narrow", text: K.t("brand") })),
    K.el("button", { class: "k-plain k-help", type: "button", "aria-label": K.t("guide_title"), title: K.t("guide_title"), onclick: openBook }, K.icon("ask")),
    opener("panel", "book", K.t("open_panel")));
});
