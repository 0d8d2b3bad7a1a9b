// All characters at once: looked for by words, tags and language; those kept on top stand first, then by last talk, newest or name.
const ORDERS = ["talk", "new", "name"];
const MOST_TAGS = 40;     // drawn, the most used first; the box finds every one
let sought = "", tags = new Set(), language = "", order = "talk", top = false;
let shown = null;         // the open dialog: {fill}
const plain = (text) => text.normalize("NFKC").toLowerCase();

const everybody = () => {
  const talks = new Map(), kept = new Set(K.shelf?.favourites ?? []);
  for (const chat of K.shelf?.chats ?? []) for (const id of chat.with) {
    const so = talks.get(id) ?? { n: 0, at: "", chat: "" };
    talks.set(id, { n: so.n + 1, ...((chat.at ?? "") >= so.at ? { at: chat.at ?? "", chat: chat.id } : { at: so.at, chat: so.chat }) });
  }
  return [...(K.shelf?.own ?? []).map((one) => ({ ...one, own: true })), ...(K.house?.characters ?? [])]
    .map((one, at) => ({ ...one, place: at, kept: kept.has(one.id), talks: talks.get(one.id) ?? { n: 0, at: "", chat: "" },
      text: plain([one.name, K.lineOf(one), ...one.tags].join("\n")), marks: new Set(one.tags.map(plain)) }));
};
const compare = {
  talk: (a, b) => (b.talks.at > a.talks.at ? 1 : b.talks.at < a.talks.at ? -1 : a.place - b.place),
  new: (a, b) => a.place - b.place,
  name: (a, b) => a.name.localeCompare(b.name, K.locale()),
};
const found = (people) => {
  const words = plain(sought).split(/\s+/).filter(Boolean);
  return people.filter((one) => (!top || one.kept) && (!language || one.language === language)
    && [...tags].every((tag) => one.marks.has(tag)) && words.every((word) => one.text.includes(word)))
    .sort((a, b) => b.kept - a.kept || compare[order](a, b));
};
const everyTag = (people) => {
  const count = new Map();
  for (const tag of people.flatMap((one) => [...new Map(one.tags.map((mine) => [plain(mine), mine])).entries()])) {
    const so = count.get(tag[0]);
    count.set(tag[0], { key: tag[0], name: so?.name ?? tag[1], n: (so?.n ?? 0) + 1 });
  }
  return [...count.values()].sort((a, b) => tags.has(b.key) - tags.has(a.key) || b.n - a.n || a.name.localeCompare(b.name, K.locale()));
};
const pictureOf = (one) => (one.own ? K.face(one.face, one.name, "l", { loading: "lazy" }) : K.avatar(one.name, "l", null));

