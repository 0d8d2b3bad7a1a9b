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
    opener("panel", "book", K.t("open_panel")));
});
