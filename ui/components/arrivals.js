// A conversation of another program's before it comes in: what the file holds, who is the player, who the character, and names that it has not.
const NEW = "new";
const field = (name, label, box, hint = null) =>
  K.el("div", { class: "k-part" }, K.el("div", { class: "k-part-head" }, K.el("label", { for: `k-in-${name}`, text: label })), box, hint);
const picker = (name, options, value, change) => {
  const box = K.el("select", { id: `k-in-${name}`, class: "k-field", "data-import": name, onchange: () => change(box.value) },
    options.map(([key, text]) => K.el("option", { value: key, text })));
  box.value = value;
  return box;
};
const writer = (name, value, change) => {
  const box = K.el("input", { id: `k-in-${name}`, class: "k-field", "data-import": name, maxlength: 200, autocomplete: "off", dir: "auto", oninput: () => change(box.value) });
  box.value = value;
  return box;
};
const days = (chat) => {
  const [first, last] = [K.calendar(chat.first), K.calendar(chat.last)];
  return first === last ? first : K.t("found_days", { first, last });
};
const called = (speaker) => (speaker.named ? speaker.name : K.t(`side_${speaker.name}`));
// What the importer says, in the reader's language where it has a sentence for it.
K.told = (told) => {
  const said = told.code && K.knows(`told_${told.code}`) ? K.t(`told_${told.code}`, told.params) : told.text;
  const why = told.because ? K.t("found_because", { said, why: K.told(told.because) }) : said;
  const places = told.places?.map(K.placeIn) ?? [];
  if (places.length && told.params.n > places.length) places.push("…");
  return places.length ? K.t("found_where", { said: why, places: places.join("; ") }) : why;
};
// A place in a file: `line 5`, `record 2 (D1), session 3, turn 4`.
K.placeIn = (where) => where.split(", ").map((part) => {
  const found = /^(line|record|session|turn|pair|user) (.+)$/.exec(part);
  return found ? K.t(`place_${found[1]}`, { which: found[2] }) : part;
}).join(", ");

const cast = () => [...(K.shelf?.own ?? []), ...(K.house?.characters ?? [])];
const namedAs = (name) => cast().find((one) => one.name.toLocaleLowerCase() === name.toLocaleLowerCase());