K.openGallery = () => {
  K.drawer(null);
  const made = K.dialog({ name: "gallery", title: K.t("gallery"), kind: "k-gallery-dialog", closed: () => { shown = null; } });
  const leaving = (act) => () => { made.close(); act(); };
  const grid = K.el("ul", { class: "k-gallery", "aria-label": K.t("gallery"), onkeydown: (event) => step(event), onfocusin: (event) => here(event.target.closest("li")) });
  const says = K.el("p", { class: "k-quiet", role: "status" });
  const chips = K.el("div", { class: "k-gallery-tags", role: "group", "aria-label": K.t("gallery_tags") });
  const hiding = K.el("span", {});
  const many = K.el("div", { class: "k-choosing", role: "group", "aria-label": K.t("many") });
  const several = K.el("button", { class: "k-link k-new-character", type: "button", "data-own": "gallery several", onclick: () => { choosing.begin(); (grid.querySelector("[data-gallery]") ?? box).focus({ preventScroll: true }); } }, K.icon("tick"), K.el("span", { text: K.t("many") }));
  const teaching = K.el("p", { class: "k-quiet k-gallery-empty" });
  const none = K.el("div", { class: "k-gallery-none" });
  const talked = (one) => (one.talks.n
    ? K.el("button", { class: "k-link k-gallery-last", type: "button", "data-last": one.id, title: K.t("gallery_go_on", { name: one.name }), "aria-label": `${K.t("gallery_go_on", { name: one.name })}: ${K.t("gallery_talks", { n: one.talks.n })}`, onclick: leaving(() => K.openChat(one.talks.chat)) },
        K.t("gallery_talks", { n: one.talks.n }), one.talks.at && ` · ${K.date(one.talks.at)}`)
    : K.el("span", { class: "k-quiet", text: K.t("gallery_never") }));
  const star = (one) => K.tool("star", K.t(one.kept ? "unfavour_character" : "favour_character", { name: one.name }),
    () => K.keepCharacter(one.kept ? "unfavour" : "favour", { character: one.id }), { "aria-pressed": String(one.kept), "data-star": one.id, class: "k-plain k-star" });
  const choosing = K.choosing({ everybody, shown: () => found(everybody()), redraw: () => fill() });
  made.node.addEventListener("keydown", (event) => { if (event.key === "Escape" && choosing.on() && !event.isComposing) { event.preventDefault(); choosing.end(); } });
  made.node.addEventListener("cancel", (event) => { if (choosing.on()) { event.preventDefault(); choosing.end(); } });   // the focus may be nowhere: a toast that had it went
  const card = (one) => K.el("li", { "data-card": one.id, "data-chosen": choosing.has(one.id) }, choosing.has(one.id) && K.el("span", { class: "k-tick", "aria-hidden": "true" }, K.icon("tick")),
    K.el("button", { class: "k-gallery-card", type: "button", "data-gallery": one.id,
      ...(choosing.on() ? { role: "checkbox", "aria-checked": String(choosing.has(one.id)), "aria-label": one.name, onclick: () => choosing.turn(one.id) } : { "aria-label": K.t("talk_with", { name: one.name }), onclick: leaving(() => K.begin(one.id)) }) },
      pictureOf(one), K.el("b", { lang: one.language, dir: "auto", text: one.name }, K.adultBadge(one)), K.el("span", { class: "k-clip", style: { "--k-lines": "2" }, lang: one.language, dir: "auto", text: K.lineOf(one) }),
      one.tags.length > 0 && K.el("small", { class: "k-clip", title: one.tags.join(" · "), style: { "--k-lines": "2" }, dir: "auto", text: one.tags.join(" · ") })),
    K.el("footer", {}, talked(one), K.el("span", {}, star(one), one.own && K.dots(K.t("menu_of", { name: one.name }), (anchor) => K.characterMenu(one, anchor), { "data-gallery-menu": one.id }))));
  // One stop of the Tab key: the card where the reader is, with what is on it.
  const here = (row) => {
    for (const one of grid.children) for (const button of one.querySelectorAll("button")) button.tabIndex = one === row ? 0 : -1;
  };
  const fill = () => {
    const people = everybody(), focused = document.activeElement?.dataset ?? {};
    for (const tag of [...tags]) if (!people.some((one) => one.marks.has(tag))) tags.delete(tag);
    const fit = found(people);
    choosing.keep(people);
    grid.replaceChildren(...fit.map(card));
    many.replaceChildren(...choosing.bar());
    several.hidden = choosing.on();
    here(grid.firstElementChild);
    teaching.textContent = K.shelf?.own.length ? "" : K.t("gallery_empty");
    says.textContent = [K.t("gallery_count", { n: fit.length }), K.shelf?.hidden && K.t("gallery_hidden", { n: K.shelf.hidden })].filter(Boolean).join(" · ");
    hiding.replaceChildren(...(K.shelf?.hidden || people.some((one) => one.adult)
      ? [K.el("button", { class: "k-link", type: "button", "data-tag": "hide adult", text: K.t(K.shelf.hides_adult ? "gallery_show_hidden" : "gallery_hide_adult"), onclick: () => K.heed(K.shelf.hides_adult ? "show_adult" : "hide_adult") })] : []));
    none.replaceChildren(...(fit.length ? [] : [K.el("p", { class: "k-quiet", text: K.t(top && !people.some((one) => one.kept) ? "gallery_none_kept" : "gallery_none") }),
      K.el("button", { class: "k-button", type: "button", "data-gallery-all": "", text: K.t("gallery_all"), onclick: () => { sought = box.value = language = tongue.value = ""; tags = new Set(); top = false; fill(); box.focus(); } })]));
    chips.replaceChildren(
      K.el("button", { class: "k-chip", type: "button", "aria-pressed": String(top), "data-tag": "", onclick: () => { top = !top; fill(); } }, K.icon("star"), K.el("span", { text: K.t("favourites") })),
      ...everyTag(people).slice(0, MOST_TAGS).map(({ key, name, n }) => K.el("button", { class: "k-chip", type: "button", "aria-pressed": String(tags.has(key)), "data-tag": name, onclick: () => { if (!tags.delete(key)) tags.add(key); fill(); } },
        K.el("span", { dir: "auto", text: name }), K.el("small", { text: K.number(n) }))));
    for (const [name, value] of Object.entries(focused)) {
      const again = value !== undefined && [...made.content.querySelectorAll("button")].find((one) => one.dataset[name] === value);
      if (again && !again.matches(":focus")) { again.focus({ preventScroll: true }); break; }
    }
  };
  const step = (event) => {
    const all = [...grid.querySelectorAll("[data-gallery]")], at = all.findIndex((one) => one.closest("li").contains(document.activeElement));
    const second = all.findIndex((one) => one.offsetTop !== all[0].offsetTop), across = second < 0 ? all.length : second;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    all[Math.max(0, Math.min(to, all.length - 1))].focus();
  };
  const box = K.el("input", { class: "k-field k-seek", type: "search", "aria-label": K.t("gallery_seek"), placeholder: K.t("gallery_seek"), autocomplete: "off", "data-gallery-by": "words", oninput: () => { sought = box.value; fill(); },
    onkeydown: (event) => { if (event.key === "ArrowDown" && grid.firstElementChild) { event.preventDefault(); grid.querySelector("[data-gallery]").focus(); } } });
  box.value = sought;
  const list = (name, label, options, value, change) => {
    const select = K.el("select", { class: "k-field", "aria-label": label, "data-gallery-by": name, onchange: () => { change(select.value); fill(); } }, options.map(([key, text]) => K.el("option", { value: key, text })));
    select.value = value;
    return select;
  };
  const spoken = [...new Set(everybody().map((one) => one.language))].sort();
  if (!spoken.includes(language)) language = "";
  const tongue = list("language", K.t("gallery_language"), [["", K.t("gallery_any_language")], ...spoken.map((code) => [code, K.catalogue[code]?.language_name ?? code])], language, (value) => { language = value; });
  made.content.replaceChildren(
    K.el("div", { class: "k-gallery-tools" }, box, tongue, list("order", K.t("gallery_order"), ORDERS.map((one) => [one, K.t(`order_by_${one}`)]), order, (value) => { order = value; })),
    chips,
    K.el("div", { class: "k-bar-line" }, K.el("span", {}, says, " ", hiding), K.el("span", { class: "k-gallery-ways" }, several, K.newCharacter(),
      K.el("button", { class: "k-link k-new-character", type: "button", "data-own": "gallery import", onclick: () => K.openCards() }, K.icon("in"), K.el("span", { text: K.t("import_cards") })))),
    many, grid, none,
    teaching);
  shown = { fill };
  fill();
  box.focus({ preventScroll: true });
};
// The list of characters and conversations is another: so is what stands here.
K.galleryNews = () => shown?.fill();
