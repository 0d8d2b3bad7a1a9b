// Asking the memory: a question about the story, answered from what is remembered, with the rounds it stands in, or said not to be there.
const LOOK_MS = 400;
const visits = new Map();   // by chat, what was asked in this visit: {asked: [{token, question}], token of the one that is shown, text in the box}
let open = null;
let box = null;
let button = null;
let result = null;
let earlier = null;
let shown = null;           // the last value of the question that is shown
let timer = null;
const visit = () => {
  if (!visits.has(K.chat)) visits.set(K.chat, { asked: [], token: null, typed: "" });
  return visits.get(K.chat);
};
const running = () => Boolean(visit().token) && (shown?.token !== visit().token || (!shown.final && !shown.refused));
const newToken = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const look = () => { if (open && !document.hidden && running()) trigger("look", { chat: K.chat, token: visit().token, marks: K.marks }); };

const ask = (question) => {
  const text = question.trim();
  if (!text || running()) { box.focus(); return; }
  const token = newToken();
  visit().asked.push({ token, question: text });
  visit().token = token;
  visit().typed = box.value = "";
  shown = null;
  delete K.marks.asking;
  trigger("ask", { chat: K.chat, text, token, of: K.mindOf() });
  fill();
};
const again = (one) => {
  if (running()) return;
  visit().token = one.token;
  shown = null;
  K.redraw("asking");   // what was drawn last may be its answer
  trigger("look", { chat: K.chat, token: one.token, marks: K.marks });
};
const stop = () => { if (running()) trigger("halt", { chat: K.chat, token: visit().token, marks: K.marks }); };

const chip = (round) => round < 0 ? K.el("span", { class: "k-quiet", text: K.t("carried_before") }) : K.el("button", {
  class: "k-link k-round", type: "button", "aria-label": K.t("go_to_round", { n: round }), text: K.t("round", { n: round }),
  onclick: () => { open.close(); K.jump(Math.max(1, round)); },
});
const chips = (rounds) => rounds.flatMap((round, at) => (at ? [" ", chip(round)] : [chip(round)]));
const said = () => ({ dir: "auto", lang: K.here()?.language ?? null });
const part = (one, dated) => K.el("li", {},
  K.el("blockquote", said(), K.excerpt(one.text)),
  one.quote && K.el("q", { class: "k-quiet", ...said() }, K.excerpt(one.quote)),
  K.el("p", { class: "k-stands" }, chips(one.rounds), one.said_by && K.el("span", { dir: "auto", text: K.t("said_by", { name: one.said_by }) }),
    one.happened ? K.el("b", { text: K.happened(one.happened) }) : one.at && K.el(dated ? "b" : "span", { text: K.t("asked_said", { day: K.date(one.at) }) })));
const note = (one) => K.el("li", { class: `k-noted${one.cited ? " k-noted-cited" : ""}` },
  K.el("header", {}, chip(one.round), K.knows(`kind_${one.kind}`) && K.el("span", { class: "k-kind", text: K.t(`kind_${one.kind}`) }),
    one.said_by && K.el("span", { dir: "auto", text: K.t("said_by", { name: one.said_by }) }), K.el("time", { datetime: one.at, text: K.date(one.at) })),
  K.el("p", { class: "k-episode", ...said() }, K.excerpt(one.text)),
  one.quote && K.el("q", { class: "k-quiet", ...said() }, K.excerpt(one.quote)),
  one.happened && K.el("p", { class: "k-quiet", text: K.happened(one.happened) }));
const list = (notes) => K.el("ol", { class: "k-notes" }, notes.map(note));
const nearest = (answer) => answer.notes.length > 0 && [K.el("h3", { text: K.t("asked_nearest") }), list(answer.notes)];
const by = (answer) => K.el("p", { class: "k-quiet", text: answer.by === "model" ? K.t("asked_by_model", { model: answer.model }) : K.t("asked_by_sentences") });
const answerOf = (answer) => (answer.found
  ? [K.el("ol", { class: "k-answer" }, answer.parts.map((one) => part(one, answer.dated))), by(answer),
      answer.notes.length > 0 && K.el("details", { class: "k-before" }, K.el("summary", { text: K.t(answer.by === "model" ? "asked_notes" : "asked_besides", { n: answer.notes.length }) }), list(answer.notes))]
  : [K.el("p", { class: "k-missing", text: K.t("asked_missing") }), K.el("p", { class: "k-quiet", text: K.t(`missing_${answer.missing}`) }),
      answer.parts.length > 0 && K.el("blockquote", { class: "k-uncited", ...said(), text: answer.parts[0].text }), nearest(answer), by(answer)]).flat();
