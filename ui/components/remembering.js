// Whether a conversation remembers: a switch with the panels of memory, a line above the box while it does not, and the words for the menu.
const row = K.el("div", { class: "k-company k-off-row", role: "status", hidden: true });
const place = K.el("div", { class: "k-remember", hidden: true });
let drawn = "";

K.memoryRow = () => row;
K.memoryPlace = () => place;
K.remembers = () => K.story.remembers !== false;
K.switchMemory = (on) => { if (on !== K.remembers()) K.act(on ? "remember" : "pause_memory"); };
K.memoryDeeds = () => [K.remembers()
  ? { name: "pause_memory", icon: "forget", label: K.t("memory_turn_off"), act: () => K.switchMemory(false) }
  : { name: "remember", icon: "mark", label: K.t("memory_turn_on"), act: () => K.switchMemory(true) }];

const choice = (on) => K.el("button", { type: "button", "aria-pressed": String(K.remembers() === on), "data-remember": on ? "on" : "off", text: K.t(on ? "memory_on" : "memory_off"), onclick: () => K.switchMemory(on) });
K.drawMemory = () => {
  row.hidden = !K.chat || K.remembers();
  place.hidden = !K.chat;
  const mark = JSON.stringify([K.language, K.chat, K.remembers()]);
  if (mark === drawn) return;
  drawn = mark;
  K.tellBegun?.();
  K.placeToasts();   // the line above the box comes and goes below them
  const [inRow, focused] = [row.contains(document.activeElement), place.contains(document.activeElement)];
  row.replaceChildren(K.icon("forget"), K.el("span", { text: K.t("memory_is_off") }),
    K.el("button", { class: "k-link", type: "button", "data-remember": "again", text: K.t("memory_turn_on"), onclick: () => K.switchMemory(true) }));
  place.replaceChildren(K.el("span", { class: "k-remember-name", id: "k-remember-name", text: K.t("memory_here") }),
    K.el("div", { class: "k-switch", role: "group", "aria-labelledby": "k-remember-name", title: K.t(K.remembers() ? "memory_on_means" : "memory_off_means") }, choice(true), choice(false)),
    K.remembers() ? "" : K.el("p", { class: "k-degraded", role: "note", text: K.t("memory_off_means") }));
  if (focused) place.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
  else if (inRow) K.writing.box.focus({ preventScroll: true });
  K.redraw("memories", "health");
};
