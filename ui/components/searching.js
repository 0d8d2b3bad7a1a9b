// Search: words that were said or are remembered, here or in all conversations. What is found leads to its round.
const PAUSE_MS = 220;
let open = null;
let box = null;
let result = null;
let scopes = null;
let timer = null;
let typed = "";
let everywhere = true;
let asked = null;          // {token, text, of} of the newest question
let shown = null;          // its answer

const of = () => (everywhere || !K.chat ? "" : K.chat);
const seek = () => {
  clearTimeout(timer);
  const text = box.value.trim();
  if (!text) { asked = shown = null; fill(); return; }
  if (asked?.text === text && asked.of === of()) return;
  asked = { token: crypto.getRandomValues(new Uint32Array(2)).join("-"), text, of: of() };
  trigger("find", { text, of: asked.of, token: asked.token });
};
const soon = () => { typed = box.value; clearTimeout(timer); timer = setTimeout(seek, PAUSE_MS); };

// To a round of a conversation, of this one or another.
K.goTo = (chat, round) => {
  if (chat === K.chat) { K.jump(round); return; }
  K.bound = { chat, round };
  trigger("open", { chat });
};

const line = (one) =>
  K.el("li", {},
    K.el("button", { class: "k-hit", type: "button", onclick: () => { open.close(); K.goTo(one.chat_id, Math.max(0, one.round)); } },
      K.el("span", { class: "k-hit-head" },
        K.el("b", { dir: "auto", text: one.kind === "message" ? one.speaker : K.t(`kind_${one.kind}`) }),
        !asked?.of && K.el("span", { dir: "auto", class: "k-hit-chat", text: one.title }),
        one.hidden && K.el("span", { class: "k-badge k-ghost" }, K.icon("ghost"), K.el("span", { text: K.t("hidden") })),
        one.round > 0 && K.el("span", { text: K.t("round", { n: one.round }) }),
        K.el("time", { datetime: one.at, text: K.date(one.at) })),
      K.el("span", { class: "k-hit-text", dir: "auto", lang: one.language }, K.excerpt(one.pieces))));
const group = (key, rows, all) => rows.length > 0 && [
  K.el("h3", {}, K.t(key, { n: all }), rows.length < all && K.el("small", { text: ` · ${K.t("search_newest", { n: rows.length })}` })),
  K.el("ol", { class: "k-hits" }, rows.map(line))];

const fill = () => {
  if (!open) return;
  K.refill(scopes, ...(K.chat ? [[true, "search_all"], [false, "search_here"]].map(([all, key]) =>
    K.el("button", { type: "button", "aria-pressed": String(everywhere === all), "data-choice": key, text: K.t(key),
      onclick: () => { everywhere = all; fill(); seek(); } })) : []));
  scopes.setAttribute("aria-label", K.t("search_where"));
  box.placeholder = K.t("search_box");
  box.setAttribute("aria-label", K.t("search_box"));
  const value = asked && shown?.token === asked.token ? shown : null;
  const all = value ? value.messages_in_all + value.memories_in_all : 0;
  K.refill(result, ...[
    K.el("p", { class: value && !all ? "k-missing" : "k-unseen", role: "status", text: value ? K.t(all ? "search_found" : "search_nothing", { n: all }) : "" }),
    value && !all && value.of && K.el("p", {}, K.el("button", { class: "k-button", type: "button", text: K.t("search_elsewhere"), onclick: () => { everywhere = true; fill(); seek(); box.focus(); } })),
    value && group("search_messages", value.messages, value.messages_in_all), value && group("search_memories", value.memories, value.memories_in_all),
    !asked && K.el("p", { class: "k-quiet", text: K.t("search_means") })].flat().filter(Boolean));
};
// Up and down go from the box through what was found and back; Enter in the box takes the first.
const step = (event) => {
  const rows = [box, ...result.querySelectorAll(".k-hit")];
  const at = rows.indexOf(document.activeElement);
  if (event.isComposing || event.keyCode === 229 || at < 0) return;
  if (event.key === "Enter" && at === 0) { event.preventDefault(); if (shown?.text === box.value.trim()) rows[1]?.click(); else seek(); return; }
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (to === undefined || !rows[to]) return;
  event.preventDefault();
  rows[to].focus();
};
K.openSearch = () => {
  box = K.el("input", { class: "k-field", type: "text", maxlength: K.house?.search_limit ?? null, autocomplete: "off", enterkeyhint: "search", dir: "auto", autofocus: true, oninput: soon });
  box.value = typed;
  scopes = K.el("div", { class: "k-switch", role: "group" });
  result = K.el("section", { class: "k-found" });
  const body = K.el("div", { onkeydown: step }, K.el("div", { class: "k-asker" }, box), scopes, result);
  open = K.dialog({ name: "searching", title: K.t("search"), body: [body], closed: () => { open = null; clearTimeout(timer); } });
  asked = shown = null;
  fill();
  box.select();
  seek();
};
K.surface("searching", { element, props, watch }, (_, value) => {
  if (value && value.token === asked?.token) shown = value;
  fill();
});
