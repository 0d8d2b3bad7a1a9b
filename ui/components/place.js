// Where this tab is: the open chat, the address, the reader's language. It also asks for news, and follows a reply on its way.
const IDLE_MS = 2000;      // how often an idle tab asks whether its chat has changed
const SILENCE_MS = 6000;   // a followed reply sends a sign of life every two seconds; after this long nobody is following it
let drawn = null;
let followed = { job: null, at: 0 };

K.setLanguage = (language) => {
  if (!(language in K.catalogue)) return;
  K.language = language;
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  K.redrawSoon();
};

// Called with every frame of a reply: whoever sees one that nobody follows asks to follow it.
K.follow = (frame) => {
  if (!frame || frame.final || frame.chat !== K.chat) return;
  const now = Date.now();
  const known = followed.job === frame.job;
  if (frame.beat >= 0) followed = { ...followed, job: frame.job, at: now };
  else if (!known || now - followed.at > SILENCE_MS) {
    followed = { job: frame.job, at: now, view: JSON.stringify(K.view) };
    trigger("follow", { chat: K.chat, receipt: K.shown.receipt, ...K.view });
  }
};
const tick = () => {
  hearken();
  if (document.hidden || !K.chat || (K.running() && followed.job === K.live.job && Date.now() - followed.at < SILENCE_MS)) return;
  trigger("tick", { chat: K.chat, version: K.shown.version, receipt: K.shown.receipt, storage: K.shelf?.storage ?? "", marks: K.marks, ...K.view });
};
// A conversation that listens is waited on: what is heard is shown when it is heard, and not at the next tick.
const WAIT_MS = 10000;     // the server keeps one waiting a little longer
let awaited = { chat: null, at: 0 };
const hearken = () => {
  if (document.hidden || !K.listens?.() || (awaited.chat === K.chat && Date.now() - awaited.at < WAIT_MS)) return;
  awaited = { chat: K.chat, at: Date.now() };
  trigger("hearken", { chat: K.chat, version: K.shown.version, receipt: K.shown.receipt, marks: K.marks, ...K.view });
};
K.heardNews = () => { awaited = { chat: null, at: 0 }; setTimeout(hearken, 0); };
// A follower ends with the sheet that was on top when it began: the reader may have turned to another one since.
K.followed = () => { if (followed.view && followed.view !== JSON.stringify(K.view)) K.askSheet?.(); };
if (!K.ticking) {
  K.ticking = setInterval(tick, IDLE_MS);
  document.addEventListener("visibilitychange", tick);
  window.addEventListener("popstate", () => {
    const chat = new URLSearchParams(location.search).get("chat") ?? "";
    if (document.body.dataset.kDrawer) K.drawer(null);
    if (chat !== (K.chat ?? "")) trigger("went", { chat });
  });
}

K.surface("place", { element, props, watch }, (root, value) => {
  if (!value || value.n === drawn) return;
  drawn = value.n;
  const moved = K.chat !== value.id;
  K.chat = value.id;
  if (moved) {
    K.shown = { version: -1, receipt: "" };
    K.story = { edition: 0, undo: "", redo: "", branch: "", forked: 0, branches: 1, note: null, player: null, group: null, listening: null, remembers: true };
    K.view.of = "";
    K.clearToasts?.();
    K.marks = { shelf: K.marks.shelf };
    K.live = null;
    K.view = { ...K.view, chosen: "" };
    followed = { job: null, at: 0 };
    K.stuck = true;
    K.turnPage?.();
    K.leave?.();
  }
  document.body.dataset.kOpen = K.chat ? "chat" : "none";
  const address = new URL(location.href);
  if (K.chat) address.searchParams.set("chat", K.chat);
  else address.searchParams.delete("chat");
  if (address.href !== location.href) history[value.push && !history.state?.drawer ? "pushState" : "replaceState"](null, "", address);
  if (moved) K.drawer(null);   // its step of the history is that of the new address now
  // What the reader has chosen is kept by this browser; the server only knows what its requests ask for.
  const chosen = K.kept("language");
  const language = value.language && Object.hasOwn(K.catalogue, chosen ?? "") ? chosen : value.language;
  if (language && language !== K.language) K.setLanguage(language);
  else K.redrawSoon();
});
