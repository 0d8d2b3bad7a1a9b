// An own character as it is made or changed: its fields, what each weighs in a prompt, and how it will look.
const LINES = new Set(["name", "tagline", "tags"]);
const FIRST = ["name", "tagline", "tags", "language", "description", "personality", "scenario", "first_mes", "mes_example"];
const MORE = ["stances", "system_prompt", "post_history_instructions", "creator_notes"];
const ALWAYS = ["description", "personality", "scenario", "system_prompt", "post_history_instructions"];   // in every prompt
const WEIGHED = [...ALWAYS, "first_mes", "mes_example"];
const ROWS = { description: 6, first_mes: 5, stances: 7 };
const WEIGH_MS = 700;
const ANSWER_MS = 15000;
const asked = new Map();   // by token, what is to be called with the answer
let answered = null;
let form = null;           // of the dialog that is open: {id, stamp, was, boxes, parts, tokens, changed}

const ask = (then, { loud = true } = {}) => {
  const token = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const timer = setTimeout(() => { if (asked.delete(token)) { if (loud) K.complain("no_answer_act"); then(null); } }, ANSWER_MS);
  asked.set(token, (answer) => { clearTimeout(timer); then(answer); });
  return token;
};
K.askCharacters = ask;
// operation: of ui.characters.Characters. then: called with the character's id when it is done; failed: with the error, or null where no answer came.
K.keepCharacter = (operation, rest, then = () => {}, failed = (error) => { if (error) K.toast(K.sentence(error)); }) =>
  trigger("keep", { operation, ...rest, token: ask((answer) => { if (answer?.shows === "done") then(answer.id); else failed(answer?.error ?? null); }) });

const texts = () => Object.fromEntries([...FIRST, ...MORE].map((name) => [name, form.boxes[name].value]));
const unsaved = () => Boolean(form?.was) && JSON.stringify(texts()) !== form.was;
// The greeting as a conversation would have it, once it was filled where prompts are; until then as it is typed, with the names that are known here.
const greetingOf = ({ first_mes, language, shown }) => (form.told?.of === first_mes && form.told.shown === shown && form.told.language === language ? form.told.text
  : first_mes.replace(/\{\{\s*(user|char)\s*\}\}/gi, (macro, who) => (who.toLowerCase() === "char" ? shown : K.defaultPlayer?.()?.name ?? macro)));

// What is wrong with a field, beside it; empty takes it away.
const fault = (name, sentence) => {
  const { part, says } = form.parts[name];
  says.textContent = sentence;
  part.classList.toggle("k-faulty", Boolean(sentence));
  form.boxes[name].setAttribute("aria-invalid", String(Boolean(sentence)));
};
const limitOf = (name) => (name === "tags" || name === "language" ? Infinity : K.house.character_limits[LINES.has(name) ? "line" : "text"]);
const check = (name, { saving = false } = {}) => {
  const length = Array.from(form.boxes[name].value.trim()).length;
  const limit = limitOf(name);
  if (length > limit) fault(name, K.t("error_character_text_too_long", { length, limit }));
  else if (saving && name === "name" && !length) fault(name, K.t("error_character_unnamed"));
  else fault(name, "");
  return !form.parts[name].says.textContent;
};
const shownAs = (name) => name.trim() || K.t("unnamed_character");
const preview = () => {
  const { name, tagline, language, first_mes } = texts();
  const shown = shownAs(name);
  form.tile.replaceChildren(...K.characterTile({ name: shown, unnamed: !name.trim(), tagline, language, face: K.shelf?.own.find((one) => one.id === form.id)?.face }));
  form.greeting.setAttribute("lang", language);
  form.greeting.replaceChildren(...(first_mes.trim() ? K.prose(greetingOf({ first_mes, language, shown }).trim()) : [K.el("p", { class: "k-quiet", text: K.t("no_greeting") })]));
};

