// A message in another language, below it: by the model that was chosen, for this page alone. It is kept nowhere, and no prompt or memory ever has it.
const ADDRESS = "keepsake/translations";
const shown = new Map();   // id of a message -> {of: its text, language, text, model, request}: request while it is being made
// Into the page's language; what is in that already, into the other.
const into = (m) => (K.languageOf(m.text).split("-")[0] === K.language ? Object.keys(K.catalogue).find((code) => code !== K.language) : K.language);
const here = (m) => { const one = shown.get(m.id); return one?.of === m.text ? one : null; };
const drop = (id) => { shown.get(id)?.request?.abort(); shown.delete(id); K.redraw("transcript"); };
const named = (code) => new Intl.DisplayNames([K.locale()], { type: "language" }).of(code);
K.translationMark = (m) => { const one = here(m); return one ? `${one.language} ${Boolean(one.request)}` : ""; };
K.translates = () => [...shown.values()].some((one) => one.request);
K.stopTranslating = () => [...shown].filter(([, one]) => one.request).forEach(([id]) => drop(id));
K.forgetTranslations = () => { for (const one of shown.values()) one.request?.abort(); shown.clear(); };
const translate = async (m) => {
  const chat = K.chat, mine = { of: m.text, language: into(m), text: "", model: "", request: new AbortController() };
  shown.get(m.id)?.request?.abort();
  shown.set(m.id, mine);
  K.redraw("transcript");
  let answer;
  try {
    answer = await (await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ chat, message: m.id, language: mine.language }), cache: "no-store", signal: mine.request.signal })).json();
  } catch { answer = mine.request.signal.aborted ? null : { refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
  if (shown.get(m.id) !== mine || !answer) return;
  if (answer.refused || !answer.text) { shown.delete(m.id); if (answer.refused) K.toast(K.sentence(answer.refused)); }
  else Object.assign(mine, { text: answer.text, model: answer.model, request: null });
  K.redraw("transcript");
};
// Only where a model was chosen that can: the bundled one cannot.
K.translateDeed = (m) => K.house?.status && !K.house.status.small && (here(m)
  ? { name: "untranslate", icon: "close", label: K.t(here(m).request ? "translate_stop" : "translate_away"), act: () => drop(m.id) }
  : { name: "translate", icon: "tongue", label: K.t("translate", { language: named(into(m)) }), act: () => translate(m) });
K.translationOf = (m) => {
  const one = here(m);
  if (!one) return null;
  return K.el("aside", { class: "k-translation", "aria-label": K.t("translation"), "aria-busy": String(Boolean(one.request)) },
    K.el("p", { class: "k-quiet" }, K.el("span", { role: "status", text: one.request ? K.t("translating") : K.t("translated_by", { model: one.model }) }), " ",
      K.el("button", { class: "k-link", type: "button", text: K.t(one.request ? "translate_stop" : "translate_away"), onclick: () => drop(m.id) })),
    !one.request && K.el("div", { class: "k-prose", lang: one.language }, K.prose(one.text)));
};
