// Reviewing: what two people made, side by side with the dialogue; each difference decided with a reason and how sure one is.
A.REASONS = ["ambiguous_text", "guideline_gap", "annotator_error", "edge_case", "subjective", "other"];
A.views.review = async (id) => {
  const sheet = await A.ask("review", { assignment: id });
  if (!sheet) { location.hash = "home"; return; }
  const { assignment, project, item } = sheet;
  const done = assignment.submitted;
  let now = sheet, at = 0, pending = null, form = null, merging = -1, quoting = null, marked = new Set();
  A.crumbs(A.el("a", { href: `#project=${project.id}`, text: project.name, dir: "auto" }), A.el("span", { text: `${A.t("review")}: ${item.title}`, dir: "auto" }));
  const chosenNow = () => (form ? form.toggle : (n) => { if (!marked.delete(n)) marked.add(n); view.mark("chosen", marked); });
  const view = A.dialogue(sheet.turns, { toggled: (n) => !done && chosenNow()(n) });
  const drafts = A.drafts(id, () => ({ draft: pending ? JSON.stringify(pending) : "", place: view.at || 1 }));
  const list = A.el("ol", { id: "a-parts" }), bar = A.el("div", { id: "a-bar" }), count = A.el("span", { class: "badge" });
  // Parts as they stand in the list: those of the annotators, then what the reviewer added.
  const parts = () => [...now.parts, ...Object.keys(now.decisions).filter((name) => name.startsWith("added-")).sort().map((name) => ({ id: name, a: null, b: null, agreed: false }))];
  const numbered = (name) => parts().findIndex((one) => one.id === name) + 1;
  const decided = (one) => now.decisions[one.id];
  const said = (one) => decided(one)?.point ?? one.a ?? one.b;

  const took = (answer) => { now = { ...now, ...answer }; draw(); };
  const select = (which, scroll = true) => {
    const all = parts();
    at = Math.max(0, Math.min(all.length - 1, which));
    draw();
    const one = all[at];
    if (!one) return;
    if (scroll) view.go(said(one).evidence.turns[0], { scroll: "centre", focus: false });
    view.box.focus({ preventScroll: true });
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const nextOpen = () => {
    const all = parts(), open = new Set([...now.open, ...now.astray]);
    const order = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    const found = order.find((one) => open.has(one.id));
    if (found) select(all.indexOf(found)); else A.kept(A.t("all_decided"));
  };
  const card = (one, who) => {
    const point = one[who];
    if (!point) return A.el("div", { class: `side none ${who}` }, A.el("b", { text: A.t(`by_${who}`) }), A.el("p", { class: "quiet", text: "—" }));
    return A.el("div", { class: `side ${who}` }, A.el("b", { text: A.t(`by_${who}`) }), A.el("p", { text: point.text, dir: "auto" }),
      A.el("p", { class: "quiet" }, A.el("span", { class: "badge", text: point.category }), point.unclear && A.el("span", { class: "badge warn", text: A.t("unclear") }), ` ${A.places(point.evidence.turns)}`,
        point.evidence.quotes.map((quote) => A.el("q", { text: quote.text, dir: "auto" }))), point.note && A.el("p", { class: "quiet", text: point.note, dir: "auto" }));
  };
  const status = (one) => {
    const found = decided(one);
    if (now.astray.includes(one.id)) return ["differ", A.t("astray")];
    if (now.outdated.includes(one.id)) return ["differ", A.t("outdated")];
    if (found) return ["decided", [A.t(`verdict_${found.verdict}`), found.verdict === "merged" && A.t("into_n", { n: numbered(found.into) }), found.reason && A.t(`reason_${found.reason}`), found.confidence > 0 && A.t(`confidence_${found.confidence}`)].filter(Boolean).join(" · ")];
    if (one.agreed) return ["agreed", A.t("pre_agreed")];
    return ["differ", A.t(one.a && one.b ? "differ" : one.a ? "only_a" : "only_b")];
  };
  const draw = () => {
    const all = parts();
    count.textContent = now.open.length + now.astray.length ? A.t("open_n", { n: now.open.length + now.astray.length }) : A.t("all_decided");
    list.replaceChildren(...all.map((one, which) => {
      const [kind, label] = status(one), found = decided(one);
      return A.el("li", { class: [which === at && "here", which === merging && "target", kind].filter(Boolean).join(" "), "data-part": one.id, onclick: () => { if (which !== at) select(which); } },
        A.el("p", { class: "state" }, A.el("b", { text: which + 1 }), " ", A.el("span", { class: `badge ${kind}`, text: label })),
        one.a || one.b ? A.el("div", { class: "sides" }, card(one, "a"), card(one, "b")) : null,
        found?.point && A.el("p", { class: "final", text: found.point.text, dir: "auto" }), found?.note && A.el("p", { class: "quiet", text: found.note, dir: "auto" }));
    }));
    const one = all[at];
    view.mark("in-a", one?.a?.evidence.turns ?? []);
    view.mark("in-b", one?.b?.evidence.turns ?? []);
    if (!form) view.words([...(one?.a?.evidence.quotes ?? []).map((q) => ({ ...q, kind: "by-a" })), ...(one?.b?.evidence.quotes ?? []).map((q) => ({ ...q, kind: "by-b" }))]);
    drawBar();
  };

  // A decision on its way: what, then why, then how sure.
  const drawBar = () => {
    const one = parts()[at];
    if (done || !one) { bar.replaceChildren(); return; }
    if (!pending) {
      bar.replaceChildren(A.el("div", { class: "row" },
        one.a && A.button(A.t("do_a"), () => begin("a"), { "data-does": "a" }, "A"), one.b && A.button(A.t("do_b"), () => begin("b"), { "data-does": "b" }, "B"),
        A.button(A.t("do_edit"), () => begin("edited"), {}, "E"), now.parts.length > 1 && (one.a || one.b) && A.button(A.t("do_merge"), () => begin("merged"), {}, "M"), A.button(A.t("do_reject"), () => begin("rejected"), {}, "R"), A.button(A.t("do_add"), () => begin("added"), {}, "N")));
      return;
    }
    if (merging >= 0) { bar.replaceChildren(A.el("p", { class: "told", text: A.t("choose_target") })); return; }
    if (form) return;
    const note = A.el("input", { id: "a-note", maxlength: "2000", value: pending.decision.note, placeholder: A.t("note"), "aria-label": A.t("note"), dir: "auto" });
    note.addEventListener("input", () => { pending.decision.note = note.value; drafts.note(); });
    note.addEventListener("keydown", (event) => { if (event.key === "Enter" && !A.composing(event)) { event.preventDefault(); event.stopPropagation(); settle(); } });
    const flag = A.el("input", { type: "checkbox", id: "a-flag", onchange: () => { pending.decision.flag = flag.checked; drafts.note(); } });
    flag.checked = pending.decision.flag;
    const reason = (name, n) => A.el("button", { type: "button", role: "radio", "aria-checked": String(pending.decision.reason === name), onclick: () => why(name) }, !pending.decision.reason && A.el("kbd", { text: n + 1 }), A.t(`reason_${name}`));
    const sure = (n) => A.el("button", { type: "button", role: "radio", "aria-checked": String(pending.decision.confidence === n), onclick: () => certain(n) }, pending.decision.reason && A.el("kbd", { text: n }), A.t(`confidence_${n}`));
    bar.replaceChildren(A.el("p", { class: "state" }, A.el("b", { text: numbered(pending.part) || "+" }), " ", A.el("span", { class: "badge decided", text: A.t(`verdict_${pending.decision.verdict}`) })),
      A.el("div", { class: "choices", role: "radiogroup", "aria-label": A.t("reason") }, A.REASONS.map(reason)),
      A.el("div", { class: "choices", role: "radiogroup", "aria-label": A.t("confidence") }, [1, 2, 3].map(sure)), note,
      A.el("label", { class: "check" }, flag, A.t("flag"), A.el("kbd", { text: "F" })),
      A.el("div", { class: "row end" }, A.button(A.t("cancel"), cancel, {}, "Escape"), A.button(A.t("save"), settle, { class: "firm" }, "Enter")));
    if (pending.decision.reason && pending.decision.confidence && pending.decision.verdict === "rejected" && !pending.decision.note) note.focus();
  };
  const begin = (verdict) => {
    const one = parts()[at];
    if (done || (!one && verdict !== "added") || (verdict === "a" && !one.a) || (verdict === "b" && !one.b) || (verdict === "merged" && !(one.a || one.b))) return;
    const part = verdict === "added" ? `added-${A.id()}` : one.id;
    if (verdict === "edited" && part.startsWith("added-")) verdict = "added";
    pending = { part, before: now.decisions[part] ?? null, decision: { verdict, point: null, into: "", reason: "", confidence: 0, note: "", flag: false } };
    if (verdict === "merged") { merging = at > 0 ? at - 1 : at + 1; draw(); list.children[merging]?.scrollIntoView({ block: "nearest" }); return; }
    if (verdict === "edited" || verdict === "added") {
      const from = now.decisions[part]?.point ?? (verdict === "edited" ? said(one) : null);
      const both = verdict === "edited" && one.a && one.b && !now.decisions[part]?.point;
      const turns = both ? [...new Set([...one.a.evidence.turns, ...one.b.evidence.turns])].sort((x, y) => x - y) : from?.evidence.turns ?? (marked.size ? [...marked].sort((x, y) => x - y) : [view.at]);
      pending.value = { text: from?.text ?? "", category: from?.category ?? project.categories[0], language: from?.language ?? item.language, chosen: Boolean(from), evidence: { turns: [...turns], quotes: structuredClone(both ? [...one.a.evidence.quotes, ...one.b.evidence.quotes] : from?.evidence.quotes ?? []) } };
      openForm();
    }
    drafts.note();
    drawBar();
  };
  const openForm = () => {
    form = A.pointForm({ value: pending.value, categories: project.categories, view, changed: () => drafts.note(), save: written, discard: cancel, plain: true });
    bar.replaceChildren(form.box);
    form.focus();
  };
  const written = () => {
    const { chosen, ...point } = pending.value;
    if (!point.text.trim() || !point.evidence.turns.length) { A.complain({ code: point.text.trim() ? "no_place" : "field_missing", params: { field: "text" } }); return; }
    pending.decision.point = { ...point, text: point.text.trim() };
    form = null;
    drafts.note();
    draw();
    view.box.focus({ preventScroll: true });
  };
  const cancel = () => { pending = null; form = null; merging = -1; drafts.note(); view.mark("chosen", marked); draw(); view.box.focus({ preventScroll: true }); };
  const why = (name) => { pending.decision.reason = name; drafts.note(); drawBar(); };
  const certain = (n) => { pending.decision.confidence = n; drafts.note(); if (pending.decision.reason && !(pending.decision.verdict === "rejected" && !pending.decision.note)) settle(); else drawBar(); };
  const settle = async () => {
    const { part, before, decision } = pending;
    await drafts.still();
    const answer = await A.ask("decide", { assignment: id, part, decision, before });
    if (!answer) { drafts.note(); drawBar(); return; }
    pending = null;
    marked = new Set();
    view.mark("chosen", marked);
    drafts.note();
    A.trouble("");
    took(answer);
    A.kept(A.t("saved_decision"));
    view.box.focus({ preventScroll: true });
    if (now.open.length || now.astray.length) nextOpen(); else draw();
  };
  const step = async (which) => { if (done || pending) return; const answer = await A.ask(which, { assignment: id, role: "reviewer" }); if (answer) { took(answer); const place = parts().findIndex((one) => one.id === answer.about); if (place >= 0) select(place); } };
  const finish = async () => {
    if (done) return;
    if (pending) { A.trouble(A.t("form_open")); return; }
    if (await A.sure(A.t("finish_sure"), A.t("finish"))) { const answer = await A.ask("finish", { assignment: id }); if (answer) { A.toast(A.t("finished", { n: answer.gold })); location.hash = `gold=${item.id}`; } }
  };
  const quote = () => {
    if (!form) return;
    const take = (found) => { quoting = null; form.draw(); if (found) form.quote(found); };
    const chosen = view.chosen();
    if (chosen) { getSelection().removeAllRanges(); take(chosen); } else if (view.at) quoting = A.quoter(view, take);
  };
  const bindings = [
    [["J", "ArrowDown"], "next", () => select(at + 1)], [["K", "ArrowUp"], "previous", () => select(at - 1)], [["O"], "open", nextOpen],
    [["A"], "accept_a", () => begin("a")], [["B"], "accept_b", () => begin("b")], [["E"], "edit", () => begin("edited")], [["M"], "merge", () => begin("merged")], [["R"], "reject", () => begin("rejected")], [["N"], "new", () => begin("added")],
    [["1", "2", "3", "4", "5", "6"], "reason", () => {}], [["F"], "flag", () => {}],
    [["Shift+J", "Shift+K"], "extend", (key) => view.go(view.at + (key === "Shift+J" ? 1 : -1))], [["X"], "toggle", () => chosenNow()(view.at)], [["Q"], "quote", quote],
    [["Ctrl+Z"], "undo", () => step("undo")], [["Ctrl+Shift+Z", "Ctrl+Y"], "redo", () => step("redo")], [["Ctrl+Enter"], "submit", finish], [["G"], "guideline", () => A.guideline(sheet)], [["?"], "keys", () => sheetOfKeys()],
  ];
  const sheetOfKeys = () => A.keySheet(bindings.map(([keys, label]) => [keys, label]));
  const inMerge = (key) => {
    const all = parts(), move = (by) => { let to = merging + by; if (to === at) to += by; if (to >= 0 && to < all.length) merging = to; draw(); list.children[merging]?.scrollIntoView({ block: "nearest" }); };
    if (key === "ArrowDown" || key === "J") move(1);
    else if (key === "ArrowUp" || key === "K") move(-1);
    else if (key === "Escape") cancel();
    else if (key === "Enter" && merging !== at) { pending.decision.into = all[merging].id; merging = -1; drafts.note(); draw(); }
  };
  const inDecision = (key) => {
    if (key === "Escape") cancel();
    else if (key === "Enter") settle();
    else if (key === "F") { pending.decision.flag = !pending.decision.flag; drafts.note(); drawBar(); }
    else if (/^[1-6]$/.test(key) && !pending.decision.reason) why(A.REASONS[Number(key) - 1]);
    else if (/^[1-3]$/.test(key) && pending.decision.reason) certain(Number(key));
    else return false;
    return true;
  };
  A.keys = (event) => {
    const key = A.pressed(event), field = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (quoting && !field) { event.preventDefault(); quoting(key); return; }
    if (field) { if (key === "Escape") { event.preventDefault(); view.box.focus({ preventScroll: true }); } else if (/^Alt\+/.test(key) && /^Digit[1-9]$/.test(event.code) && form) { event.preventDefault(); form.category(Number(event.code.at(-1)) - 1); } return; }
    if ((key === "Enter" || key === " ") && event.target.closest("button, a")) return;
    if (merging >= 0) { event.preventDefault(); inMerge(key); return; }
    if (pending && !form) { if (inDecision(key)) { event.preventDefault(); return; } }
    else if (form) {
      if (key === "Escape") { event.preventDefault(); cancel(); return; }
      if (key === "N" || key === "E") { event.preventDefault(); form.focus(); return; }
      if (key === "Enter") { event.preventDefault(); written(); return; }
      if (/^[1-9]$/.test(key)) { event.preventDefault(); form.category(Number(key) - 1); return; }
    }
    const found = bindings.find(([keys]) => keys.includes(key));
    if (!found || (pending && !["toggle", "quote", "extend", "keys", "guideline", "submit"].includes(found[1]))) return;
    event.preventDefault();
    found[2](key);
  };
  const main = A.show(
    A.el("div", { id: "a-reading" }, A.news(sheet), view.box),
    A.el("aside", { id: "a-side", class: "review" },
      A.el("div", { class: "row" }, count, A.button(A.t("guideline"), () => A.guideline(sheet), {}, "G"), A.button(A.t("keys"), sheetOfKeys, {}, "?")),
      done ? A.el("p", { class: "told", text: A.t("only_look") }) : null, list, bar,
      !done && A.el("div", { class: "row end" }, A.button(A.t("finish"), finish, { class: "firm", id: "a-finish" }, "Ctrl+Enter"))));
  main.className = "desk";
  select(0);
  const kept = done ? "" : drafts.found() || assignment.draft;
  if (kept) {
    try {
      const found = JSON.parse(kept);
      if (found.decision && found.part) {
        pending = { ...found, before: now.decisions[found.part] ?? null };
        const place = parts().findIndex((one) => one.id === found.part);
        if (place >= 0) select(place);
        if (found.value && !found.decision.point) openForm();
        else if (found.decision.verdict === "merged" && !found.decision.into) cancel();
        else drawBar();
      }
    } catch { /* what this browser kept is no decision of ours */ }
  }
  A.leaving = () => drafts.end();
};
