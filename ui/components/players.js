// The reader's own personas: who they are in conversations. A list with what can be done with each, and the form of one.
const ADDRESS = "keepsake/players";
const WEIGH_MS = 700;
const NONE = { listed: [], removed: [], default: "", ties: {}, room: 0 };
K.players = NONE;
let list = null;           // the dialog of the list, while it is open
let form = null;           // of the form that is open: {of, was, name, box, face, picture, keep, …}

// do: of ui.players.ACTS. The answer, {refused} where it was refused or nobody answered.
K.playersDo = async (act, rest = {}) => {
  let news;
  try {
    news = await (await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: act, ...rest }), cache: "no-store" })).json();
  } catch { news = { refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
  if (news.listed) {
    K.players = { listed: news.listed, removed: news.removed, default: news.default, ties: news.ties, room: news.room };
    fillList();
    K.redraw("shelf", "composer", "transcript");
  }
  return news;
};
const told = async (act, rest, words, back = null) => {
  const news = await K.playersDo(act, rest);
  K.toast(news.refused ? K.sentence(news.refused) : words, news.refused ? null : back);
  return !news.refused;
};
K.playerFace = (face, name, size) => {
  if (!face) return K.monogram(name, size);
  const picture = K.el("img", { class: `k-avatar k-avatar-${size}`, alt: "", src: `keepsake/players/${face}`, onerror: () => picture.replaceWith(K.monogram(name, size)) });
  return picture;
};
K.defaultPlayer = () => K.players.listed.find((one) => one.id === K.players.default) ?? null;
K.restorePlayer = (one, then = () => {}) => K.playersDo("restore", { player: one.id }).then((news) => { if (news.refused) K.toast(K.sentence(news.refused)); then(); });
K.erasePlayer = async (one, then) => {
  const sure = await K.confirm({ title: K.t("erase_title", { name: one.name }), text: K.t("erase_player_means"), act: K.t("erase"), danger: true });
  if (sure && await told("erase", { player: one.id }, K.t("did_player_erase", { name: one.name }))) then();
};

// Characters with whom new conversations begin as a persona, whichever is the default.
const everybody = () => [...(K.shelf?.own ?? []), ...(K.house?.characters ?? [])];
K.tiedPlayer = (character) => K.players.listed.find((one) => one.id === K.players.ties[character]) ?? null;
const tiedTo = (one) => everybody().filter((character) => K.players.ties[character.id] === one.id);
K.tiePlayer = (one, character) => K.playersDo("tie", { player: one.id, character: character.id }).then((news) => { if (news.refused) K.toast(K.sentence(news.refused)); return news; });
K.untiePlayer = (character) => K.playersDo("untie", { character: character.id }).then((news) => { if (news.refused) K.toast(K.sentence(news.refused)); return news; });
const openTies = (one) => {
  const row = (character) => {
    const other = K.tiedPlayer(character.id), box = K.el("input", { type: "checkbox", "data-tie": character.id, onchange: async () => { await (box.checked ? K.tiePlayer(one, character) : K.untiePlayer(character)); fill(); box.focus(); } });
    box.checked = other?.id === one.id;
    return K.el("li", {}, K.el("label", { class: "k-check" }, box, K.el("span", { lang: character.language, dir: "auto", text: character.name }), other && other.id !== one.id && K.el("span", { class: "k-quiet", text: K.t("tied_to_other", { name: other.name }) })));
  };
  const made = K.dialog({ name: "ties", title: K.t("player_ties", { name: one.name }), kind: "k-small" });
  const list = K.el("ul", { class: "k-ties" });
  const fill = () => {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.tie : null;
    list.replaceChildren(...everybody().map(row));
    if (focused) list.querySelector(`[data-tie="${CSS.escape(focused)}"]`)?.focus();
  };
  fill();
  made.content.replaceChildren(K.el("p", { class: "k-quiet", text: K.t("player_ties_means", { name: one.name }) }), list,
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("close"), onclick: () => made.close() })));
};

// The list
const makeDefault = (one) => (one.id === K.players.default
  ? told("default", { player: "" }, K.t("did_player_no_default"))
  : told("default", { player: one.id }, K.t("did_player_default", { name: one.name })));
