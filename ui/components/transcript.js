// A window of the conversation: consecutive messages, oldest first. New windows are joined to it where they overlap, so a message that is already on
// the page is never drawn again and nothing flickers.
const MOST = 180;           // messages kept on the page while the reader is at its end
const MOST_AWAY = 300;      // and while they read further up: what lies farthest from them is let go of, and comes back when they do
const ANSWER_MS = 8000;     // after this long, an answer that has not come is not waited for
const root = element.querySelector(".k-surface");
const topEdge = K.el("div", { class: "k-edge" });
const list = K.el("div", { class: "k-messages", role: "log", "aria-live": "off" });
const bottomEdge = K.el("div", { class: "k-edge" });
const waiting = K.el("div", { class: "k-waiting" });
const spoken = K.el("div", { class: "k-unseen", "aria-live": "polite" });
const jump = K.el("button", { class: "k-latest", type: "button", hidden: true, onclick: () => toLatest() });

let messages = [];          // what is drawn
let newest = null;          // the last value of the server: the newest window
let earlier = false;
let later = false;
let asked = null;           // {kind: "earlier" or "around"} while an answer is on its way
let wanted = null;          // the round to show when it comes
let sought = null;          // the round that was asked for
let seen = null;            // the newest message when the reader was last at the end
let tongue = null;
let edition = null;         // of the conversation as it is drawn
let reads = "";             // the oldest message that the newest reply had word for word
let stale = false;          // what lies outside the newest window may read otherwise now

K.messages = () => messages;
K.newest = () => newest?.messages.at(-1) ?? null;

const dayOf = (m) => K.day(m.at);
const nodes = new Map();    // id -> {node, signature}

// Above the oldest message that the newest reply had in its prompt: what is above came to it as memory, or not at all.
const readsLine = () => {
  const known = nodes.get("reads") ?? { node: K.el("p", { class: "k-reads", role: "note" }, K.el("span", {})) };
  known.node.firstChild.textContent = K.t("reads_from");
  known.node.title = K.t("reads_from_means");
  nodes.set("reads", known);
  return known.node;
};

const draw = () => {
  const language = `${K.language}|${K.here()?.language}`;
  if (tongue !== language) { nodes.clear(); tongue = language; }
  const wantedNodes = [];
  const under = K.running() ? K.live.message : "";   // a message that is being made anew stands below, as it grows
  const had = list.contains(document.activeElement) ? document.activeElement.closest(".k-message")?.dataset.id : null;
  const which = had && { leaf: document.activeElement.dataset.leaf, deed: document.activeElement.dataset.deed };
  let day = null;
  for (const m of messages) {
    const today = dayOf(m);
    if (today !== day) {
      const id = `day ${m.id}`;
      if (nodes.get(id)?.signature !== today) nodes.set(id, { node: K.el("h2", { class: "k-day" }, K.el("span", { text: today })), signature: today });
      wantedNodes.push(nodes.get(id).node);
      day = today;
    }
    if (m.id === reads && (earlier || m !== messages[0])) wantedNodes.push(readsLine());
    if (m.id === under) continue;
    const last = m.id === K.newest()?.id;
    const mark = K.signatureOf(m, last);
    if (nodes.get(m.id)?.signature !== mark && !(K.editing?.id === m.id && nodes.has(m.id))) nodes.set(m.id, { node: K.messageOf(m, last), signature: mark });
    wantedNodes.push(nodes.get(m.id).node);
  }
  // Put in place only what is not there yet: moving a node would lose focus and selection.
  const keep = new Set(wantedNodes);
  for (const child of [...list.children]) if (!keep.has(child)) child.remove();
  wantedNodes.forEach((node, at) => { if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null); });
  for (const [id, known] of nodes) if (!keep.has(known.node)) nodes.delete(id);
  K.showKept(messages, (id) => nodes.get(id)?.node);
  K.showMarks(messages, (id) => nodes.get(id)?.node);
  K.showReadTo(messages, (id) => nodes.get(id)?.node);
  if (K.editing && !nodes.has(K.editing.id)) K.dropEditing();
  if (had && !list.contains(document.activeElement) && nodes.has(had)) refocus(nodes.get(had).node, which);

  const edge = (has, key, act, busy) => (has ? [K.el("button", { class: "k-link", type: "button", disabled: busy, onclick: act, text: K.t(busy ? "loading" : key) })] : []);
  topEdge.replaceChildren(...edge(earlier, "earlier", askEarlier, asked?.kind === "earlier"));
  bottomEdge.replaceChildren(...edge(later, "later", askLater, asked?.kind === "around"));
  waiting.replaceChildren(...(!later && newest?.awaiting && !K.running()
    ? [K.el("p", { text: K.t("awaiting") }), K.el("button", { class: "k-button", type: "button", text: K.t("ask_reply"), onclick: () => trigger("reply", { chat: K.chat, edition: K.story.edition, marks: K.marks, receipt: K.shown.receipt, ...K.view }) })]
    : []));
  if (!messages.length && newest && !K.running()) waiting.replaceChildren(K.el("p", { text: K.t(K.listens() ? "listening_empty" : "empty_chat") }));
  document.getElementById("k-live")?.toggleAttribute("hidden", later);
  showJump();
};