// found: of the server; take: called with what was chosen, as a query has it; back: another file. Nodes of a dialog.
K.whoIsWho = (found, { take, back }) => {
  const root = K.el("div", { class: "k-found" });
  const said = { way: "talk", listener: NEW, listener_name: "", key: found.chats[0].key, player: "", player_name: "", speaker: "", character: NEW, character_name: "" };
  const chat = () => found.chats.find((one) => one.key === said.key);
  const speaker = (name) => chat().speakers.find((one) => one.name === name);
  const settle = () => {
    const one = chat();
    Object.assign(said, { player: one.player, speaker: one.character });
    // A speaker who is called as somebody here is most likely them.
    const other = one.speakers.find((s) => s.name !== one.character && namedAs(s.name));
    if (other && one.speakers.length === 2 && !namedAs(one.character) && one.speakers.every((s) => s.named) && !one.says_player) Object.assign(said, { player: one.character, speaker: other.name });
    said.player_name = K.house.players[K.language] ?? K.house.players.en;
    said.way = one.speakers.length < 2 ? "listen" : "talk";
    meet();
  };
  const meet = () => {
    const one = speaker(said.speaker);
    said.character = one?.named ? namedAs(one.name)?.id ?? NEW : NEW;
    said.character_name = one?.named ? one.name : "";
  };
  const problem = () => {
    const player = speaker(said.player), other = speaker(said.speaker);
    if (said.way === "listen") {
      if (chat().speakers.some((s) => s.name === "user" && !s.named) && !said.player_name.trim()) return K.t("found_name_player");
      return said.listener === NEW && !said.listener_name.trim() ? K.t("found_listener_needed") : "";
    }
    if (!other) return K.t("found_alone");
    if (!player?.named && !said.player_name.trim()) return K.t("found_name_player");
    if (!other.named && said.character === NEW && !said.character_name.trim()) return K.t("found_name_character");
    return "";
  };
  const go = () => {
    const wrong = problem();
    says.textContent = wrong;
    if (wrong) { root.querySelector("input.k-field")?.focus(); return; }
    const listens = { conversation: said.key, way: "listen", player: said.player, player_name: said.player_name,
      character: said.listener === NEW ? "" : said.listener, character_name: said.listener === NEW ? said.listener_name.trim() : "" };
    take(said.way === "listen" ? listens : { conversation: said.key, player: said.player, player_name: said.player_name, speaker: said.speaker,
      character: said.character === NEW ? "" : said.character, character_name: said.character_name });
  };
  const says = K.el("p", { class: "k-fault", role: "alert" });
  const button = (text, act, options = {}) => K.el("button", { class: "k-button", type: "button", text, onclick: act, ...options });
  const fill = () => {
    const one = chat(), player = speaker(said.player), other = speaker(said.speaker), listens = said.way === "listen";
    const change = (name) => (value) => { said[name] = value; says.textContent = ""; };
    const anew = (name) => (value) => {
      const before = said[name];
      said[name] = value;
      // Whoever is made the other one changes places with them.
      if (said.player === said.speaker) said[name === "player" ? "speaker" : "player"] = before;
      meet();
      fill();
      root.querySelector(`[data-import=${name}]`)?.focus();
    };
    const options = one.speakers.map((s) => [s.name, K.t("found_speaker", { name: called(s), n: s.messages })]);
    says.textContent = "";
    root.replaceChildren(...[
      K.el("p", {}, K.el("b", { text: K.t(`layout_${found.form}`) })),
      found.chats.length > 1 && field("conversation", K.t("found_which", { n: found.count }), picker("conversation",
        found.chats.map((c) => [c.key, K.t("found_row", { key: c.key, names: c.speakers.slice(0, 2).map(called).join(" & "), n: c.messages })]), said.key,
        (key) => { said.key = key; settle(); fill(); root.querySelector("[data-import=conversation]").focus(); })),
      found.count > found.chats.length && K.el("p", { class: "k-quiet", text: K.t("found_more", { n: found.count - found.chats.length }) }),
      K.el("ul", { class: "k-points k-found-facts" },
        K.el("li", { text: K.t("found_size", { n: one.messages, rounds: listens ? one.heard : one.rounds }) }),
        one.dated && K.el("li", { text: days(one) }),
        one.wordings > 0 && K.el("li", { text: K.t("found_wordings", { n: one.wordings }) }),
        one.notices.map((note) => K.el("li", { class: note.places.length ? "k-mended" : "k-quiet", dir: "auto", text: K.told(note) }))),
      K.el("blockquote", { class: "k-found-lines" }, one.lines.map((line) => K.el("p", { dir: "auto" },
        K.el("b", { text: called(speaker(line.speaker)) }), " ", K.el("span", { text: line.text })))),
      field("way", K.t("found_way"), picker("way", ["talk", "listen"].map((way) => [way, K.t(way === "talk" ? "found_way_talk" : "found_way_listen")]), said.way,
        (value) => { said.way = value; if (!said.player) settle(); said.way = value; fill(); root.querySelector("[data-import=way]").focus(); })),
      listens && field("player", K.t("listen_player"), picker("player", [...options, ["", K.t("found_nobody")]], said.player, change("player"))),
      listens && one.speakers.some((s) => s.name === "user" && !s.named) && field("player_name", K.t("found_player_name"), writer("player_name", said.player_name, change("player_name"))),
      listens && field("listener", K.t("found_listener"), picker("listener", [[NEW, K.t("found_listener_new")], ...cast().map((c) => [c.id, c.name])], said.listener,
        (value) => { said.listener = value; fill(); root.querySelector("[data-import=listener]").focus(); })),
      listens && said.listener === NEW && field("listener_name", K.t("found_listener_name"), writer("listener_name", said.listener_name, change("listener_name"))),
      !listens && field("player", K.t("found_player"), picker("player", options, said.player, anew("player"))),
      !listens && !player?.named && field("player_name", K.t("found_player_name"), writer("player_name", said.player_name, change("player_name"))),
      !listens && other && field("speaker", K.t("found_character"), picker("speaker", options, said.speaker, anew("speaker"))),
      !listens && other && field("character", K.t("found_as"), picker("character",
        [[NEW, other.named ? K.t("found_new", { name: other.name }) : K.t("found_new_unnamed")], ...cast().map((c) => [c.id, c.name])], said.character,
        (value) => { said.character = value; fill(); root.querySelector("[data-import=character]").focus(); }), K.el("p", { class: "k-quiet", text: K.t("found_as_hint") })),
      !listens && other && !other.named && said.character === NEW && field("character_name", K.t("found_character_name"), writer("character_name", said.character_name, change("character_name"))),
      K.el("p", { class: "k-quiet", text: K.t("found_memory") }),
      says,
      K.el("div", { class: "k-choices" }, button(K.t("found_back"), back), button(K.t("import"), go, { class: "k-button k-firmly", "data-choice": "take" })),
    ].filter(Boolean));
    if (!other && !listens) says.textContent = K.t("found_alone");
    root.querySelector("[data-choice=take]").disabled = !other && !listens;
  };
  settle();
  fill();
  return root;
};
