// What can be done with one thing that is remembered. What a person says about a memory holds against everything that derives memories anew.
const PINNABLE = new Set(["fact", "insight", "episode", "topic"]);   // what is known of the player stands in every prompt anyway, and the story in none
const SCORED = new Set(["fact", "insight", "episode"]);             // what cues recall has a score that rises and fades
const LONGEST = { fact: 500, persona: 200, insight: 500, plot: 2000, topic: 1500 };
let round = null;        // the dialog of a round, and which round
let number = 0;
let compared = null;     // the dialog that holds an old and a new text side by side

// operation: of ui.controls.OPERATIONS. then: called when it is done, with what it can be taken back by, if it is told.
K.control = (operation, memory, rest = {}, then = () => {}) =>
  trigger("control", { chat: K.chat, operation, memory, marks: K.marks, ...K.view, ...rest, token: K.asking((done, what) => { if (done) { K.clearToasts(); K.decided(null); then(what); askRound(); } }) });
// A decision that can be taken back, and done again: by its toast, and by Ctrl+Z until something else is done. back: the decision that undoes it.
const BACK = { pin: "unpin", unpin: "pin", exclude: "include", include: "exclude", edit: "take_back", restore: "take_back" };
const SAID = { pin: "did_pin", unpin: "did_unpin", exclude: "did_exclude", include: "did_include", edit: "did_edit_memory", restore: "did_restore_memory" };
const decide = (operation, item, rest = {}) => K.control(operation, item.id, rest, (former) => {
  const what = K.operation(`memory_${operation}`);
  const back = () => K.control(BACK[operation], item.id, { former }, () => K.toast(K.t("did_undo", { what }), { label: K.t("redo"), act: () => decide(operation, item, rest) }));
  if (BACK[operation] === "take_back" && !former) { K.toast(K.t(SAID[operation])); return; }   // it was so already
  K.decided(`memory_${operation}`, back);
  K.toast(K.t(SAID[operation]), { label: K.t("undo"), act: back });
});

const edit = async (item) => {
  const text = await K.prompt({ title: K.t("edit_memory"), text: K.t(item.kind === "plot" ? "edit_story_means" : "edit_memory_means"), label: K.t("edit_memory"), value: item.text, act: K.t("save"), many: true, most: LONGEST[item.kind] });
  if (text !== null && text !== item.text) decide("edit", item, { text });
};
const erase = async (item) => {
  const sure = await K.confirm({ title: K.t("delete_memory_title"), text: K.t("delete_memory_means"), points: [item.text.length > 160 ? `${item.text.slice(0, 160)} …` : item.text], act: K.t("delete_memory"), danger: true });
  if (sure) K.control("delete", item.id, {}, () => K.toast(K.t("did_delete_memory")));
};
const rederive = (item) => {
  compared = K.dialog({ name: "rederive", title: K.t("rederive"), body: [K.el("p", { class: "k-quiet", role: "status", text: K.t("rederiving") })], closed: () => { compared = null; } });
  trigger("rederive", { chat: K.chat, memory: item.id, of: K.mindOf() });
};

// Episodes are what was said: their messages can be edited, hidden and deleted instead.
// item: {id, kind, text, first, pinned, excluded, mine, changed, forgotten}. Its own words can be edited unless they are what was said.
K.memoryMenu = (item, anchor) => K.menu(anchor, [
  item.forgotten && { name: "restore", icon: "back", label: K.t("restore_memory"), act: () => decide("restore", item) },
  item.kind !== "episode" && { name: "edit", icon: "pencil", label: K.t("edit_memory"), act: () => edit(item) },
  PINNABLE.has(item.kind) && (item.pinned
    ? { name: "unpin", icon: "pin", label: K.t("unpin"), act: () => decide("unpin", item) }
    : { name: "pin", icon: "pin", label: K.t("pin"), act: () => decide("pin", item) }),
  item.excluded
    ? { name: "include", icon: "tick", label: K.t("include"), act: () => decide("include", item) }
    : { name: "exclude", icon: "except", label: K.t("exclude"), act: () => decide("exclude", item) },
  item.kind !== "episode" && !item.carried && { name: "rederive", icon: "again", label: K.t("rederive"), act: () => rederive(item) },
  null,
  !item.carried && { name: "source", icon: "goto", label: K.t("go_to_round", { n: Math.max(1, item.first) }), act: () => K.jump(Math.max(1, item.first)) },
  SCORED.has(item.kind) && { name: "course", icon: "curve", label: K.t("show_course"), act: () => K.showCourse(item.id) },
  !item.carried && { name: "round", icon: "list", label: K.t("of_round"), act: () => K.openRound(item.last ?? item.first) },
  null,
  item.kind !== "episode" && { name: "delete", icon: "bin", label: K.t("delete_memory"), act: () => erase(item), grave: true },
].filter((one) => one !== false), { title: K.t("memory_menu"), head: K.fine() ? "" : item.text.slice(0, 70) });
K.memoryDots = (item) => K.dots(K.t("memory_menu"), (anchor) => K.memoryMenu(item, anchor), { class: "k-plain k-item-menu", "data-choice": `menu ${item.id}` });
K.memoryBadges = (item) => [
  item.pinned && K.el("span", { class: "k-badge k-pinned", title: K.t("pinned_means") }, K.icon("pin"), K.el("span", { text: K.t("pinned") })),
  item.excluded && K.el("span", { class: "k-badge k-excluded", title: K.t("excluded_means") }, K.icon("except"), K.el("span", { text: K.t("excluded") })),
  item.mine && K.el("span", { class: "k-badge k-mine", title: K.t("mine_means") }, K.icon("pencil"), K.el("span", { text: K.t("mine") })),
  item.changed && K.el("span", { class: "k-badge k-changed", title: K.t("changed_means") }, K.el("span", { text: K.t("changed") }))].filter(Boolean);

