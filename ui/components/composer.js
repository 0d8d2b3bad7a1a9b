// The reader's own words. They are kept in this browser per chat until the server has said that it has them; the token that goes with a text makes
// sending it again harmless.
const ANSWER_MS = 15000;
const root = element.querySelector(".k-surface");
const memo = (chat) => `keepsake.draft.${chat}`;
const read = (chat) => {
  try { return JSON.parse(localStorage.getItem(memo(chat)) ?? "null") ?? { text: "", token: "" }; } catch { return { text: "", token: "" }; }
};
const write = (chat, draft) => {
  try {
    if (draft.text) localStorage.setItem(memo(chat), JSON.stringify(draft));
    else localStorage.removeItem(memo(chat));
  } catch { /* a browser that keeps nothing still has the text in the box */ }
};
const newToken = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const box = K.el("textarea", { id: "k-text", rows: 1, autocomplete: "off", enterkeyhint: "send" });
const button = K.el("button", { id: "k-send", type: "button", class: "k-send" });
const count = K.el("span", { class: "k-count", "aria-live": "polite" });
const note = K.el("p", { class: "k-note", role: "status" });
const model = K.el("div", { class: "k-model" });
const playing = K.el("span", { class: "k-playing-place" });
let played = "";
const pen = K.el("button", { id: "k-draft", type: "button", class: "k-plain", onclick: () => K.draft() });
root.append(K.noticeRow(), K.takingRow(), K.memoryRow(), K.companyRow(), K.speakersRow(), K.el("div", { class: "k-paper" }, box, K.el("div", { class: "k-tools" }, count, playing, pen, button)), note, model);

let open = null;       // the chat whose draft is in the box
let sending = null;    // {token, timer} while the server has not answered
let stopping = null;   // the reply that was told to stop
let answered = null;
let hurried = false;   // sent before the conversation was drawn: it goes as soon as it is

const length = () => Array.from(box.value).length;
const LONG = 4000;
const fit = () => {
  // Measuring a very long text, and setting it in a serif face, takes seconds where it has no spaces: it gets the tallest box and a plain face.
  const long = box.value.length > LONG;
  box.classList.toggle("k-long", long);
  box.style.height = "auto";
  box.style.height = `${Math.min(long ? Infinity : box.scrollHeight + 2, Math.round(window.innerHeight * 0.34))}px`;
};
const keep = () => { if (open) write(open, { text: box.value, token: read(open).text === box.value ? read(open).token : "" }); };
const measure = () => {
  const limit = K.house?.limit ?? Infinity;
  const size = box.value.length * 2 < limit ? box.value.length : length();
  count.textContent = size > limit * 0.9 ? K.t("characters_of", { length: size, limit }) : "";
  count.dataset.over = String(size > limit);
};
const release = () => {
  if (sending) clearTimeout(sending.timer);
  sending = null;
  box.readOnly = false;
};

const stop = () => {
  if (!K.running() || stopping === K.live.job) return;
  stopping = K.live.job;
  trigger("stop", { chat: K.chat });
  K.redraw("composer");
};
const send = () => {
  const text = box.value;
  if (sending || !open || !text.trim()) return;
  if (K.shown.version < 0) { hurried = true; return; }
  if (K.running()) { note.textContent = K.t("reply_first"); return; }
  if (K.acting?.()) { K.whenIdle(send); return; }
  const speaker = K.listens() ? K.speakerNow() : "";
  if (K.listens() && !speaker) { note.textContent = K.t("error_nobody_speaks"); return; }
  const draft = read(open);
  const token = draft.text === text && draft.token ? draft.token : newToken();
  write(open, { text, token });
  note.textContent = "";
  box.readOnly = true;
  sending = { token, timer: setTimeout(() => { release(); K.complain("no_answer"); K.redraw("composer"); }, ANSWER_MS) };
  trigger("send", { chat: open, text, token, edition: K.story.edition, marks: K.marks, receipt: K.shown.receipt, ...K.view, to: K.askedToAnswer(), ...(speaker ? { listens: "yes", speaker } : {}) });
  K.redraw("composer");
};

box.addEventListener("input", () => { keep(); fit(); measure(); note.textContent = ""; K.draftTouched(); });
box.addEventListener("keydown", (event) => {
  // While an input method composes, Enter chooses a word; Safari reports that Enter after the composition with key code 229.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  if (!box.value && (event.ctrlKey || event.altKey || event.metaKey)) return;   // keys.js knows what these mean in an empty box
  event.preventDefault();
  if (!event.repeat) send();
});
button.addEventListener("click", () => (K.running() ? stop() : send()));
window.addEventListener("pagehide", keep);
K.stop = stop;
// For what else writes into the box: a draft of the player's words, and keys.
K.writing = {
  box,
  put: (text) => { box.value = text; keep(); fit(); measure(); },
  note: (...nodes) => note.replaceChildren(...nodes),
};

