// Messages as stretches: four or more in a row are one, from and to.
A.stretches = (turns) => {
  const found = [];
  for (const n of turns) if (found.length && found.at(-1)[1] === n - 1) found.at(-1)[1] = n; else found.push([n, n]);
  return found.flatMap(([from, to]) => (to - from >= 3 ? [[from, to]] : Array.from({ length: to - from + 1 }, (_, n) => [from + n, from + n])));
};
A.places = (turns) => A.stretches(turns).map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ");
// The form of a memory point, in annotation and in review alike. `value` is what it holds; `changed` hears of every change as it is typed.
A.pointForm = ({ value, categories, view, changed, save, discard, plain = false }) => {
  const text = A.el("textarea", { id: "a-text", rows: "3", maxlength: "500", value: value.text, "aria-label": A.t("point_text"), placeholder: A.t("point_text"), dir: "auto" });
  const note = A.el("input", { id: "a-note", maxlength: "2000", value: value.note ?? "", "aria-label": A.t("note"), placeholder: A.t("note"), dir: "auto" });
  const unclear = A.el("input", { type: "checkbox", id: "a-unclear" });
  unclear.checked = Boolean(value.unclear);
  const groups = A.el("div", { class: "choices", role: "radiogroup", "aria-label": A.t("category") }, categories.map((name, at) =>
    A.el("button", { type: "button", role: "radio", "data-category": name, onclick: () => form.category(at) }, at < 9 && A.el("kbd", { text: at + 1 }), name)));
  const tongues = A.el("div", { class: "choices", role: "radiogroup", "aria-label": A.t("language") }, ["en", "zh"].map((name) =>
    A.el("button", { type: "button", role: "radio", "data-language": name, onclick: () => { value.language = name; value.chosen = true; told(); } }, A.t(`language_${name}`))));
  const where = A.el("div", { class: "chips", id: "a-where" });
  const told = () => { form.draw(); changed(); };
  text.addEventListener("input", () => {
    value.text = text.value;
    if (!value.chosen && text.value) value.language = (text.value.match(/[\u4e00-\u9fff]/g) ?? []).length > (text.value.match(/[A-Za-z]+/g) ?? []).length ? "zh" : "en";
    told();
  });
  note.addEventListener("input", () => { value.note = note.value; changed(); });
  unclear.addEventListener("change", () => { value.unclear = unclear.checked; changed(); });
  const enter = (event) => { if (event.key === "Enter" && !event.shiftKey && !A.composing(event)) { event.preventDefault(); event.stopPropagation(); save(); } };
  text.addEventListener("keydown", enter);
  note.addEventListener("keydown", enter);
  const form = {
    box: A.el("form", { id: "a-form", onsubmit: (event) => { event.preventDefault(); save(); } },
      A.el("h2", {}, A.t(value.version ? "edit_point" : "new_point"), " ", value.suggestion && A.suggestedBadge(typeof value.suggestion === "string" ? { text: "", changed: [] } : value.suggestion)), text, groups, tongues,
      A.el("div", {}, A.el("span", { class: "quiet", text: `${A.t("evidence")} ` }), where),
      !plain && [note, A.el("label", { class: "check" }, unclear, A.t("unclear"))],
      A.el("div", { class: "row end" }, A.button(A.t("discard"), discard, { id: "a-discard" }), A.el("button", { class: "firm", id: "a-save" }, A.t("save"), A.el("kbd", { text: "Enter" })))),
    focus: () => text.focus({ preventScroll: true }),
    category: (at) => { if (at < categories.length) { value.category = categories[at]; told(); } },
    unclear: () => { unclear.checked = !unclear.checked; value.unclear = unclear.checked; changed(); },
    toggle: (turn) => {
      const has = value.evidence.turns.includes(turn);
      value.evidence.turns = has ? value.evidence.turns.filter((n) => n !== turn) : [...value.evidence.turns, turn].sort((x, y) => x - y);
      if (has) value.evidence.quotes = value.evidence.quotes.filter((quote) => quote.turn !== turn);
      told();
    },
    drop: (from, to) => {
      const within = (n) => n >= from && n <= to;
      value.evidence.turns = value.evidence.turns.filter((n) => !within(n));
      value.evidence.quotes = value.evidence.quotes.filter((quote) => !within(quote.turn));
      told();
    },
    // Many at once are one change.
    choose: (turns) => {
      const all = new Set([...value.evidence.turns, ...turns]);
      if (all.size === value.evidence.turns.length) return;
      value.evidence.turns = [...all].sort((x, y) => x - y);
      told();
    },
    quote: (quote) => {
      if (!value.evidence.turns.includes(quote.turn)) value.evidence.turns = [...value.evidence.turns, quote.turn].sort((x, y) => x - y);
      if (!value.evidence.quotes.some((one) => one.turn === quote.turn && one.start === quote.start && one.end === quote.end)) value.evidence.quotes = [...value.evidence.quotes, quote];
      told();
    },
    draw: () => {
      for (const one of groups.children) one.setAttribute("aria-checked", String(one.dataset.category === value.category));
      for (const one of tongues.children) one.setAttribute("aria-checked", String(one.dataset.language === value.language));
      const chip = (label, drop, go) => A.el("span", { class: "chip" }, A.button(label, go, { class: "plain" }), A.button("×", drop, { class: "plain", "aria-label": `${A.t("delete")}: ${label}` }));
      where.replaceChildren(...(value.evidence.turns.length ? [] : [A.el("em", { class: "quiet", text: A.t("no_evidence") })]),
        ...A.stretches(value.evidence.turns).map(([from, to]) => chip(from === to ? `${from}` : `${from}–${to}`, () => form.drop(from, to), () => view.go(from))),
        ...value.evidence.quotes.map((quote) => chip(`“${quote.text.slice(0, 60)}”`, () => { value.evidence.quotes = value.evidence.quotes.filter((one) => one !== quote); told(); }, () => view.go(quote.turn))));
      view.mark("chosen", value.evidence.turns);
      view.words(value.evidence.quotes);
    },
  };
  form.draw();
  return form;
};
