// A message read aloud by a voice of this machine. Voices that send the text elsewhere are never used; where there is no other, nothing offers to read.
const PIECE = 220;          // letters of one utterance: some engines fall silent within a long one
let speaking = "";          // id of the message that is being read
let turn = 0;               // of what was begun last: an end that comes late ends nothing newer
const engine = window.speechSynthesis ?? null;
const voices = () => (engine ? engine.getVoices().filter((voice) => voice.localService) : []);
const plain = (tag) => tag.toLowerCase().replaceAll("_", "-").replace(/^cmn\b/, "zh");
const voiceFor = (language) => {
  const fit = voices().filter((voice) => plain(voice.lang).split("-")[0] === language.split("-")[0]);
  return fit.find((voice) => plain(voice.lang) === plain(language)) ?? fit.find((voice) => voice.default) ?? fit[0] ?? null;
};
// Whole sentences, as long as they are not too long themselves.
const pieces = (text) => {
  const said = text.replace(/[*_#>`]+/g, "").split(/\n+/).flatMap((line) => line.split(/(?<=[.!?…]["”’)]{0,2})\s+|(?<=[。！？])(?!["”」』）])|(?<=[。！？]["”」』）]{1,2})(?!["”」』）])/u));
  return said.flatMap((sentence) => sentence.match(new RegExp(`.{1,${PIECE}}(?:\\s|$)|.{1,${PIECE}}`, "gsu")) ?? []).map((piece) => piece.trim()).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
};
const over = () => {
  const was = speaking;
  speaking = "";
  if (was) K.redraw("transcript");
};
K.hasVoices = () => voices().length > 0;
K.speaksNow = (id) => Boolean(speaking) && (id === undefined || speaking === id);
K.hush = () => { turn += 1; engine?.cancel(); over(); };
K.speak = (m) => {
  const language = K.languageOf(m.text), voice = voiceFor(language), said = pieces(m.text);
  if (!voice) { K.toast(K.t("speak_no_voice", { language: new Intl.DisplayNames([K.locale()], { type: "language" }).of(language) })); return; }
  if (!said.length) return;
  K.hush();
  const mine = turn;
  speaking = m.id;
  K.redraw("transcript");
  said.forEach((piece, at) => {
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    if (at === said.length - 1) utterance.onend = () => { if (mine === turn) over(); };
    utterance.onerror = (event) => {
      if (mine !== turn) return;
      K.hush();
      if (event.error !== "canceled" && event.error !== "interrupted") K.toast(K.t("speak_failed"));
    };
    engine.speak(utterance);
  });
};
K.speakDeed = (m) => K.hasVoices() && (K.speaksNow(m.id)
  ? { name: "hush", icon: "stop", label: K.t("speak_stop"), act: K.hush, hint: K.keyName("Escape") }
  : { name: "speak", icon: "voice", label: K.t("speak"), act: () => K.speak(m) });
K.hushButton = (m) => K.speaksNow(m.id) && K.el("button", { class: "k-link k-hush", type: "button", onclick: () => K.hush() }, K.icon("stop"), K.el("span", { text: K.t("speak_stop") }));
engine?.addEventListener?.("voiceschanged", () => K.redraw("transcript"));
window.addEventListener("pagehide", () => engine?.cancel());