// Tokens are counted where prompts are: a little after the typing stops, and only what was typed since.
const showWeights = () => {
  for (const name of WEIGHED) form.parts[name].weight.textContent = !form.boxes[name].value.trim() ? "" : form.tokens[name] === undefined ? "…" : K.t("tokens", { n: form.tokens[name] });
  const known = ALWAYS.filter((name) => form.boxes[name].value.trim()).map((name) => form.tokens[name]);
  const n = known.reduce((sum, one) => sum + one, 0);
  form.total.textContent = known.includes(undefined) ? K.t("weighing") : K.t("weight_of_character", { n });
  form.heavy.textContent = n > form.room ? K.t("character_too_heavy", { room: form.room }) : "";
};
const weigh = () => {
  if (!form || form.weighing) return;
  const now = form;
  const wanted = Object.fromEntries(WEIGHED.filter((name) => now.dirty.has(name) && now.boxes[name].value.trim()).map((name) => [name, now.boxes[name].value]));
  now.dirty.clear();
  if (!Object.keys(wanted).length) { showWeights(); return; }
  now.weighing = true;
  const { name: called, language } = texts(), shown = shownAs(called);
  trigger("weigh", { ...wanted, called: shown, spoken: language, character: now.id, token: ask((answer) => {
    now.weighing = false;
    if (now !== form) return;
    for (const name of Object.keys(wanted)) if (answer?.shows === "weights" && now.boxes[name].value === wanted[name]) now.tokens[name] = answer.tokens[name];
    if (answer?.shows === "weights") { now.room = answer.room; if (wanted.first_mes) { now.told = { of: wanted.first_mes, shown, language, text: answer.greeting }; preview(); } showWeights(); if (now.dirty.size) weigh(); }
    else now.total.textContent = answer ? K.sentence(answer.error) : "";
  }, { loud: false }) });
};
const typed = (name) => {
  check(name);
  preview();
  const changed = name === "name" || name === "language" ? "first_mes" : name;   // a greeting is filled anew under another name
  if (!WEIGHED.includes(changed)) return;
  form.dirty.add(changed);
  delete form.tokens[changed];
  showWeights();
  clearTimeout(form.timer);
  form.timer = setTimeout(weigh, WEIGH_MS);
};

const boxOf = (name, value) => {
  const options = { id: `k-of-${name}`, class: "k-field", "aria-describedby": `k-of-${name}-hint k-of-${name}-says`, dir: "auto", autocomplete: "off", "data-field": name };
  if (name === "language") {
    const codes = [...new Set([...Object.keys(K.catalogue), value])];
    const box = K.el("select", options, codes.map((code) => K.el("option", { value: code, text: K.catalogue[code]?.language_name ?? code })));
    box.value = value;
    return box;
  }
  const box = K.el(LINES.has(name) ? "input" : "textarea", { ...options, rows: LINES.has(name) ? null : ROWS[name] ?? 3 });
  box.value = value;
  return box;
};
const partOf = (name, value) => {
  const box = boxOf(name, value);
  const says = K.el("p", { class: "k-fault", id: `k-of-${name}-says`, role: "alert" });
  const weight = K.el("span", { class: "k-quiet k-weight" });
  box.addEventListener(name === "language" ? "change" : "input", () => typed(name));
  const hint = K.knows(`fieldhint_${name}`) && (name !== "name" || form.id);   // a new one has no conversations to keep a name
  const part = K.el("div", { class: "k-part" },
    K.el("div", { class: "k-part-head" }, K.el("label", { for: box.id, text: K.t(`field_${name}`) }), weight),
    hint && K.el("p", { class: "k-quiet", id: `k-of-${name}-hint`, text: K.t(`fieldhint_${name}`) }), box, says);
  const drafting = name === "stances" && K.stanceDrafting({
    texts, fault: (sentence) => fault(name, sentence),
    put: (text) => { box.value = [box.value.trimEnd(), text].filter(Boolean).join("\n\n"); typed(name); box.focus(); },
  });
  if (drafting) { part.append(drafting); form.drafting = drafting; }
  form.boxes[name] = box;
  form.parts[name] = { part, says, weight };
  return part;
};

