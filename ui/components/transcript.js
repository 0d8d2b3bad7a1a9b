// A window of the conversation: consecutive messages, oldest first. New windows are joined to it where they overlap, so a message that is already on
// the page is never drawn again and nothing flickers.
const MOST = 180;           // messages kept on the page while the reader is at its end
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

const signature = (m) => `${m.status}|${m.receipt}|${m.round}|${m.name}|${m.at}|${m.text}`;

const messageOf = (m) => {
  const mine = m.role === "user";
  const name = m.name;
  return K.el("article", {
    class: `k-message ${mine ? "k-reader-says" : "k-character-says"}`, "data-id": m.id, "data-round": m.round, "data-status": m.status, tabindex: -1,
  },
    mine ? null : K.avatar(name, "m"),
    K.el("div", { class: "k-leaf" },
      K.el("header", {},
        K.el("b", { text: name }),
        K.el("span", { class: "k-meta" },
          m.round > 0 && K.el("span", { text: K.t("round", { n: m.round }) }),
          K.el("time", { datetime: m.at, text: K.time(m.at) }))),
      K.el("div", { class: "k-prose", lang: K.here()?.language ?? null }, K.prose(m.text)),
      (m.status !== "complete" || m.receipt) && K.el("footer", {},
        m.status !== "complete" && K.knows(`status_${m.status}`) && K.el("span", { class: "k-status", text: K.t(`status_${m.status}`) }),
        m.receipt && K.el("button", {
          class: "k-link k-remembered", type: "button",
          onclick: () => {
            K.tab?.("receipt");
            if (window.matchMedia("(max-width: 900px)").matches) K.drawer("panel");
            trigger("receipt", { chat: K.chat, message: m.id });
          },
        }, K.icon("thread"), K.el("span", { text: K.t("remembered") })))));
};

const dayOf = (m) => K.day(m.at);
const nodes = new Map();    // id -> {node, signature}

const draw = () => {
  const language = `${K.language}|${K.here()?.language}`;
  if (tongue !== language) { nodes.clear(); tongue = language; }
  const wantedNodes = [];
  let day = null;
  for (const m of messages) {
    const today = dayOf(m);
    if (today !== day) {
      const id = `day ${m.id}`;
      if (nodes.get(id)?.signature !== today) nodes.set(id, { node: K.el("h2", { class: "k-day" }, K.el("span", { text: today })), signature: today });
      wantedNodes.push(nodes.get(id).node);
      day = today;
    }
    const mark = signature(m);
    if (nodes.get(m.id)?.signature !== mark) nodes.set(m.id, { node: messageOf(m), signature: mark });
    wantedNodes.push(nodes.get(m.id).node);
  }
  // Put in place only what is not there yet: moving a node would lose focus and selection.
  const keep = new Set(wantedNodes);
  for (const child of [...list.children]) if (!keep.has(child)) child.remove();
  wantedNodes.forEach((node, at) => { if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null); });
  for (const [id, known] of nodes) if (!keep.has(known.node)) nodes.delete(id);

  const edge = (has, key, act, busy) => (has ? [K.el("button", { class: "k-link", type: "button", disabled: busy, onclick: act, text: K.t(busy ? "loading" : key) })] : []);
  topEdge.replaceChildren(...edge(earlier, "earlier", askEarlier, asked?.kind === "earlier"));
  bottomEdge.replaceChildren(...edge(later, "later", askLater, asked?.kind === "around"));
  waiting.replaceChildren(...(!later && newest?.awaiting && !K.running()
    ? [K.el("p", { text: K.t("awaiting") }), K.el("button", { class: "k-button", type: "button", text: K.t("ask_reply"), onclick: () => trigger("reply", { chat: K.chat }) })]
    : []));
  if (!messages.length && newest && !K.running()) waiting.replaceChildren(K.el("p", { text: K.t("empty_chat") }));
  document.getElementById("k-live")?.toggleAttribute("hidden", later);
  showJump();
};

