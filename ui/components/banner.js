// One error at a time. A server's error has a number, so that the same one can come twice; the page's own come through K.complain.
let seen = null;
let standing = null;
const show = (root) => {
  root.replaceChildren();
  if (!standing) return;
  const sentence = standing.key ? K.t(standing.key) : K.sentence(standing);
  const more = standing.message && standing.message !== sentence ? standing.message : "";
  root.append(
    K.el("div", { class: "k-banner", role: "alert", "data-code": standing.code ?? standing.key },
      K.el("div", {},
        K.el("p", { text: sentence }),
        more && K.el("details", {}, K.el("summary", { text: K.t("details") }), K.el("p", { text: more, lang: "en" }))),
      K.el("button", { class: "k-plain", type: "button", "aria-label": K.t("dismiss"), onclick: () => { standing = null; show(root); } }, K.icon("close"))));
};
K.surface("banner", { element, props, watch }, (root, value) => {
  K.complain = (key) => { standing = key ? { key } : null; show(root); };
  if (value && value.n !== seen) {
    seen = value.n;
    standing = value.code ? value : null;
  }
  show(root);
});