// A message that was drawn anew gives the focus back to the tool that had it.
const refocus = (node, { leaf, deed }) => {
  const tool = node.querySelector(leaf ? `[data-leaf="${leaf}"]:not(:disabled)` : `[data-deed="${deed}"]`) ?? (leaf && node.querySelector("[data-leaf]:not(:disabled)"));
  (tool || node).focus({ preventScroll: true });
};

const join = (page, isNewest) => {
  if (stale) {
    const far = isNewest && !K.stuck && (later || !page.messages.some((m) => m.id === topmost()));
    if (!far || !messages.length) {
      messages = page.messages.slice();
      [earlier, later] = [page.earlier, page.later];
      stale = false;
    }
    return;   // a reader who is further up keeps what is there until the window around it comes
  }
  if (page.before && messages[0]?.id === page.before) {
    messages = [...page.messages, ...messages];
    earlier = page.earlier;
    if (messages.length > MOST_AWAY) { messages = messages.slice(0, MOST_AWAY); later = true; }
    return;
  }
  const ids = new Map(page.messages.map((m, at) => [m.id, at]));
  const first = messages.findIndex((m) => ids.has(m.id));
  let last = -1;
  messages.forEach((m, at) => { if (ids.has(m.id)) last = at; });
  if (first < 0) {
    if (isNewest && later && messages.length) return;   // the reader is elsewhere; it is shown when they come back
    messages = page.messages.slice();
    [earlier, later] = [page.earlier, page.later];
    return;
  }
  // What the window covers is replaced by it; what lies before and behind stays.
  const head = ids.get(messages[first].id) === 0 ? messages.slice(0, first) : [];
  const tail = !page.later ? [] : ids.get(messages[last].id) === page.messages.length - 1 ? messages.slice(last + 1) : [];
  if (!head.length) earlier = page.earlier;
  if (!tail.length) later = page.later;
  messages = [...head, ...page.messages, ...tail];
  if (!isNewest && !tail.length && messages.length > MOST_AWAY) { messages = messages.slice(-MOST_AWAY); earlier = true; }
};

const topmostNode = () => {
  const edge = K.scroller()?.getBoundingClientRect().top ?? 0;
  return [...list.querySelectorAll(".k-message")].find((node) => node.getBoundingClientRect().bottom > edge);
};
const topmost = () => topmostNode()?.dataset.id;
const holding = (act) => {
  const box = K.scroller();
  const known = topmostNode();
  const id = known?.dataset.id;
  const before = known?.getBoundingClientRect().top ?? 0;
  act();
  const anchor = known?.isConnected ? known : nodes.get(id)?.node;   // drawn anew, perhaps
  if (anchor && box && !K.stuck) box.scrollTop += anchor.getBoundingClientRect().top - before;
};

const ask = (kind, send) => {
  if (asked) return;
  const mine = asked = { kind };
  setTimeout(() => { if (asked === mine) { asked = null; draw(); goOn(); } }, ANSWER_MS);
  send();
  draw();
};
const askEarlier = () => { K.stuck = false; ask("earlier", () => trigger("earlier", { chat: K.chat, before: messages[0]?.id ?? "" })); };
const askLater = () => ask("around", () => trigger("around", { chat: K.chat, round: messages.at(-1)?.round ?? 0 }));

const light = (round) => {
  const found = list.querySelectorAll(`[data-round="${round}"]`);
  if (!found.length) return false;
  K.stuck = false;
  list.querySelectorAll(".k-lit").forEach((node) => node.classList.remove("k-lit"));
  found.forEach((node) => node.classList.add("k-lit"));
  const box = K.scroller();
  box.scrollTop += found[0].getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 5;
  found[0].focus({ preventScroll: true });
  setTimeout(() => found.forEach((node) => node.classList.remove("k-lit")), 4000);
  return true;
};
K.jump = (round) => {
  K.drawer(null);
  if (light(round)) { wanted = sought = null; return; }
  wanted = round;
  if (!asked) seek();   // else what is on its way comes first
};
const seek = () => {
  sought = wanted;
  ask("around", () => trigger("around", { chat: K.chat, round: sought }));
};
// What was asked for has come, or will not: show the round that is wanted, or look for it unless that was just done.
const goOn = () => {
  if (wanted === null) return;
  if (light(wanted) || sought === wanted) wanted = sought = null;
  else seek();
};

const toLatest = K.toLatest = () => {
  if ((later || stale) && newest) {
    stale = false;
    messages = newest.messages.slice();
    [earlier, later] = [newest.earlier, newest.later];
    draw();
  }
  K.toEnd(true);
};
const showJump = K.showJump = () => {
  const end = newest?.messages.at(-1)?.id;
  if (K.stuck && !later) seen = end;
  const unread = end !== seen;
  jump.hidden = K.stuck && !later;
  jump.replaceChildren(K.icon("down"), K.el("span", { text: K.t(unread ? "latest_new" : "latest") }));
};