const join = (page, isNewest) => {
  if (page.before && messages[0]?.id === page.before) {
    messages = [...page.messages, ...messages];
    earlier = page.earlier;
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
};

const holding = (act) => {
  const box = K.scroller();
  const anchor = [...list.querySelectorAll(".k-message")].find((node) => node.getBoundingClientRect().bottom > (box?.getBoundingClientRect().top ?? 0));
  const before = anchor?.getBoundingClientRect().top ?? 0;
  act();
  if (anchor?.isConnected && box && !K.stuck) box.scrollTop += anchor.getBoundingClientRect().top - before;
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
  if (later && newest) {
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
  messages = []; newest = null; earlier = later = false; asked = wanted = sought = seen = null;
  nodes.clear(); list.replaceChildren(); spoken.replaceChildren();
};
K.pages = (value) => {
  if (value.chat !== K.chat) return;
  asked = null;
  holding(() => {
    join(value, false);
    draw();
  });
  goOn();
};

const welcome = () =>
  K.el("div", { class: "k-welcome" },
    K.el("img", { src: K.brand, alt: "", width: 72, height: 72 }),
    K.el("h1", { text: K.t("welcome") }),
    K.el("p", { text: K.t("welcome_line") }),
    K.kept("seen") === null && K.el("aside", { class: "k-guide", "aria-label": K.t("guide_title") }, K.guide?.(),
      K.el("button", { class: "k-button", type: "button", text: K.t("got_it"), onclick: () => { K.keep("seen", "1"); K.redraw("transcript"); } })),
    K.el("div", { class: "k-covers" }, (K.house?.characters ?? []).map((one) =>
      K.el("button", { type: "button", class: "k-cover", "data-character": one.id, "aria-label": K.t("talk_with", { name: one.name }), onclick: () => trigger("create", { character: one.id }) },
        K.avatar(one.name, "l"),
        K.el("b", { text: one.name, lang: one.language }),
        K.el("span", { text: one.tagline, lang: one.language }),
        K.knows(`speaks_${one.language}`) && K.el("small", { text: K.t(`speaks_${one.language}`) })))),
    (K.shelf?.chats.length ?? 0) > 0 && K.el("nav", { class: "k-recent", "aria-label": K.t("your_chats") },
      K.el("h2", { text: K.t("your_chats") }),
      K.el("ul", {}, K.shelf.chats.slice(0, 8).map((chat) =>
        K.el("li", {}, K.el("button", { type: "button", class: "k-link", onclick: () => trigger("open", { chat: chat.id }) },
          K.avatar(chat.character, "s"), K.el("span", { lang: chat.language, text: chat.title || chat.character }), K.el("small", { text: K.t("chat_rounds", { n: chat.rounds }) })))))));

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

K.surface("transcript", { element, props, watch }, (_, value) => {
  attach();
  scroller?.setAttribute("aria-label", K.t("conversation"));
  if (!K.chat) {
    root.replaceChildren(welcome());
    if (scroller) scroller.scrollTop = 0;
    return;
  }
  if (!topEdge.isConnected) root.replaceChildren(topEdge, list, bottomEdge, waiting, spoken, jump);
  if (!value) return;
  if (value.same) {           // the page has its messages: only the version has moved on, or the language
    K.shown.version = value.version;
    if (newest) draw();
    K.settle?.(value.settled);
    return;
  }
  const fresh = newest !== value;
  const known = messages.length > 0;
  const lastKnown = messages.at(-1)?.id;
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
  if (fresh) {
    K.shown = { version: value.version, receipt: K.shown.receipt };
    K.settle?.(value.settled);
    const said = messages.at(-1);
    if (seen === null) seen = said?.id;
    if (known && said && said.id !== lastKnown && said.role !== "user") spoken.replaceChildren(K.el("p", { text: `${said.name}: ${said.text}` }));
  }
  K.toEnd();
});