K.ownModel = () => K.el("button", { class: "k-link k-own-model", type: "button", "aria-haspopup": "dialog", text: K.t("own_model"), onclick: (event) => { event.target.closest("dialog")?.close(); K.openModels("connections"); } });
const aboutModel = () => {
  const status = K.house?.status;
  if (!status) return [];
  const small = K.el("p", { text: K.t(status.small ? "model_is_small" : "answered_by", { model: status.model }) });
  if (status.local && !status.small) small.append(K.gap(), K.t("model_is_local"));
  if (status.memory) small.append(K.gap(), K.t("read_by", { model: status.memory }));
  if (K.knows(`reread_${status.cross_state}`)) small.append(K.gap(), K.t(`reread_${status.cross_state}`, { model: status.cross }));
  if (!status.small || !K.mayChooseModel()) return [small];
  small.append(K.gap(), K.ownModel());
  return [small];
};
let told = "";

K.hurried = () => { if (hurried) { hurried = false; send(); } };
// The box belongs to the open conversation from the moment it is open: what is typed before the rest is drawn is that one's.
K.turnPage = () => {
  if (open === K.chat) return;
  if (sending) release();
  hurried = false;
  open = K.chat;
  box.value = open ? read(open).text : "";
  note.textContent = "";
  // Both ask where things stand: in the next frame, when the conversation is there as well and all of it is laid out once.
  const here = open;
  requestAnimationFrame(() => {
    fit();
    const free = document.activeElement === document.body || document.activeElement === null || !document.activeElement.matches("input, textarea, select");
    if (here && here === open && free && !K.dialogOpen?.() && window.matchMedia("(pointer: fine) and (min-width: 901px)").matches) box.focus({ preventScroll: true });
  });
};
K.turnPage();

K.surface("composer", { element, props, watch }, (_, value) => {
  if (value && value.n !== answered) {
    answered = value.n;
    if (sending?.token === value.token) release();
    const draft = read(value.of);
    if (value.accepted && draft.token === value.token) {
      write(value.of, { text: "", token: "" });
      K.answered();
      if (open === value.of && box.value === draft.text) box.value = "";
      K.toLatest();
    }
    fit();
    if (window.matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  }
  root.parentElement.dataset.open = String(Boolean(K.chat));
  const running = K.running();
  const chat = K.here();
  const listens = K.listens();
  const speaker = listens ? K.speakerNow() : "";
  box.placeholder = !chat ? "" : !listens ? K.t("write_to", { name: K.nameOf(chat) }) : speaker ? K.t("listen_write", { name: speaker }) : K.t("listen_write_nobody");
  box.setAttribute("aria-label", K.t("your_message"));
  box.title = K.t(listens ? "listen_hint" : "composer_hint");
  if (!running) stopping = null;
  const ending = running && (stopping === K.live.job || K.live.phase === "stopped");
  const label = K.t(ending ? "stopping" : running ? "stop" : listens ? "listen_add" : "send");
  button.replaceChildren(K.icon(running ? "stop" : listens ? "plus" : "send"), K.el("span", { text: label }));
  button.dataset.does = running ? "stop" : "send";
  pen.replaceChildren(K.icon("feather"));
  pen.setAttribute("aria-label", K.t("draft"));
  pen.title = K.t("draft_means", { key: K.keyOf?.("draft") ?? "" });
  pen.hidden = playing.hidden = listens;
  pen.disabled = Boolean(running || sending || !K.messages?.().length);
  button.disabled = Boolean(ending || (!running && sending));
  if (!running && note.textContent === K.t("reply_first")) note.textContent = "";
  const now = JSON.stringify([K.language, K.story.player, Boolean(K.playingChip)]);
  if (played !== now) {
    const focused = playing.contains(document.activeElement);
    played = now;
    playing.replaceChildren(...[K.playingChip?.()].filter(Boolean));
    if (focused) playing.querySelector("button")?.focus({ preventScroll: true });
  }
  const telling = JSON.stringify([K.language, K.house?.status, listens && K.nameOf(chat)]);
  if (told !== telling) { told = telling; model.replaceChildren(...(listens ? [K.el("p", { text: K.t("listening_means", { name: K.nameOf(chat) }) })] : aboutModel())); }
  measure();
  K.drawNotice();
  K.drawTaking();
  K.drawMemory();
  K.drawCompany();
  K.drawSpeakers();
});
