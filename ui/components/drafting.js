// What the player might say next, drafted into the box by the model: never sent by itself, and never in place of what was typed without keeping that.
const memo = "keepsake.drafting";     // of this tab: {chat, job, stash} while a draft is on its way
let mine = null;
try { mine = JSON.parse(sessionStorage.getItem(memo) ?? "null"); } catch { /* a browser that keeps nothing */ }
const remember = (value) => {
  mine = value;
  try { if (value) sessionStorage.setItem(memo, JSON.stringify(value)); else sessionStorage.removeItem(memo); } catch { /* it lasts as long as the page */ }
};

const back = (stash) => K.el("button", { class: "k-link", type: "button", text: K.t("draft_back"), onclick: () => { K.writing.put(stash); K.writing.note(); K.writing.box.focus(); } });
const tell = (key, stash) => K.writing.note(K.t(key), ...(stash ? [" ", back(stash)] : []));

K.draft = () => {
  if (!K.chat || K.running() || K.acting()) return;
  const { box } = K.writing;
  remember({ chat: K.chat, job: "", stash: box.value, text: null });
  tell("drafting", box.value);
  K.act("draft", {}, (done) => { if (!done && mine && !mine.job) { remember(null); K.writing.note(); } });
};
// A frame of a draft. Only the tab that asked takes it, and only until the reader types.
K.drafted = (frame) => {
  if (!mine || mine.chat !== frame.chat || (mine.job && mine.job !== frame.job)) return;
  const { box } = K.writing;
  if (mine.text !== null && box.value !== mine.text) { remember(null); return; }   // typed into, or emptied: it is the reader's now
  const choosing = document.activeElement === box && box.selectionStart !== box.selectionEnd;   // the reader is about to replace it
  if (frame.text && (frame.final || !choosing)) { K.writing.put(frame.final ? frame.text.trim() : frame.text.trimStart()); box.scrollTop = box.scrollHeight; }
  if (!frame.final) { remember({ ...mine, job: frame.job, text: frame.text ? box.value : null }); return; }
  const { stash } = mine;
  remember(null);
  tell(frame.text ? "drafted" : "drafted_nothing", frame.text ? stash : "");
  if (K.fine()) box.focus({ preventScroll: true });
  box.setSelectionRange(box.value.length, box.value.length);
};
// The reader types: what is in the box is theirs from here on.
K.draftTouched = () => {
  if (!mine) return;
  remember(null);
  K.writing.note();
  if (K.live?.kind === "draft") K.stop();
};