// The old text beside what the same words give now; nothing changes before one is chosen.
const side = (title, nodes) => K.el("section", { class: "k-side" }, K.el("h3", { text: title }), nodes);
const compare = (value) => {
  const take = (text) => { compared.close(); if (text !== value.old) decide("edit", { id: value.memory }, { text }); };
  compared.content.replaceChildren(
    K.el("p", { class: "k-quiet", text: K.t("rederive_means") }),
    K.el("div", { class: "k-sides" },
      side(K.t("rederive_old"), [K.el("p", { class: "k-episode", dir: "auto", text: value.old }), K.el("button", { class: "k-button", type: "button", autofocus: true, text: K.t("rederive_keep"), onclick: () => compared.close() })]),
      side(K.t("rederive_new"), value.texts.length
        ? K.el("ul", {}, value.texts.map((text) => K.el("li", {}, K.el("p", { class: "k-episode", dir: "auto", text }),
            text === value.old ? K.el("p", { class: "k-quiet", text: K.t("rederive_same") }) : K.el("button", { class: "k-button", type: "button", text: K.t("rederive_take"), onclick: () => take(text) }))))
        : K.el("p", { class: "k-quiet", text: K.t("rederive_none") }))));
  compared.content.querySelector("button").focus();
};

// Everything whose words stand in one round.
const DRAWN = new Set(["fact", "persona", "insight"]);   // drawn from what was said; a chapter, a topic and the episode hold every round
const askRound = () => { if (round) trigger("round", { chat: K.chat, round: number, of: K.mindOf() }); };
const itemOf = (item) => K.el("li", { class: "k-memory", "data-memory": item.id },
  K.el("header", {}, K.knows(`kind_${item.kind}`) && K.el("span", { class: "k-kind", text: K.t(`kind_${item.kind}`) }), item.forgotten && K.el("span", { class: "k-badge k-excluded", text: K.t("forgotten") }), K.memoryBadges(item), K.memoryDots(item)),
  item.key && K.el("p", { class: "k-quiet", text: K.knows(`key_${item.key}`) ? K.t(`key_${item.key}`) : item.key }),
  K.clipped(`round ${item.id}`, item.text, () => K.redraw("controls"), { letters: 400, lines: 8 }));
const showRound = (value) => {
  const n = value.items.length;
  const [drawn, also] = [true, false].map((own) => value.items.filter((item) => DRAWN.has(item.kind) === own));
  round.content.replaceChildren(
    K.el("p", { class: "k-quiet", text: K.t(n ? "of_round_means" : "of_round_none") }),
    K.el("ol", { class: "k-memories" }, drawn.map(itemOf)),
    also.length > 0 ? K.el("h3", { text: K.t("of_round_also") }) : "",
    also.length > 0 ? K.el("ol", { class: "k-memories" }, also.map(itemOf)) : "",
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("go_to_round", { n: number }), onclick: () => { round.close(); K.jump(number); } })));
};
K.openRound = (wanted) => {
  number = wanted;
  round = K.dialog({ name: "round", title: K.t("of_round_title", { n: wanted }), body: [K.el("p", { class: "k-quiet", text: K.t("loading") })], closed: () => { round = null; } });
  askRound();
};

K.surface("controls", { element, props, watch }, (_, value) => {
  if (value?.shows === "round" && round && value.round === number) showRound(value);
  if (value?.shows === "rederived" && compared && !compared.shown) { compared.shown = true; compare(value); }
});
