// All characters at once: looked for by name, tag and language, ordered by last talk, newest or name.
const ORDERS = ["talk", "new", "name"];
const MOST_TAGS = 40;     // drawn; the most used first
let sought = "", tag = "", language = "", order = "talk";
const plain = (text) => text.toLocaleLowerCase();

const everybody = () => {
  const last = new Map();
  for (const chat of K.shelf?.chats ?? []) if (chat.at && (last.get(chat.with) ?? "") < chat.at) last.set(chat.with, chat.at);
  return [...(K.shelf?.own ?? []).map((one, at) => ({ ...one, own: true, at })), ...(K.house?.characters ?? []).map((one, at) => ({ ...one, tags: [], own: false, at: 1e6 + at }))]
    .map((one) => ({ ...one, last: last.get(one.id) ?? "" }));
};
const compare = {
  talk: (a, b) => (b.last > a.last ? 1 : b.last < a.last ? -1 : a.at - b.at),
  new: (a, b) => a.at - b.at,
  name: (a, b) => a.name.localeCompare(b.name, K.locale()),
};
const found = (one) => (!tag || one.tags.some((mine) => plain(mine) === plain(tag))) && (!language || one.language === language)
  && plain(sought).split(/\s+/).filter(Boolean).every((word) => [one.name, K.lineOf(one), ...one.tags].some((text) => plain(text).includes(word)));
K.openGallery = () => {
  K.drawer(null);
  const people = everybody();
  const made = K.dialog({ name: "gallery", title: K.t("gallery"), kind: "k-gallery-dialog" });
  const grid = K.el("ul", { class: "k-gallery", onkeydown: (event) => step(event) });
  const says = K.el("p", { class: "k-quiet", role: "status" });
  const chips = K.el("div", { class: "k-gallery-tags", role: "group", "aria-label": K.t("gallery_tags") });
  const tile = (one) => K.el("li", {}, K.el("button", { class: "k-character", type: "button", "data-gallery": one.id, "aria-label": K.t("talk_with", { name: one.name }), onclick: () => { made.close(); K.begin(one.id); } },
    one.avatar ? K.avatar(one.name, "m", null) : K.face(one.face, one.name, "m"),
    K.el("span", { lang: one.language }, K.el("b", { dir: "auto", text: one.name }), K.el("small", { dir: "auto", text: K.lineOf(one) }),
      one.tags.length > 0 && K.el("small", { class: "k-gallery-of", dir: "auto", text: one.tags.join(" · ") }))));
  const fill = () => {
    const shown = people.filter(found).sort(compare[order]);
    grid.replaceChildren(...shown.map(tile));
    says.textContent = shown.length ? K.t("gallery_count", { n: shown.length }) : K.t("gallery_none");
    const count = new Map();
    for (const mine of people.flatMap((one) => one.tags)) count.set(plain(mine), { name: count.get(plain(mine))?.name ?? mine, n: (count.get(plain(mine))?.n ?? 0) + 1 });
    chips.replaceChildren(...[...count.values()].sort((a, b) => b.n - a.n || a.name.localeCompare(b.name)).slice(0, MOST_TAGS).map(({ name }) =>
      K.el("button", { class: "k-chip", type: "button", "aria-pressed": String(plain(tag) === plain(name)), "data-tag": name, text: name, onclick: () => {
        tag = plain(tag) === plain(name) ? "" : name;
        fill();
        [...chips.children].find((chip) => chip.dataset.tag === name)?.focus();
      } })));
  };
  const step = (event) => {
    const all = [...grid.querySelectorAll("button")], at = all.indexOf(document.activeElement);
    const across = Math.max(1, all.findIndex((one) => one.offsetTop !== all[0].offsetTop) < 0 ? all.length : all.findIndex((one) => one.offsetTop !== all[0].offsetTop));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    all[Math.max(0, Math.min(to, all.length - 1))].focus();
  };
  const box = K.el("input", { class: "k-field k-seek", type: "search", "aria-label": K.t("gallery_seek"), placeholder: K.t("gallery_seek"), autofocus: true, "data-gallery-by": "words", oninput: () => { sought = box.value; fill(); } });
  box.value = sought;
  const list = (name, label, options, value, change) => {
    const made = K.el("select", { class: "k-field", "aria-label": label, "data-gallery-by": name, onchange: () => { change(made.value); fill(); } }, options.map(([key, text]) => K.el("option", { value: key, text })));
    made.value = value;
    return made;
  };
  const spoken = [...new Set(people.map((one) => one.language))].sort();
  if (language && !spoken.includes(language)) language = "";
  if (tag && !people.some((one) => one.tags.some((mine) => plain(mine) === plain(tag)))) tag = "";
  made.content.replaceChildren(
    K.el("div", { class: "k-gallery-tools" }, box,
      list("language", K.t("gallery_language"), [["", K.t("gallery_any_language")], ...spoken.map((code) => [code, K.catalogue[code]?.language_name ?? code])], language, (value) => { language = value; }),
      list("order", K.t("gallery_order"), ORDERS.map((one) => [one, K.t(`order_by_${one}`)]), order, (value) => { order = value; })),
    chips, says, grid,
    ...((K.shelf?.own.length ?? 0) ? [] : [K.el("p", { class: "k-quiet", text: K.t("gallery_empty") })]));
  fill();
  box.focus({ preventScroll: true });
};