const save = () => {
  if (form.saving) return;
  form.refusal.replaceChildren();
  const wrong = [...FIRST, ...MORE].filter((name) => !check(name, { saving: true }));
  if (wrong.length) { if (MORE.includes(wrong[0])) form.more.open = true; form.boxes[wrong[0]].focus(); return; }
  const now = form;
  now.saving = true;
  now.button.disabled = true;
  const fresh = !now.id;
  K.keepCharacter(fresh ? "create" : "change", { ...texts(), character: now.id, stamp: now.stamp }, (id) => {
    now.dialog.close();
    K.toast(K.t(fresh ? "did_create_character" : "did_change_character", { name: now.boxes.name.value.trim() }), { label: K.t("talk"), act: () => K.begin(id) });
  }, (error) => {
    now.saving = false;
    now.button.disabled = false;
    if (now !== form || !error) return;
    const field = error.params?.field;
    if (now.parts[field]) { fault(field, K.sentence(error)); if (MORE.includes(field)) now.more.open = true; now.boxes[field].focus(); }
    else now.refusal.replaceChildren(K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(error) }));
  });
};
const leave = () => {
  if (!unsaved()) return true;
  const now = form;
  K.confirm({ title: K.t("unsaved_title"), text: K.t("unsaved_means"), act: K.t("unsaved_leave"), danger: true }).then((sure) => { if (sure) now.dialog.close(); });
  return false;
};
const fill = (there) => {
  Object.assign(form, { id: there.id, stamp: there.stamp, boxes: {}, parts: {}, tokens: {}, dirty: new Set(WEIGHED), told: null });
  const first = FIRST.map((name) => partOf(name, there.texts[name]));
  const more = MORE.map((name) => partOf(name, there.texts[name]));
  form.was = JSON.stringify(texts());
  form.tile = K.el("div", { class: "k-character" });
  form.greeting = K.el("div", { class: "k-preview-greeting", dir: "auto" });
  form.total = K.el("p", { class: "k-quiet", role: "status" });
  form.heavy = K.el("p", { class: "k-fault", role: "status" });
  form.refusal = K.el("div", {});
  form.more = K.el("details", { class: "k-more-fields", open: MORE.some((name) => there.texts[name].trim()) }, K.el("summary", { text: K.t("more_fields") }), more);
  form.button = K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("save"), onclick: save });
  form.dialog.content.replaceChildren(
    K.el("div", { class: "k-making" },
      K.el("div", { class: "k-making-fields" }, first, form.more),
      K.el("section", { class: "k-preview", "aria-label": K.t("preview") },
        K.el("h3", { text: K.t("preview") }), form.tile, form.greeting, form.total, form.heavy,
        there.greetings > 0 && K.el("p", { class: "k-quiet", text: K.t("greetings_kept", { n: there.greetings }) }),
        there.entries > 0 && K.el("p", { class: "k-quiet", text: K.t("lore_kept", { n: there.entries }) }),
        K.el("p", { class: "k-quiet", text: there.stances ? K.t("character_stances", { n: there.stances }) : K.t("character_no_stances") }))),
    form.refusal,
    K.el("div", { class: "k-choices k-making-end" },
      K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => { if (leave()) form.dialog.close(); } }), form.button));
  preview();
  showWeights();
  weigh();
  form.boxes.name.focus();
};
// Without an id, a new one.
K.openCharacter = (id = "") => {
  K.drawer(null);
  K.clearToasts();
  const mine = {};
  mine.dialog = K.dialog({ name: "character", title: K.t(id ? "edit_character" : "new_character"), kind: "k-making-dialog", may: leave, closed: () => {
      clearTimeout(mine.timer);
      mine.drafting?.stop();
      if (form === mine) form = null;
      if (document.activeElement === document.body) document.querySelector(`#k-shelf [data-own="${id ? `menu ${CSS.escape(id)}` : "new"}"]`)?.focus({ preventScroll: true });
    },
    body: [K.el("p", { class: "k-quiet", text: K.t("loading") })] });
  if (mine.dialog.node.dataset.made) return;   // it is open already
  mine.dialog.node.dataset.made = "yes";
  mine.dialog.node.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing && form?.button) { event.preventDefault(); save(); } });
  form = mine;
  if (!id) { fill({ id: "", stamp: 0, stances: 0, texts: { ...Object.fromEntries([...FIRST, ...MORE].map((name) => [name, ""])), language: K.language } }); return; }
  trigger("form", { character: id, token: ask((answer) => {
    if (form !== mine) return;
    if (answer?.shows === "form") fill(answer);
    else mine.dialog.close();
  }) });
};
window.addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
K.surface("characters", { element, props, watch }, (_, value) => {
  if (!value || value.n === answered) return;
  answered = value.n;
  const then = asked.get(value.token);
  asked.delete(value.token);
  then?.(value);
});
K.redraw("shelf");
