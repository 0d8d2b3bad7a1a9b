// What is good to know before one talks: said once in the guide of a first visit, or in a line above the box where somebody began without it; found again in
// "How Keepsake works". With accounts it is each account's own; else this browser remembers it with the guide.
const row = K.el("div", { class: "k-notice-row", role: "note", hidden: true });
let drawn = "";
K.noticeRow = () => row;
K.noticeDue = () => Boolean(K.house && K.shelf) && !K.shelf.noticed && (Boolean(K.house.account) || K.kept("seen") === null);
K.heed = (operation) => trigger("heed", { operation });
K.accept = () => {
  K.keep("seen", "1");
  if (K.shelf) K.shelf.noticed = true;   // the line is gone at once; the server's word follows
  K.heed("accept");
  K.redraw("transcript", "composer");
};
const leaves = () => {
  const host = K.house?.status?.leaves;
  return host ? K.t("notice_leaves", { host }) : "";   // what stays is said in the guide itself
};
// What of it can be changed, for the guide that is opened on purpose.
K.hidingAdult = () => K.el("label", { class: "k-check" },
  K.el("input", { type: "checkbox", "data-hides-adult": "", checked: Boolean(K.shelf?.hides_adult), onchange: (event) => K.heed(event.currentTarget.checked ? "hide_adult" : "show_adult") }),
  K.el("span", { text: K.t("hide_adult") }));
K.noticePart = () => K.el("section", { class: "k-notice", "aria-label": K.t("notice_title") },
  K.el("h3", { text: K.t("notice_title") }),
  K.el("ul", {}, [K.t("notice_fiction"), K.t("notice_unmoderated"), K.t("notice_adults"), leaves()].filter(Boolean).map((text) => K.el("li", { text }))));
K.drawNotice = () => {
  const due = Boolean(K.chat) && K.noticeDue();
  const mark = JSON.stringify([K.language, due]);
  if (mark === drawn) return;
  drawn = mark;
  row.hidden = !due;
  row.replaceChildren(...(due ? [K.el("span", { text: K.t("notice_line") }),
    K.el("button", { class: "k-link", type: "button", "aria-haspopup": "dialog", text: K.t("notice_more"), onclick: () => K.openGuide() }),
    K.el("button", { class: "k-link", type: "button", "data-notice": "accept", text: K.t("got_it"), onclick: () => K.accept() })] : []));
};
K.redraw("transcript");