const remove = (one) => told("remove", { player: one.id }, K.t("did_player_remove", { name: one.name }), { label: K.t("undo"), act: () => K.restorePlayer(one) });
const menuOf = (one, anchor) => K.menu(anchor, [
  { name: "edit", icon: "pencil", label: K.t("player_edit"), act: () => K.openPlayer(one) },
  { name: "default", icon: "star", label: K.t(one.id === K.players.default ? "player_no_default" : "player_make_default"), act: () => makeDefault(one) },
  { name: "ties", icon: "lock", label: K.t("player_tie"), act: () => openTies(one) },
  { name: "duplicate", icon: "copy", label: K.t("player_duplicate"), act: () => told("duplicate", { player: one.id }, K.t("did_player_duplicate", { name: one.name })) },
  { name: "remove", icon: "bin", label: K.t("player_remove"), act: () => remove(one), grave: true },
], { title: one.name, head: K.fine() ? "" : one.name });
const firstLine = (text) => text.split("\n").find((line) => line.trim())?.slice(0, 140) ?? "";
const row = (one) =>
  K.el("li", { class: "k-own-row" },
    K.el("button", { class: "k-character", type: "button", "data-player": one.id, "aria-label": `${K.t("player_edit")}: ${one.name}`, onclick: () => K.openPlayer(one) },
      K.playerFace(one.face, one.name, "m"),
      K.el("span", {}, K.el("b", { dir: "auto", text: one.name }), K.el("small", { dir: "auto", text: firstLine(one.description) }), one.id === K.players.default && K.el("span", { class: "k-badge", text: K.t("player_default") }),
        tiedTo(one).length > 0 && K.el("span", { class: "k-badge k-tied" }, K.icon("lock"), K.el("span", { dir: "auto", text: K.t("player_tied", { names: tiedTo(one).map((character) => character.name).join(K.language === "zh" ? "、" : ", ") }) })))),
    K.dots(K.t("menu_of", { name: one.name }), (anchor) => menuOf(one, anchor), { "data-player": `menu ${one.id}` }));
