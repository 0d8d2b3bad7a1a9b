// Annotating: the dialogue, the points, the form, all by keyboard.
A.views.work = async (id) => {
  const sheet = await A.ask("sheet", { assignment: id });
  if (!sheet) { location.hash = "home"; return; }
  const { assignment, project, item } = sheet;
  const done = assignment.submitted;
  let points = sheet.points, can = { undo: sheet.can_undo, redo: sheet.can_redo };
  let form = null, value = null, at = -1, marked = new Set(), quoting = null, usual = project.categories[0];
  A.crumbs(A.el("a", { href: `#project=${project.id}`, text: project.name, dir: "auto" }), A.el("span", { text: item.title, dir: "auto" }));

  const view = A.dialogue(sheet.turns, { toggled: (n) => toggle(n), range: (from, to) => choose(...Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => Math.min(from, to) + n)) });
  const drafts = A.drafts(id, () => ({ draft: value ? JSON.stringify(value) : "", place: view.at || 1 }));
  const formPlace = A.el("div", { id: "a-form-place" }), list = A.el("ol", { id: "a-points", class: "list" }), count = A.el("span", { class: "badge" });
  const undo = A.button(A.t("undo"), () => step("undo"), { "data-does": "undo" }, "Ctrl+Z"), redo = A.button(A.t("redo"), () => step("redo"), { "data-does": "redo" });

  // Choosing messages: into the open form, else for the next one.
  const toggle = (n) => {
    if (done) return;
    if (form) form.toggle(n);
    else { if (!marked.delete(n)) marked.add(n); view.mark("chosen", marked); }
  };
  const choose = (...turns) => {
    if (done) return;
    if (form) form.choose(turns);
    else { for (const n of turns) marked.add(n); view.mark("chosen", marked); }
  };
  const quote = () => {
    const take = (found) => { quoting = null; if (form) form.draw(); else view.words([]); if (!found) return; if (!form) open(); form.quote(found); };
    const chosen = view.chosen();
    if (chosen) { getSelection().removeAllRanges(); take(chosen); }
    else if (view.at) quoting = A.quoter(view, take);
  };

  // The form
  const show = (given) => {
    value = given;
    form = A.pointForm({ value, categories: project.categories, view, changed: () => { usual = value.category; drafts.note(); }, save, discard });
    formPlace.replaceChildren(form.box);
    marked = new Set();
    form.focus();
  };
  const open = (given = null) => {
    if (done) return;
    if (form) { form.focus(); return; }
    const turns = marked.size ? [...marked].sort((x, y) => x - y) : view.at ? [view.at] : [];
    show(given ?? { id: A.id(), version: 0, text: "", category: usual, language: item.language, evidence: { turns, quotes: [] }, note: "", unclear: false });
    drafts.note();
  };
  const shut = () => {
    form = null; value = null;
    formPlace.replaceChildren(!done && A.button(A.t("new_point"), () => open(), { class: "firm wide", id: "a-new-point" }, "N"));
    view.mark("chosen", marked);
    view.words([]);
    view.go(view.at || 1, { scroll: false });
  };
  const save = async () => {
    if (!form) return;
    const { id: own, version, text, category, language, evidence, note, unclear, suggestion } = value;
    const point = { id: own, version, text: text.trim(), category, language, evidence, note, unclear };
    if (typeof suggestion === "string") point.suggestion = suggestion;   // what a kept point was made from the server knows
    await drafts.still();
    const said = await A.ask("keep_point", { assignment: id, point });
    if (!said) { drafts.note(); form?.focus(); return; }
    shut();
    drafts.note();
    A.trouble("");
    took(said);
    at = points.findIndex((one) => one.id === said.kept);
    draw();
    if (project.suggestions) suggest.look();
    A.kept(A.t("kept"));
  };
  const discard = () => {
    const was = value;
    shut();
    drafts.note();
    A.toast(A.t("discarded"), () => { show(was); drafts.note(); }, A.t("bring_back"));
  };

  // Points
  const took = (said) => { points = said.points; can = { undo: said.can_undo, redo: said.can_redo }; draw(); };
  const edit = (which = at) => { const one = points[which]; if (one && !form && !done) show({ ...structuredClone(one), chosen: true }); };
  const remove = async (which = at) => {
    const one = points[which];
    if (!one || done) return;
    const said = await A.ask("remove_point", { assignment: id, id: one.id, version: one.version });
    if (!said) return;
    at = Math.min(which, said.points.length - 1);
    took(said);
    if (project.suggestions) suggest.look();
    A.toast(A.t("removed"), () => step("undo"), A.t("undo"));
  };
  const step = async (which) => {
    if (done || form) { if (form) A.trouble(A.t("form_open")); return; }
    const said = await A.ask(which, { assignment: id, role: "annotator" });
    if (said) { took(said); at = points.findIndex((one) => one.id === said.about); draw(); if (project.suggestions) suggest.look(); }
  };
  const select = (which) => {
    if (!points.length) return;
    at = Math.max(0, Math.min(points.length - 1, which));
    draw();
    view.go(points[at].evidence.turns[0], { scroll: "centre" });
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const draw = () => {
    count.textContent = points.length;
    undo.disabled = !can.undo || done;
    redo.disabled = !can.redo || done;
    const row = (one, which) => A.el("li", { class: which === at ? "here" : "", "data-point": one.id },
      A.el("button", { type: "button", class: "plain", onclick: () => select(which) }, A.el("span", { text: one.text, dir: "auto" })),
      A.el("p", { class: "quiet" }, A.el("span", { class: "badge", text: one.category }), one.unclear && A.el("span", { class: "badge warn", text: A.t("unclear") }), A.suggestedBadge(one.suggestion), ` ${A.places(one.evidence.turns)}`,
        !done && A.button(A.t("edit"), () => edit(which), { class: "plain link" }), !done && A.button(A.t("delete"), () => remove(which), { class: "plain link" })));
    list.replaceChildren(...(points.length ? points.map(row) : [A.el("li", { class: "quiet none", text: A.t("no_points") })]));
    const badges = new Map();
    for (const one of points) for (const n of one.evidence.turns) badges.set(n, (badges.get(n) ?? 0) + 1);
    view.badges(badges);
    view.mark("of-point", points[at]?.evidence.turns ?? []);
  };

  // The end
  const submit = async () => {
    if (done) return;
    if (form) { A.trouble(A.t("form_open")); form.focus(); return; }
    if (await A.sure(A.t(project.own ? "submit_own_sure" : "submit_sure", { n: points.length }), A.t("submit")) && await A.ask("submit", { assignment: id })) {
      A.toast(A.t("submitted_thanks"));
      location.hash = "home";
    }
  };
  const reopen = async () => { if (await A.ask("reopen", { assignment: id })) A.views.work(id); };
  const fromSuggestion = (one) => ({ id: A.id(), version: 0, text: [...one.text].slice(0, 500).join(""), category: usual, language: /[\u4e00-\u9fff]/.test(one.text) ? "zh" : "en", evidence: { turns: [...one.turns], quotes: [] }, note: "", unclear: false, suggestion: one.id });
  const suggest = A.suggest({
    work: id, view,
    word: (one) => { if (form) { A.trouble(A.t("form_open")); form.focus(); } else { open(fromSuggestion(one)); } },
    accept: async (one) => {
      if (form) { A.trouble(A.t("form_open")); form.focus(); return false; }
      const said = await A.ask("keep_point", { assignment: id, point: fromSuggestion(one) });
      if (said) { took(said); at = points.findIndex((point) => point.id === said.kept); draw(); A.kept(A.t("kept")); }
      return Boolean(said);
    },
  });
  const outline = A.outline(item.id, view);
  const skim = () => {
    const on = document.getElementById("a-main").classList.toggle("skim");
    skimming.setAttribute("aria-pressed", String(on));
    view.go(view.at || 1, { scroll: "centre" });
    outline.show(on);
  };
  const skimming = A.button(A.t("skim"), skim, { "aria-pressed": "false" }, "S");
  const round = async () => {
    const input = A.el("input", { type: "number", min: "0", autofocus: true, "aria-label": A.t("go_to_round") });
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); input.closest("dialog").querySelector("button.firm").click(); } });
    const wanted = await A.dialog(A.t("go_to_round"), input, [[null, A.t("cancel"), ""], [() => Number(input.value), A.t("go_on"), "firm"]]);
    if (wanted !== null) view.round(wanted);
  };
  const extend = (by) => { choose(view.at); view.go(view.at + by); choose(view.at); };
  const bindings = [
    [["J", "ArrowDown"], "next", () => view.go(view.at + 1)], [["K", "ArrowUp"], "previous", () => view.go(view.at - 1)],
    [["X", " "], "toggle", () => toggle(view.at)], [["Shift+J", "Shift+ArrowDown", "Shift+K", "Shift+ArrowUp"], "extend", (key) => extend(/J|Down/.test(key) ? 1 : -1)],
    [["Q"], "quote", quote], [["N"], "new", () => open()], [["E"], "edit", () => edit()],
    [["1", "2", "3", "4", "5", "6", "7", "8", "9"], "category", (key) => { const to = Number(key) - 1; if (form) form.category(to); else if (to < project.categories.length) { usual = project.categories[to]; A.kept(usual); } }],
    [["U"], "unclear", () => form?.unclear()], [["[", "]"], "points", (key) => select(at + (key === "]" ? 1 : -1))], [["Backspace", "Delete"], "remove", () => remove()],
    [["Ctrl+Z"], "undo", () => step("undo")], [["Ctrl+Shift+Z", "Ctrl+Y"], "redo", () => step("redo")], [["Enter"], "save", () => form && save()],
    [["Escape"], "leave", () => { if (!form) { marked = new Set(); view.mark("chosen", marked); } }],
    [["Ctrl+Enter"], "submit", submit], [["S"], "skim", skim], [["P", "Shift+P"], "outline", (key) => { if (main.classList.contains("skim")) outline.step(key === "P" ? 1 : -1); }], ...(project.suggestions ? [[["A", "W", "D"], "suggestion", (key) => suggest.act({ A: "accept", W: "word", D: "dismiss" }[key])], [[",", "."], "suggestions", (key) => suggest.act(key === "," ? "previous" : "next")]] : []), [["T"], "round", round], [["G"], "guideline", () => A.guideline(sheet)], [["?"], "keys", () => sheetOfKeys()],
  ];
  const sheetOfKeys = () => A.keySheet(bindings.map(([keys, label]) => [keys.map((key) => (key === " " ? "␣" : key)).slice(0, label === "category" ? 9 : 4), label]));
  A.keys = (event) => {
    const key = A.pressed(event), field = event.target.closest("input, textarea, select");
    if (quoting && !field) { event.preventDefault(); quoting(key); return; }
    if (field) {
      if (key === "Escape") { event.preventDefault(); view.go(view.at || 1); }
      else if (/^Alt\+/.test(key) && /^Digit[1-9]$/.test(event.code) && form) { event.preventDefault(); form.category(Number(event.code.at(-1)) - 1); }
      else if (key === "Ctrl+S") { event.preventDefault(); drafts.note(); }
      return;
    }
    if (key === "Ctrl+S") { event.preventDefault(); drafts.note(); return; }
    if ((key === "Enter" || key === " ") && event.target.closest("button, a, summary")) return;
    const found = bindings.find(([keys]) => keys.includes(key));
    if (found) { event.preventDefault(); found[2](key); }
  };

  const main = A.show(
    A.el("div", { id: "a-reading" }, A.news(sheet), view.box),
    A.el("aside", { id: "a-side" },
      A.el("div", { class: "row" }, skimming, A.button(A.t("guideline"), () => A.guideline(sheet), {}, "G"), A.button(A.t("keys"), sheetOfKeys, {}, "?")),
      done ? A.el("p", { class: "told" }, A.t("only_look"), (project.own || ["in_annotation", "ready"].includes(item.state)) && A.button(A.t("reopen"), reopen)) : A.el("div", { class: "row" }, undo, redo, A.button(A.t("quote"), quote, {}, "Q")),
      outline.box, project.suggestions && !done && suggest.box, formPlace, A.el("h2", {}, A.t("points"), " ", count), list,
      !done && A.el("div", { class: "row end" }, A.button(A.t("submit"), submit, { class: "firm", id: "a-submit" }, "Ctrl+Enter"))));
  main.className = "desk";
  shut();
  draw();
  view.go(assignment.place, { scroll: "centre" });
  const kept = done ? "" : drafts.found() || assignment.draft;
  if (kept) { try { const found = JSON.parse(kept); if (found.version || !points.some((one) => one.id === found.id)) { show(found); if (drafts.found()) drafts.note(); } } catch { /* what this browser kept is no form of ours */ } }
  // What another tab did meanwhile is seen when this one is looked at again.
  const look = async () => { if (!document.hidden && !done) { const said = await A.ask("points", { assignment: id }); if (said) took(said); } };
  document.addEventListener("visibilitychange", look);
  if (project.suggestions && !done) suggest.look();
  A.leaving = () => { outline.end(); suggest.end(); drafts.end(); document.removeEventListener("visibilitychange", look); };
};
