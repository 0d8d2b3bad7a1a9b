// The reader's own characters, below the cast: a tile each with a menu, and a box to look for one where there are many.
const MANY = 8;
let sought = "";
const list = K.el("ul", { class: "k-characters k-own" });
const nothing = K.el("p", { class: "k-quiet", role: "status" });
const plain = (text) => text.toLocaleLowerCase();
const found = (one) => [one.name, ...one.tags].some((text) => plain(text).includes(plain(sought.trim())));

// Of a form and a tile alike: never a picture of the cast, whatever the name.
K.characterTile = (one) => [K.face(one.face, one.unnamed ? "" : one.name, "m"), K.el("span", { lang: one.language }, K.el("b", { dir: "auto", text: one.name }), K.adultBadge(one), K.el("small", { dir: "auto", text: K.lineOf(one) }))];

const favoured = (one) => (K.shelf?.favourites ?? []).includes(one.id);
const remove = (one) => K.keepCharacter("remove", { character: one.id }, () =>
  K.toast(K.t("did_remove_character", { name: one.name }), { label: K.t("undo"), act: () => K.keepCharacter("restore", { character: one.id }) }));
K.characterMenu = (one, anchor) => K.menu(anchor, [
  { name: "edit", icon: "pencil", label: K.t("edit_character"), act: () => K.openCharacter(one.id) },
  { name: "favour", icon: "star", label: K.t(favoured(one) ? "unfavour" : "favour"), act: () => K.keepCharacter(favoured(one) ? "unfavour" : "favour", { character: one.id }) },
  { name: "duplicate", icon: "copy", label: K.t("duplicate_character"), act: () => K.keepCharacter("duplicate", { character: one.id }, () => K.toast(K.t("did_duplicate_character", { name: one.name }))) },
  { name: "export", icon: "out", label: K.t("export_card"), act: () => K.exportCard(one) },
  { name: "remove", icon: "bin", label: K.t("remove_character"), act: () => remove(one), grave: true },
], { title: one.name, head: K.fine() ? "" : one.name });
const tile = (one) =>
  K.el("li", { class: "k-own-row" },
    K.el("button", { class: "k-character", type: "button", "data-character": one.id, "data-own": one.id, "aria-label": K.t("talk_with", { name: one.name }), onclick: () => K.begin(one.id) }, K.characterTile(one)),
    K.dots(K.t("menu_of", { name: one.name }), (anchor) => K.characterMenu(one, anchor), { "data-own": `menu ${one.id}` }));

K.newCharacter = () => K.el("button", { class: "k-link k-new-character", type: "button", "data-own": "new", onclick: () => K.openCharacter() },
  K.icon("plus"), K.el("span", { text: K.t("new_character") }));

let own = [];
const fill = () => {
  const shown = own.length > MANY && sought.trim() ? own.filter(found) : own;
  list.replaceChildren(...shown.map(tile));
  nothing.textContent = own.length && !shown.length ? K.t("no_character_found") : "";
};
const box = K.el("input", { class: "k-field k-seek", type: "search", autocomplete: "off", "data-own": "seek", oninput: () => { sought = box.value; fill(); } });
K.ownCharacters = (characters) => {
  own = [...characters].sort((a, b) => favoured(b) - favoured(a));
  fill();
  box.setAttribute("aria-label", K.t("seek_character"));
  box.setAttribute("placeholder", K.t("seek_character"));
  return K.el("div", { class: "k-own-part" },
    K.el("header", {}, K.el("h2", { text: K.t("own_short") }), K.newCharacter(),
      K.tool("in", K.t("import_cards"), () => K.openCards(), { class: "k-plain k-import-cards", "data-own": "import" })),
    K.el("p", { class: "k-own-ways" },
      K.el("button", { class: "k-link k-open-lore", type: "button", "data-own": "gallery", "aria-haspopup": "dialog", onclick: () => K.openGallery() }, K.icon("seek"), K.el("span", { text: K.t("gallery") })),
      K.el("button", { class: "k-link k-open-lore", type: "button", "data-own": "lore", "aria-haspopup": "dialog", onclick: () => K.openLorebooks() }, K.icon("book"), K.el("span", { text: K.t("lorebooks") }))),
    own.length > MANY && box, own.length > 0 && list, nothing);
};
