// Who the reader is in the open conversation: shown beside the box, chosen in a dialog; and on the first page, who they will be in the next.
let open = null;
const follows = () => Boolean(K.story.player?.follows);
const choose = (id, name = "keep") => K.act("play_as", { item: id, name }, (done) => { if (done && open) fill(); });

const option = (face, title, about, checked, act) =>
  K.el("li", { role: "presentation" }, K.el("button", { class: "k-character k-player-choice", type: "button", role: "radio", "aria-checked": String(checked), "data-choice": title, onclick: act },
    face, K.el("span", {}, K.el("b", { dir: "auto", text: title }), about && K.el("small", { dir: "auto", text: about })), checked && K.icon("tick")));
// With one character that new conversations can begin with: whether they begin as the persona that is chosen here.
const tieOf = (here) => {
  const chat = K.here(), ids = chat?.with ?? [];
  const character = ids.length === 1 && [...(K.shelf?.all ?? []), ...(K.house?.characters ?? [])].find((one) => one.id === ids[0]);
  const one = K.players.listed.find((player) => player.id === here.id);
  if (!character || !one) return [];
  const tied = K.tiedPlayer(character.id);
  const box = K.el("input", { type: "checkbox", "data-tie-here": "", onchange: () => (box.checked ? K.tiePlayer(one, character) : K.untiePlayer(character)).then(fill) });
  box.checked = tied?.id === one.id;
  return [K.el("label", { class: "k-check k-tie-here" }, box, K.el("span", { dir: "auto", text: K.t("play_tie", { character: character.name, name: one.name }) })),
    ...(tied && tied.id !== one.id ? [K.el("p", { class: "k-quiet", text: K.t("tied_to_other", { name: tied.name }) })] : [])];
};
const fill = () => {
  if (!open) return;
  const here = K.story.player;
  if (!here) return;
  const known = K.players.listed.some((one) => one.id === here.id);
  const shown = [...K.players.listed, ...(here.id && !known ? [{ id: here.id, name: here.name, face: here.face, description: "" }] : [])];
  K.refill(open.content,
    K.el("p", { class: "k-quiet", text: K.t("play_means") }),
    K.el("ul", { class: "k-characters k-players", role: "radiogroup", "aria-label": K.t("play_as") },
      shown.map((one) => option(K.playerFace(one.face, one.name, "m"), one.name, one.description.split("\n")[0].slice(0, 140), one.id === here.id, () => choose(one.id))),
      option(K.el("span", { class: "k-avatar k-avatar-m k-monogram", "aria-hidden": "true" }, K.icon("person")), K.t("play_nobody"), here.id ? "" : K.t("play_nobody_means", { name: here.name }), !here.id && !here.follows, () => choose(""))),
    K.el("div", { class: "k-note-row" }, K.el("span", { text: K.t("play_lock") }),
      K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("play_lock") }, [["keep", "lock", "play_keep"], ["follow", "unlock", "play_follow"]].map(([way, icon, words]) =>
        K.el("button", { type: "button", "data-choice": way, "aria-pressed": String((way === "follow") === follows()), onclick: () => { if ((way === "follow") !== follows()) choose(way === "keep" ? here.id : "", way); } }, K.icon(icon), K.t(words))))),
    ...tieOf(here),
    K.el("div", { class: "k-choices" },
      K.el("button", { class: "k-link", type: "button", text: K.t("players_manage"), onclick: () => { open.close(); K.openPlayers(); } }),
      K.el("button", { class: "k-button", type: "button", "data-choice": "new", text: K.t("player_new"), onclick: () => K.openPlayer(null, (id) => choose(id)) })));
};
K.openPlaying = () => {
  if (!K.chat || !K.story.player) return;
  open = K.dialog({ name: "playing", title: K.t("play_as"), kind: "k-small", closed: () => { open = null; } });
  fill();
  K.playersDo("list").then(fill);
};
K.refillPlaying = fill;
// Beside the box.
K.playingChip = () => {
  const here = K.story.player;
  if (!here) return null;
  const kept = here.follows ? K.t("playing_follows") : here.id ? K.t("playing_kept") : "";
  const label = [K.t("playing_as", { name: here.name }), kept].filter(Boolean).join(" · ");
  return K.el("button", { class: "k-playing", id: "k-playing", type: "button", title: label, "aria-label": label, "aria-haspopup": "dialog", onclick: () => K.openPlaying() },
    here.id ? K.playerFace(here.face, here.name, "xs") : K.icon("person"), K.el("span", { dir: "auto", text: here.name }), here.id && K.icon(here.follows ? "unlock" : "lock"));
};
// On the first page and above the cast.
K.beginsAs = () => {
  const one = K.defaultPlayer?.();
  const anchor = (event) => (K.players.listed.length
    ? K.menu(event.currentTarget, [
      ...K.players.listed.map((other) => ({ name: other.id, icon: other.id === K.players.default ? "tick" : "person", label: other.name, act: () => K.playersDo("default", { player: other.id }) })),
      { name: "nobody", icon: one ? "person" : "tick", label: K.t("play_nobody"), act: () => K.playersDo("default", { player: "" }) },
      null,
      { name: "players", icon: "pencil", label: K.t("players_manage"), act: () => K.openPlayers() },
    ], { title: K.t("players"), head: K.fine() ? "" : K.t("players") })
    : K.openPlayers());
  return K.el("button", { class: "k-link k-begins-as", type: "button", "data-own": "players", "aria-haspopup": "menu", onclick: anchor },
    one ? K.playerFace(one.face, one.name, "xs") : K.icon("person"), K.el("span", { dir: "auto", text: one ? K.t("begin_as", { name: one.name }) : K.t("begin_as_nobody") }));
};
K.redraw("shelf", "composer", "transcript");