K.leave = () => {
  messages = []; newest = null; earlier = later = stale = false; asked = wanted = sought = seen = edition = null; reads = ""; K.readTo = 0;
  K.dropEditing?.();
  if (K.speaksNow?.()) K.hush();
  K.forgetTranslations?.();
  K.forgetKept();
  K.forgetMarks();
  nodes.clear(); list.replaceChildren(); spoken.replaceChildren();
};
K.pages = (value) => {
  if (value.chat !== K.chat) return;
  asked = null;
  K.learnKept(value.messages, value.kept);
  holding(() => {
    join(value, false);
    draw();
  });
  goOn();
};

root.append(topEdge, list, bottomEdge, waiting, spoken, jump);
let scroller = null;
const attach = () => {
  if (scroller || !(scroller = K.scroller())) return;
  scroller.setAttribute("tabindex", "0");
  scroller.setAttribute("role", "region");
  scroller.addEventListener("scroll", () => {
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60;
    if (atEnd !== K.stuck) { K.stuck = atEnd; showJump(); }
  }, { passive: true });
  new ResizeObserver(() => K.toEnd()).observe(scroller);
};

// Whether something before the newest window may have changed. One step of the edition that only added to the end is a message that was sent.
const rewritten = (value, window) => {
  const was = edition;
  edition = value.edition;
  if (was === null || value.edition === was) return false;
  const last = messages.at(-1);
  const at = window.messages.findIndex((m) => m.id === last?.id);
  return !(value.edition === was + 1 && !later && at >= 0 && (window.messages[at + 1]?.role === "user" || window.messages[at + 1]?.heard));
};
const reread = () => {
  if (!stale) return;
  const round = Number(topmostNode()?.dataset.round ?? 0);
  if (!asked) ask("around", () => trigger("around", { chat: K.chat, round }));
};
// Where the conversation stands among what was done to it: the masthead shows it.
const tell = (value) => {
  const { edition: now, undo, redo, branch, forked, branches, note, player, group, listening, remembers } = value;
  const story = { edition: now, undo, redo, branch, forked, branches, note, player, group, listening, remembers };
  const news = JSON.stringify({ ...story, edition: 0 }) !== JSON.stringify({ ...K.story, edition: 0 });
  reads = value.reads ?? "";
  K.readTo = value.read_to ?? 0;
  K.readNews();
  const silent = Boolean(K.story.listening?.on) !== Boolean(listening?.on);
  const renamed = K.story.player?.name !== player?.name;
  K.story = story;
  if (silent || renamed) K.redraw("persona");   // it says whose portrait it is, also before there is one
  K.outdateToasts(now);
  if (news) { K.redraw("masthead", "composer", "tabs"); K.refillPlaying?.(); }
};

K.surface("transcript", { element, props, watch }, (_, value) => {
  attach();
  scroller?.setAttribute("aria-label", K.t("conversation"));
  if (!K.chat) {
    root.replaceChildren(K.welcome());
    if (scroller) scroller.scrollTop = 0;
    return;
  }
  if (!topEdge.isConnected) root.replaceChildren(topEdge, list, bottomEdge, waiting, spoken, jump);
  if (!value) return;
  tell(value);
  if (K.listens()) K.heardNews();   // once the page knows the new version
  K.learnKept(value.same ? newest?.messages ?? [] : value.messages, value.kept);
  if (value.same) {           // the page has its messages: only the version has moved on, or the language
    K.shown.version = value.version;
    if (newest && rewritten(value, newest)) { stale = true; holding(() => { join(newest, true); draw(); }); reread(); }
    else if (newest) draw();
    value.settled.split(" ").forEach((job) => K.settle?.(job));
    return;
  }
  const fresh = newest !== value;
  if (fresh && rewritten(value, value)) stale = true;
  const known = messages.length > 0;
  const lastKnown = messages.at(-1);
  if (fresh && K.stuck && !later && messages.length > MOST) {
    // The reader is back at the end: let go of what was loaded further up.
    messages = messages.slice(-value.messages.length);
    earlier = true;
  }
  newest = value;
  holding(() => {
    if (fresh) join(value, true);
    draw();
  });
  if (known !== messages.length > 0) K.redraw("composer");   // there is something to draft from, or no more
  if (fresh && stale) reread();
  if (fresh) {
    K.shown = { version: value.version, receipt: K.shown.receipt };
    K.hurried?.();
    value.settled.split(" ").forEach((job) => K.settle?.(job));
    const said = messages.at(-1);
    if (seen === null) seen = said?.id;
    if (known && said && (said.id !== lastKnown?.id || said.text !== lastKnown.text) && (said.heard || said.role !== "user")) spoken.replaceChildren(K.el("p", { text: said.name + K.colon() + said.text }));
  }
  K.toEnd();
  if (K.bound?.chat === K.chat && messages.length) {   // a search in another conversation leads here
    const { round } = K.bound;
    K.bound = null;
    K.jump(round);
  }
});
