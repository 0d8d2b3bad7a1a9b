// What a person does to a conversation: one operation at a time, each with the edition the page shows, so that two tabs never mix.
const ANSWER_MS = 15000;
let pending = null;      // {token, operation, then, timer} while the server has not answered
const waiting = [];      // what was asked for meanwhile, in order; of leafing through one message only the last counts
let answered = null;
const idle = [];         // what waits until nothing is pending: sending
const asked = new Map(); // by token, what is to be called with the answer
const newToken = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// operation: of ui.rewriting.OPERATIONS; rest: message, to, text, name, branch or item; then(done): called with the answer.
K.act = (operation, rest = {}, then = null) => {
  if (!K.chat) return;
  if (K.running()) { K.toast(K.t("act_while_replying")); then?.(false); return; }
  if (pending) {
    const last = waiting.at(-1);
    if (operation === "swipe" && last?.[0] === "swipe" && last[1].message === rest.message) waiting.pop()[2]?.(false);
    waiting.push([operation, rest, then]);
    return;
  }
  const token = K.asking(end);
  pending = { token, operation, rest, then, timer: setTimeout(() => { end(false); K.complain("no_answer_act"); }, ANSWER_MS) };
  document.body.dataset.kActing = operation;
  trigger("act", { chat: K.chat, operation, token, edition: K.story.edition, receipt: K.shown.receipt, marks: K.marks, ...K.view, ...rest });
};
// A token for something that is asked of the server, and what to call with whether it was done.
K.asking = (then) => {
  const token = newToken();
  asked.set(token, then);
  return token;
};
K.acting = () => pending !== null;
K.whenIdle = (act) => { if (pending) idle.push(act); else act(); };

const said = { delete: "did_delete", delete_from: "did_delete_from", hide: "did_hide", show: "did_show", edit: "did_edit", remove_branch: "did_remove_branch", restore: "did_restore", summarise: "did_summarise", divide: "did_divide", set_day: "did_set_day", note: "did_note", play_as: "did_play_as", deny: "did_deny", allow: "did_allow", put_away: "did_put_away", send_out: "did_send_out", bring_back: "did_bring_back", listen: "did_listen", take_up: "did_take_up", remember: "did_remember", pause_memory: "did_pause_memory" };
const told = ({ operation, rest }, words) => {
  const back = { label: K.t("undo"), act: K.undo };
  if (said[operation]) return K.toast(K.t(said[operation], rest), back);
  if (operation === "branch" || operation === "edit_in_branch") return K.toast(K.t("did_branch"), back);
  if (operation === "checkpoint") return K.toast(K.t("did_checkpoint", { name: rest.name }), { label: K.t("branches"), act: () => K.openTree?.() });
  if (operation === "undo") return K.toast(K.t("did_undo", { what: words }), { label: K.t("redo"), act: K.redo });
  if (operation === "redo") return K.toast(K.t("did_redo", { what: words }), back);
  return null;
};
const end = (done, what = "") => {
  const was = pending;
  if (!was) return;
  clearTimeout(was.timer);
  asked.delete(was.token);
  pending = null;
  delete document.body.dataset.kActing;
  if (done && was.operation !== "swipe") K.clearToasts();
  if (done) told(was, K.operation(what));
  was.then?.(done);
  while (done && waiting.length && !pending) K.act(...waiting.shift());
  if (pending) return;
  waiting.splice(0).forEach(([, , then]) => then?.(false));
  idle.splice(0).forEach((act) => { if (done) act(); });   // where it was refused, the reader looks first: what was typed stays in the box
};
K.operation = (name) => (name && K.knows(`operation_${name}`) ? K.t(`operation_${name}`) : name);
// What was decided about a memory stands outside of the conversation's steps: it is the last thing done until another is.
let last = null;         // {chat, edition, operation, act}
K.decided = (operation, act = null) => {
  last = operation && { chat: K.chat, edition: K.story.edition, operation, act };
  K.redraw("masthead");
};
const decided = () => (last && last.chat === K.chat && last.edition === K.story.edition ? last : null);
K.undoable = () => decided()?.operation ?? K.story.undo;
K.undo = () => { const one = decided(); if (one) { K.decided(null); one.act(); } else if (K.story.undo || pending) K.act("undo"); else K.toast(K.t("nothing_to_undo")); };
K.redo = () => { if (K.story.redo || pending) K.act("redo"); else K.toast(K.t("nothing_to_redo")); };

