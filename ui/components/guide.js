// What this is, for a first visit; the same behind the question mark.
K.guide = () => {
  const status = K.house?.status;
  const model = status?.model ?? "";
  return [
    K.el("h2", { id: "k-guide-title", text: K.t("guide_title") }),
    K.el("ul", {},
      K.el("li", { text: K.t("guide_what") }),
      K.el("li", { text: K.t("guide_watch") }),
      K.el("li", { text: K.t(K.fine() ? "guide_keys" : "guide_touch") }),
      K.el("li", { text: status?.small ? K.t("model_is_small", { model }) : K.t("answered_by", { model }) }),
      K.el("li", { text: K.t(K.house?.account ? "guide_kept_there" : "guide_stays") })),
    K.noticePart?.(),
    K.mayChooseModel() && K.ownModel?.()].filter(Boolean);
};
const book = K.el("dialog", { class: "k-guide", "aria-labelledby": "k-guide-title", onclick: (event) => { if (event.target === book) book.close(); } });
K.openGuide = () => {
  const due = K.noticeDue?.();
  const away = (act) => () => { book.close(); act(); };
  book.replaceChildren(K.el("button", { class: "k-plain k-guide-close", type: "button", "aria-label": K.t("close"), title: K.t("close"), onclick: () => book.close() }, K.icon("close")), ...K.guide(), K.hidingAdult(), K.el("p", { class: "k-quiet", text: K.t(K.hasVoices?.() ? "speak_means" : "speak_none") }), K.el("p", { class: "k-row-tools" },
    K.el("button", { class: "k-link k-start-tour", type: "button", text: K.t("tour"), onclick: away(() => K.startTour()) }),
    K.el("button", { class: "k-link k-open-samples", type: "button", text: K.t("samples"), onclick: away(() => K.openSamples()) })), K.el("button", { class: "k-button", type: "button", text: K.t(due ? "got_it" : "close"), onclick: () => { book.close(); if (due) K.accept(); } }));
  if (!book.isConnected) document.getElementById("k-house")?.append(book);
  book.showModal();
};
