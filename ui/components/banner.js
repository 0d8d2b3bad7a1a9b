// That nothing can be saved, for as long as it is so, and one error at a time. A server's error has a number, so that the same one can come twice; the page's own come through K.complain.
let seen = null;
let standing = null;
const show = (root) => {
  root.replaceChildren();
  const storage = K.shelf?.storage;
  if (storage) root.append(K.el("div", { class: "k-banner", role: "status", "data-storage": storage }, K.el("p", { text: K.t(`unwritable_${storage}`) })));
  if (!standing) return;
  const sentence = standing.key ? K.t(standing.key) : K.sentence(standing);
  // A model's own message says more than its code: which address, which setting.
  const more = /^(model|storage)_/.test(standing.code ?? "") && standing.message !== sentence ? standing.message : "";
  root.append(
    K.el("div", { class: "k-banner", role: "alert", "data-code": standing.code ?? standing.key },
      K.el("div", {},
        K.el("p", { text: sentence }),
        more && K.el("details", {}, K.el("summary", { text: K.t("details") }), K.el("p", { text: more, lang: "en" }))),
      K.el("button", { class: "k-plain", type: "button", "aria-label": K.t("dismiss"), onclick: () => { standing = null; show(root); } }, K.icon("close"))));
};
// Gradio's own notices (the server is gone, a request broke) are in English and come and go by themselves: they are said here instead. When the server is
// back, Gradio loads the page anew.
const notices = document.querySelector(".toast-wrap");
if (notices) new MutationObserver(() => {
  const text = notices.textContent.trim();
  if (text) K.complain?.(/connection/i.test(text) ? "no_server" : "error_unexpected");
}).observe(notices, { childList: true, subtree: true });

K.surface("banner", { element, props, watch }, (root, value) => {
  K.complain = (key) => { standing = key ? { key } : null; show(root); };
  if (value && value.n !== seen) {
    seen = value.n;
    standing = value.code ? value : null;
  }
  show(root);
});