const callsYou = () => K.house?.players[K.language] ?? K.house?.players.en ?? "";
const fillList = () => {
  if (!list) return;
  const focused = list.content.contains(document.activeElement) ? document.activeElement.dataset.player : null;
  list.content.replaceChildren(
    K.el("p", { class: "k-quiet", text: K.players.listed.length ? K.t("players_means") : K.t("players_none", { name: callsYou() }) }),
    K.el("ul", { class: "k-characters k-players" }, K.players.listed.map(row)),
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button k-firmly k-new-player", type: "button", "data-player": "new", onclick: () => K.openPlayer() }, K.t("player_new"))));
  if (focused) (list.content.querySelector(`[data-player="${CSS.escape(focused)}"]`) ?? list.content.querySelector("[data-player=new]")).focus({ preventScroll: true });
};
K.openPlayers = () => {
  K.drawer(null);
  list = K.dialog({ name: "players", title: K.t("players"), kind: "k-small", closed: () => { list = null; } });
  fillList();
  K.playersDo("list");
};

// The form
const now = () => [form.name.value, form.box.value, form.picture, form.keep].join("\0");
const unsaved = () => form !== null && now() !== form.was;
const fault = (part, sentence) => {
  form.says[part].textContent = sentence;
  form.parts[part].classList.toggle("k-faulty", Boolean(sentence));
};
const leave = () => {
  if (!unsaved()) return true;
  const mine = form;
  K.confirm({ title: K.t("unsaved_title"), text: K.t("unsaved_means"), act: K.t("unsaved_leave"), danger: true }).then((sure) => { if (sure) { mine.was = now(); mine.dialog.close(); } });
  return false;
};
const save = async () => {
  const mine = form;
  if (!mine || mine.saving) return;
  if (!mine.name.value.trim()) { fault("name", K.t("error_player_unnamed")); mine.name.focus(); return; }
  mine.saving = mine.button.disabled = true;
  const news = await K.playersDo("keep", { player: mine.of?.id ?? "", name: mine.name.value, description: mine.box.value, picture: mine.picture, keep: mine.keep ? "yes" : "", stamp: mine.of?.stamp ?? 0 });
  mine.saving = mine.button.disabled = false;
  if (form !== mine) return;
  if (!news.refused) {
    mine.was = now();
    mine.dialog.close();
    K.toast(K.t("did_player_keep", { name: mine.name.value.trim() }));
    mine.then?.(news.done);
    return;
  }
  const part = news.refused.params?.field ?? "";
  if (mine.says[part]) fault(part, K.sentence(news.refused));
  else mine.refusal.textContent = K.sentence(news.refused);
};
const weigh = async () => {
  const mine = form;
  const text = mine?.box.value ?? "";
  if (!text.trim()) { if (mine) mine.weight.textContent = mine.heavy.textContent = ""; return; }
  const news = await K.playersDo("weigh", { description: text });
  if (form !== mine || mine.box.value !== text || news.tokens === undefined) return;
  mine.weight.textContent = K.t("player_weight", { n: news.tokens });
  mine.heavy.textContent = news.tokens > K.players.room ? K.t("player_heavy", { room: K.players.room }) : "";
};
const paintFace = () => {
  const face = form.picture ? K.el("img", { class: "k-avatar k-avatar-l", alt: "", src: form.shown }) : K.playerFace(form.keep ? form.of?.face : "", form.name.value, "l");
  form.face.replaceChildren(face);
  form.unpicture.hidden = !form.picture && !(form.keep && form.of?.face);
};
const chosen = (file) => {
  if (!file) return;
  fault("picture", "");
  if (file.size > K.house.player_limits.picture) { fault("picture", K.t("error_player_picture_unusable")); return; }
  const reader = new FileReader();
  const mine = form;
  reader.addEventListener("load", () => {
    if (form !== mine) return;
    const url = String(reader.result);
    Object.assign(form, { picture: url.slice(url.indexOf(",") + 1), keep: false, shown: `data:image/png;base64,${url.slice(url.indexOf(",") + 1)}` });
    paintFace();
  });
  reader.readAsDataURL(file);
};
const part = (name, label, hint, ...inside) => {
  form.says[name] = K.el("p", { class: "k-fault", role: "alert" });
  form.parts[name] = K.el("div", { class: "k-part" }, K.el("div", { class: "k-part-head" }, K.el("label", { for: `k-player-${name}`, text: K.t(label) }), name === "description" && form.weight),
    hint && K.el("p", { class: "k-quiet", text: K.t(hint) }), ...inside, form.says[name]);
  return form.parts[name];
};
// of: one of the list, or nothing for a new one; then: called with its id when it is saved.
K.openPlayer = (of = null, then = null) => {
  K.clearToasts();
  const limits = K.house.player_limits;
  const mine = { of, then, picture: "", keep: true, says: {}, parts: {} };
  mine.dialog = K.dialog({ name: "player", title: K.t(of ? "player_edit" : "player_new"), may: leave, closed: () => { clearTimeout(mine.timer); if (form === mine) form = null; } });
  if (mine.dialog.node.dataset.made) return;
  mine.dialog.node.dataset.made = "yes";
  form = mine;
  mine.name = K.el("input", { class: "k-field", id: "k-player-name", maxlength: limits.name, dir: "auto", autocomplete: "off", oninput: () => { fault("name", ""); paintFace(); } });
  mine.box = K.el("textarea", { class: "k-field", id: "k-player-description", rows: 7, maxlength: limits.description, dir: "auto", oninput: () => { fault("description", ""); clearTimeout(mine.timer); mine.timer = setTimeout(weigh, WEIGH_MS); } });
  mine.name.value = of?.name ?? "";
  mine.box.value = of?.description ?? "";
  mine.weight = K.el("span", { class: "k-quiet", role: "status" });
  mine.heavy = K.el("p", { class: "k-fault", role: "status" });
  mine.refusal = K.el("p", { class: "k-refusal", role: "alert" });
  mine.face = K.el("span", { class: "k-player-face" });
  const file = K.el("input", { type: "file", id: "k-player-picture", accept: "image/png,image/jpeg,image/webp,image/avif,image/gif", class: "k-unseen-file", onchange: () => { chosen(file.files[0]); file.value = ""; } });
  mine.unpicture = K.el("button", { class: "k-link", type: "button", text: K.t("player_picture_remove"), onclick: () => { Object.assign(mine, { picture: "", keep: false }); paintFace(); } });
  mine.button = K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("save"), onclick: save });
  mine.dialog.node.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) { event.preventDefault(); save(); } });
  mine.dialog.content.replaceChildren(
    part("picture", "player_picture", "", K.el("div", { class: "k-player-picture" }, mine.face, file, K.el("button", { class: "k-button", type: "button", text: K.t("player_picture_choose"), onclick: () => file.click() }), mine.unpicture)),
    part("name", "player_name", of ? "player_name_hint" : "", mine.name),
    part("description", "player_description", "player_description_hint", mine.box, mine.heavy),
    mine.refusal,
    K.el("div", { class: "k-choices k-making-end" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => { if (leave()) mine.dialog.close(); } }), mine.button));
  mine.was = now();
  paintFace();
  weigh();
  mine.name.focus();
};
window.addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
K.playersDo("list");