// Leafing through the wordings of a message. At the end of the newest reply, a further one is made.
const aims = new Map();  // where a message is on its way to while the answer is out
K.leaf = (m, step) => {
  const from = aims.get(m.id) ?? m.variant;
  const to = from + step;
  if (to < 1) return;
  if (to > m.variants) {
    if (K.newest()?.id === m.id) K.regenerate(m);
    return;
  }
  aims.set(m.id, to);
  K.act("swipe", { message: m.id, to }, () => { if (aims.get(m.id) === to) aims.delete(m.id); });
};
K.regenerate = (m) => { if (K.replyable(m)) K.act("regenerate", { message: m.id }); };
K.resume = (m) => { if (m && !m.heard && !K.listens() && m.role === "character" && K.newest()?.id === m.id) K.act("resume"); };
// A character's words that answer something: the greeting answers nobody, and neither do words that were overheard.
K.replyable = (m) => Boolean(m) && m.role === "character" && m.round > 0 && !m.heard && !K.listens();
K.copyText = (text) => {
  const done = () => K.toast(K.t("did_copy"));
  const failed = () => K.toast(K.t("no_copy"));
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, failed);
  else failed();
};
const checkpoint = async (m) => {
  const name = await K.prompt({ title: K.t("checkpoint"), text: K.t("checkpoint_means"), label: K.t("name"), value: K.t("branch_name", { n: m.round }), act: K.t("checkpoint_set"), most: K.house.name_limit });
  if (name) K.act("checkpoint", { message: m.id, name });
};
K.showReceipt = (m) => {
  K.tab?.("receipt");
  if (K.narrow()) K.drawer("panel");
  trigger("receipt", { chat: K.chat, message: m.id });
};

// What can be done with a message, in the order of the menu; null is a line between.
K.deeds = (m) => {
  const newest = K.newest()?.id === m.id;
  const deed = (name, icon, label, act, rest = {}) => ({ name, icon, label: K.t(label), act, ...rest });
  const hint = (name) => K.keyOf?.(name);
  return [
    K.replyable(m) && deed("regenerate", "again", newest ? "regenerate" : "regenerate_there", () => K.regenerate(m), { hint: newest ? hint("regenerate") : "" }),
    newest && m.role === "character" && !m.heard && !K.listens() && deed("resume", "onward", "resume", () => K.resume(m), { hint: hint("resume") }),
    deed("edit", "pencil", "edit", () => K.edit(m.id), { hint: newest ? hint("edit") : "" }),
    deed("copy", "copy", "copy", () => K.copyText(m.text)),
    K.speakDeed(m),
    K.translateDeed(m),
    null,
    deed("branch", "fork", "branch_here", () => K.act("branch", { message: m.id, name: K.t("branch_name", { n: m.round }) })),
    deed("checkpoint", "flag", "checkpoint_ask", () => checkpoint(m)),
    m.hidden ? deed("show", "eye", "show_again", () => K.act("show", { message: m.id })) : deed("hide", "ghost", "hide_from_model", () => K.act("hide", { message: m.id })),
    null,
    m.round > 0 && deed("round", "list", "of_round", () => K.openRound?.(m.round)),
    ...K.markDeeds(m),
    m.receipt && deed("receipt", "thread", m.heard ? "heard_called_up" : "remembered", () => K.showReceipt(m)),
    null,
    m.variants > 1 && { name: "put_away", icon: "bin", label: K.t("put_away", { n: m.variant, all: m.variants }), act: () => K.act("put_away", { message: m.id, to: m.variant }), grave: true },
    deed("delete", "bin", "delete_one", () => K.act("delete", { message: m.id }), { grave: true }),
    !newest && deed("delete_from", "cut", "delete_from", () => K.act("delete_from", { message: m.id }), { grave: true }),
  ].filter((one) => one !== false && one !== undefined && one !== "");
};
K.openDeeds = (m, anchor) => {
  K.holdChosen();
  K.menu(anchor, K.deeds(m), { title: K.t("message_menu"), head: K.fine() ? "" : [m.name + K.colon(), ...K.excerpt(m.text.slice(0, 60)), m.text.length > 60 ? " …" : ""] });
};

K.surface("actions", { element, props, watch }, (_, value) => {
  if (!value || value.n === answered) return;
  answered = value.n;
  if (value.edition > K.story.edition) K.story.edition = value.edition;
  const then = asked.get(value.token);
  asked.delete(value.token);
  then?.(value.done, value.what);
});