const failed = (error) => [K.t("asked_model_failed", { model: error.params.model ?? "" }), K.knows(`unanswered_${error.code}`) && K.t(`unanswered_${error.code}`)].filter(Boolean).join(K.gap());
const resultOf = (value) => {
  if (value.refused) return [K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(value.refused) })];
  if (value.outdated) return [K.el("p", { class: "k-quiet", text: K.t("asked_outdated") }),
    K.el("p", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("asked_again"), onclick: () => ask(value.question) }))];
  return [
    value.phase === "failed" && K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(value.error) }),
    value.answer && value.error && K.el("p", { class: "k-degraded", role: "note", text: failed(value.error) }),
    value.answer && answerOf(value.answer),
    value.answer?.waiting && K.el("p", { class: "k-quiet", text: K.t("asked_unread") })].flat();
};

const fill = () => {
  if (!open) return;
  const { asked, token } = visit();
  const busy = running();
  const value = shown?.token === token ? shown : null;
  const phase = token && !value?.refused ? value?.phase ?? "finding" : "";
  button.textContent = K.t(busy ? "asked_stop" : "asked_ask");
  button.classList.toggle("k-firmly", !busy);
  box.setAttribute("aria-label", K.t("asking_box"));
  box.placeholder = K.t("asking_box");
  K.refill(result, ...[
    token && K.el("h3", { dir: "auto", text: asked.find((one) => one.token === token)?.question ?? "" }),
    K.el("p", { class: "k-asked-phase", role: "status" }, busy && K.el("span", { class: "k-dots", "aria-hidden": "true" }),
      K.el("span", { class: value?.final ? "k-unseen" : "", text: phase ? K.t(`asked_${phase}`) : "" })),
    value && resultOf(value)].flat().filter(Boolean));
  const others = asked.filter((one) => one.token !== token).reverse();
  K.refill(earlier, ...(others.length ? [K.el("h3", { text: K.t("asked_earlier") }), K.el("ul", {}, others.map((one) =>
    K.el("li", {}, K.el("button", { class: "k-link", type: "button", dir: "auto", "data-choice": one.token, "aria-disabled": String(busy), text: one.question, onclick: () => again(one) }))))] : []));
};

K.openAsking = () => {
  if (!K.chat) return;
  box = K.el("input", { class: "k-field", type: "text", maxlength: K.house?.question_limit ?? null, autocomplete: "off", enterkeyhint: "search", dir: "auto", autofocus: true,
    oninput: () => { visit().typed = box.value; },
    onkeydown: (event) => { if (event.key === "Enter" && !event.isComposing && event.keyCode !== 229) { event.preventDefault(); ask(box.value); } } });
  box.value = visit().typed;
  button = K.el("button", { class: "k-button", type: "button", onclick: () => (running() ? stop() : ask(box.value)) });
  result = K.el("section", { class: "k-asked" });
  earlier = K.el("section", { class: "k-asked-before" });
  open = K.dialog({ name: "asking", title: K.t("asking"), body: [K.el("p", { class: "k-quiet", text: K.t("asking_means") }), K.mindOf() && K.el("p", { class: "k-quiet", text: K.t("company_asking", { name: K.mindOf() }) }), K.el("div", { class: "k-asker" }, box, button), result, earlier],
    closed: () => { open = null; clearInterval(timer); } });
  clearInterval(timer);
  timer = setInterval(look, LOOK_MS);
  if (visit().token && !running()) again({ token: visit().token });   // what it rests on may have changed since
  fill();
};
K.surface("asking", { element, props, watch }, (_, value) => {
  if (value && value.token === visits.get(K.chat)?.token) shown = value;
  fill();
});
