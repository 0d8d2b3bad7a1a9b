// Regular probes: a line of the character that calls for a memory point, four replies of the user, one of them right. Written, and reviewed by somebody else.
A.optionName = (place) => (place === 0 ? A.t("option_right") : A.t("option_wrong", { n: place }));
A.remarks = (list) => A.el("ul", { class: "remarks" }, list.map((one) => A.el("li", { class: one.fault ? "fault" : "", "data-remark": one.code },
  A.el("b", { text: A.t(one.fault ? "remark_fault" : "remark") }), " ", A.t(`remark_${one.code}`, { options: new Intl.ListFormat(A.language).format(one.options.map(A.optionName)), words: one.words, message: one.turn }))));
A.PROBE_REASONS = ["several_right", "none_right", "given_away", "not_called_for", "wording", "other"];
A.choices = (label, names, shown, chosen, choose) => {
  const box = A.el("div", { class: "choices", role: "radiogroup", "aria-label": label }, names.map((name, at) => A.el("button", { type: "button", role: "radio", "data-value": name, onclick: () => choose(name) }, A.el("kbd", { text: at + 1 }), shown(name))));
  box.draw = () => { for (const one of box.children) one.setAttribute("aria-checked", String(one.dataset.value === chosen())); };
  box.draw();
  return box;
};
// The form, for its author and for a reviewer who changes it. `value` is what it holds; the lint is the server's, asked a moment after the last key.
A.probeForm = ({ value, item, title, changed, save, submit = null, discard, more = null }) => {
  const remarks = A.el("div", { id: "r-remarks", role: "status", "aria-live": "polite" });
  let timer = 0;
  const lint = async () => {
    try { const said = await A.send("regular_lint", { item, probe: value }); if (!said.error && remarks.isConnected) remarks.replaceChildren(said.remarks.length ? A.remarks(said.remarks) : A.el("p", { class: "quiet", text: A.t("remarks_none") })); } catch { /* said when it is saved */ }
  };
  const told = () => { changed(); clearTimeout(timer); timer = setTimeout(lint, 500); };
  const enter = (event, next) => { if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !A.composing(event)) { event.preventDefault(); event.stopPropagation(); next ? next.focus() : save(); } };
  const note = A.el("input", { id: "r-note", maxlength: "2000", value: value.note, dir: "auto", oninput: () => { value.note = note.value; told(); }, onkeydown: (event) => enter(event, null) });
  const options = value.options.map((text, place) => {
    const field = A.el("input", { id: `r-option-${place}`, maxlength: "300", value: text, dir: "auto", class: place === 0 ? "right" : "" });
    field.addEventListener("input", () => { value.options[place] = field.value; told(); });
    return field;
  });
  options.forEach((field, place) => field.addEventListener("keydown", (event) => enter(event, options[place + 1] ?? note)));
  const line = A.el("textarea", { id: "r-line", rows: "2", maxlength: "500", value: value.line, dir: "auto", onkeydown: (event) => enter(event, options[0]) });
  line.addEventListener("input", () => { value.line = line.value; told(); });
  const tongues = A.choices(A.t("language"), ["en", "zh"], (name) => A.t(`language_${name}`), () => value.language, (name) => { value.language = name; tongues.draw(); told(); });
  for (const key of tongues.querySelectorAll("kbd")) key.remove();
  const form = {
    box: A.el("form", { id: "a-form", class: "compact", onsubmit: (event) => { event.preventDefault(); save(); } },
      A.el("h2", { text: title }), A.el("label", {}, A.t("probe_line"), line), options.map((field, place) => A.el("label", {}, A.optionName(place), field)), A.el("label", {}, A.t("note"), note), tongues, remarks, more,
      A.el("div", { class: "row end" }, A.button(A.t("discard"), discard, { id: "a-discard" }), A.el("button", { class: submit ? "" : "firm", id: "a-save" }, A.t("save"), A.el("kbd", { text: "Enter" })), submit && A.button(A.t("hand_in"), submit, { class: "firm", id: "r-submit" }, "Ctrl+Enter"))),
    focus: () => { line.focus({ preventScroll: true }); form.box.scrollIntoView({ block: "nearest" }); },
    end: () => clearTimeout(timer),
  };
  if (value.line) lint();
  return form;
};
A.views.regular = async (id) => {
  let said = await A.ask("regular", { item: id });
  if (!said) { location.hash = "home"; return; }
  const { project, item, gold, work } = said;
  let form = null, value = null, at = 0;
  A.crumbs(A.el("a", { href: `#project=${project.id}`, text: project.name, dir: "auto" }), A.el("a", { href: `#probes=${project.id}`, text: A.t("probes") }), A.el("span", { text: item.title, dir: "auto" }));
  const view = A.dialogue(said.turns);
  const drafts = A.drafts(work.id, () => ({ draft: value ? JSON.stringify(value) : "", place: 1 }), "regular_draft");
  const formPlace = A.el("div"), list = A.el("ol", { id: "r-list" }), count = A.el("span", { class: "badge" });
  const entries = () => gold.flatMap((point) => [{ point }, ...said.probes.filter((one) => one.gold === point.number).map((probe) => ({ point, probe }))]);
  const took = (answer) => { said = { ...said, ...answer }; draw(); };
  const select = (which) => {
    const all = entries();
    at = Math.max(0, Math.min(all.length - 1, which));
    draw();
    const one = all[at];
    if (!one) return;
    view.mark("of-point", one.point.evidence.turns);
    view.words(one.point.evidence.quotes);
    view.go(one.point.evidence.turns[0], { scroll: "centre", focus: !form });
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const show = (given) => {
    form?.end();
    value = given;
    form = A.probeForm({ value, item: id, title: A.t(value.version ? "probe_edit" : "probe_write"), changed: () => drafts.note(), save: () => save(), submit: () => save(true), discard });
    formPlace.replaceChildren(form.box);
    form.focus();
  };
  const open = () => {
    if (form) { form.focus(); return; }
    const one = entries()[at];
    if (!one) return;
    show({ id: A.id(), version: 0, gold: one.point.number, language: one.point.language, line: "", options: ["", "", "", ""], note: "" });
    drafts.note();
  };
  const edit = () => {
    const probe = entries()[at]?.probe;
    if (!probe || form || probe.state === "accepted") return;
    const { id: own, version, gold: number, language, line, options, note } = probe;
    show({ id: own, version, gold: number, language, line, options: [...options], note });
  };
  const shut = () => { form?.end(); form = null; value = null; formPlace.replaceChildren(gold.length > 0 && A.button(A.t("probe_write"), open, { class: "firm wide", id: "r-new" }, "N")); select(at); };
  const save = async (then = false) => {
    if (!form) return;
    await drafts.still();
    const kept = await A.ask("regular_keep", { item: id, probe: value });
    if (!kept) { drafts.note(); form?.focus(); return; }
    A.trouble("");
    const own = kept.kept;
    said = { ...said, ...kept };
    form.end();
    form = null;
    value = null;
    drafts.note();
    at = entries().findIndex((one) => one.probe?.id === own);
    shut();
    A.kept(A.t("kept"));
    if (then) submit();
  };
  const discard = () => { const was = value; shut(); drafts.note(); A.toast(A.t("discarded"), () => { show(was); drafts.note(); }, A.t("bring_back")); };
  const submit = async () => {
    const probe = entries()[at]?.probe;
    if (form) { save(true); return; }
    if (!probe || probe.state !== "draft") return;
    const answer = await A.ask("regular_submit", { item: id, id: probe.id, version: probe.version });
    if (answer) { A.trouble(""); took(answer); A.toast(A.t(project.overlap > 1 ? "handed_in" : "handed_in_single")); }
  };
  const remove = async () => {
    const probe = entries()[at]?.probe;
    if (!probe || form || probe.state === "accepted" || !await A.sure(A.t("probe_delete_sure"), A.t("delete"), "grave")) return;
    const answer = await A.ask("regular_remove", { item: id, id: probe.id, version: probe.version });
    if (answer) { took(answer); select(at - 1); }
  };
  const row = (one, which) => {
    const here = which === at ? "here" : "";
    if (!one.probe) return A.el("li", { class: `point ${here}`, "data-gold": one.point.number }, A.el("button", { type: "button", class: "plain", onclick: () => select(which) }, A.el("b", { text: `${one.point.number}. ` }), A.el("span", { text: one.point.text, dir: "auto" })),
      A.el("p", { class: "quiet" }, A.el("span", { class: "badge", text: one.point.category }), ` ${A.places(one.point.evidence.turns)}`, said.counts[one.point.number] > 0 && [" · ", A.t("handed_in_n", { n: said.counts[one.point.number] })]));
    const { probe } = one, faults = probe.remarks.filter((remark) => remark.fault).length;
    return A.el("li", { class: `probe ${here}`, "data-probe": probe.id, "data-state": probe.state }, A.el("button", { type: "button", class: "plain", onclick: () => select(which) }, A.el("span", { text: probe.line || "…", dir: "auto" })),
      A.el("p", { class: "quiet" }, A.el("span", { class: `badge ${{ accepted: "good", single: "good", rejected: "differ" }[probe.state] ?? ""}`, text: A.t(`regular_is_${probe.state}`) }), probe.remarks.length > 0 && A.el("span", { class: "badge warn", text: A.t("remarks_n", { n: probe.remarks.length }) }), ` ${A.t("shown_as", { letter: "ABCD"[probe.order.indexOf(0)] })}`),
      which === at && [A.el("ol", { class: "options" }, probe.options.map((text, place) => A.el("li", { class: place ? "" : "right", dir: "auto", text: text || "…" }))), A.remarks(probe.remarks),
        probe.decisions.filter((one) => one.verdict !== "accepted").map((one) => A.el("p", { class: "told" }, A.t(`regular_verdict_${one.verdict}`), one.reason && `: ${A.t(`regular_reason_${one.reason}`)}`, one.note && A.el("span", { text: ` ${one.note}`, dir: "auto" }))),
        probe.state !== "accepted" && A.el("div", { class: "row" }, A.button(A.t("edit"), edit, { class: "plain link" }, "E"), A.button(A.t("delete"), remove, { class: "plain link" }), probe.state === "draft" && !faults && A.button(A.t("hand_in"), submit, { class: "firm" }, "Ctrl+Enter"))]);
  };
  const draw = () => { count.textContent = said.probes.length; list.replaceChildren(...(gold.length ? entries().map(row) : [A.el("li", { class: "quiet none", text: A.t("no_gold") })])); };
  const review = () => { if (said.to_review) location.hash = `regular_review=${id}`; };
  const bindings = [
    [["J", "ArrowDown"], "next", () => view.go(view.at + 1)], [["K", "ArrowUp"], "previous", () => view.go(view.at - 1)], [["[", "]"], "probe_points", (key) => select(at + (key === "]" ? 1 : -1))],
    [["N"], "probe_new", open], [["E"], "probe_edit", edit], [["Backspace", "Delete"], "probe_remove", remove], [["Ctrl+Enter"], "probe_hand_in", submit],
    [["S"], "skim", () => document.getElementById("a-main").classList.toggle("skim")], [["V"], "probe_review", review], [["?"], "keys", () => sheetOfKeys()],
  ];
  const sheetOfKeys = () => A.keySheet(bindings.map(([keys, label]) => [keys, label]));
  A.keys = (event) => {
    const key = A.pressed(event), field = event.target.closest("input, textarea, select");
    if (key === "Ctrl+Enter") { event.preventDefault(); submit(); return; }
    if (field) { if (key === "Escape") { event.preventDefault(); view.go(view.at || 1); } return; }
    if ((key === "Enter" || key === " ") && event.target.closest("button, a, summary")) return;
    if (form && key === "Enter") { event.preventDefault(); save(); return; }
    const found = bindings.find(([keys]) => keys.includes(key));
    if (found) { event.preventDefault(); found[2](key); }
  };
  const main = A.show(A.el("div", { id: "a-reading" }, view.box), A.el("aside", { id: "a-side" },
    A.el("div", { class: "row" }, said.to_review && A.button(A.t("regular_review"), review, { id: "r-review" }, "V"), A.button(A.t("keys"), sheetOfKeys, {}, "?")), A.el("p", { class: "quiet", text: A.t("regular_mean") }), formPlace, A.el("h2", {}, A.t("regular"), " ", count), list));
  main.className = "desk";
  shut();
  const kept = drafts.found() || work.draft;
  if (kept) { try { const found = JSON.parse(kept); if (Array.isArray(found.options) && (found.version || !said.probes.some((one) => one.id === found.id))) show(found); } catch { /* what this browser kept is no form of ours */ } }
  const look = async () => { if (!document.hidden) { const answer = await A.ask("regular_own", { item: id }); if (answer) took(answer); } };
  document.addEventListener("visibilitychange", look);
  A.leaving = () => { form?.end(); drafts.end(); document.removeEventListener("visibilitychange", look); };
};
// What a reviewer would have in place of the author's words: the parts that differ.
A.changes = (was, would) => A.el("dl", { class: "changes" }, ["line", "note"].filter((name) => was[name] !== would[name]).map((name) => [A.el("dt", { text: A.t(name === "line" ? "probe_line" : "note") }), A.el("dd", { text: would[name] || "…", dir: "auto" })]),
  would.options.map((text, place) => text !== was.options[place] && [A.el("dt", { text: A.optionName(place) }), A.el("dd", { text: text || "…", dir: "auto" })]), was.language !== would.language && [A.el("dt", { text: A.t("language") }), A.el("dd", { text: A.t(`language_${would.language}`) })]);
// Reviewing: first one's own choice, from line and options alone; then the right one is shown, and one accepts, changes or rejects.
A.views.regular_review = async (id) => {
  const desk = await A.ask("regular", { item: id });
  if (!desk) { location.hash = "home"; return; }
  const { project, item } = desk;
  A.crumbs(A.el("a", { href: `#project=${project.id}`, text: project.name, dir: "auto" }), A.el("a", { href: `#probes=${project.id}`, text: A.t("probes") }), A.el("span", { text: `${A.t("review")}: ${item.title}`, dir: "auto" }));
  const view = A.dialogue(desk.turns), place = A.el("div", { id: "r-one" });
  let now = null, doing = "", form = null, reason = "", remark = null, reasons = null, start = null, last = null;
  // What is written belongs to the decision it was begun for, and to no other.
  const rest = () => { form?.end(); doing = reason = ""; form = remark = reasons = start = null; };
  const next = async () => {
    rest();
    let answer;
    try { answer = await A.send("regular_review", { item: id }); } catch { A.trouble(A.t("no_server")); return; }
    if (answer.error) {
      // What is decided stands here no longer while the next view is on its way: a key pressed now would be for nobody.
      now = null;
      place.replaceChildren();
      if (answer.error.code !== "nothing_left") A.complain(answer.error); else A.toast(A.t("regular_none_left"));
      location.hash = `probes=${project.id}`;
      return;
    }
    now = answer;
    draw();
    view.box.focus({ preventScroll: true });
    resume();
  };
  const choose = async (shown) => { if (now.chosen || shown > 3) return; const answer = await A.ask("regular_answer", { id: now.id, version: now.version, shown }); if (answer) { now = answer; draw(); } };
  const decide = async (verdict, probe = null) => {
    const { id: own, version } = now;
    const answer = await A.ask("regular_decide", { id: own, version, verdict: { verdict, ...(verdict === "accepted" ? {} : { reason, note: remark?.value.trim() ?? "", probe }) } });
    if (!answer) { if (doing) remark?.focus(); return; }
    forget();
    A.trouble("");
    A.kept(A.t(`regular_verdict_${verdict}`));
    last = answer.state === "waiting" ? { id: own, version } : null;
    await next();
    A.toast(A.t(last ? "regular_one_decided" : `regular_now_${answer.state}`), last && takeBack, A.t("take_back"));
  };
  // As long as nobody else has decided: it stands before the reviewer again, as it did.
  const takeBack = async () => {
    const answer = last && await A.ask("regular_take_back", last);
    if (!answer) return;
    last = null;
    A.trouble("");
    if (location.hash !== `#regular_review=${id}`) { location.hash = `regular_review=${id}`; return; }
    rest();
    now = answer;
    draw();
    view.box.focus({ preventScroll: true });
  };
  // What a reviewer writes stands in this browser at each key, until it is sent or given up.
  const kept = () => `keepsake.draft.probe.${A.member.id}.${now.id}.${now.version}`;
  const note = () => { try { localStorage.setItem(kept(), JSON.stringify({ doing, reason, note: remark?.value ?? "", value: form?.value ?? null })); } catch { /* this browser keeps nothing */ } };
  const forget = () => { try { localStorage.removeItem(kept()); } catch { /* nothing was kept */ } };
  const resume = () => {
    try {
      const found = JSON.parse(localStorage.getItem(kept()) ?? "null");
      if (!now.chosen || !["edited", "rejected"].includes(found?.doing)) return;
      begin(found.doing, { reason: A.PROBE_REASONS.includes(found.reason) ? found.reason : "", proposal: Array.isArray(found.value?.options) ? found.value : null }, String(found.note ?? ""));
    } catch { /* what this browser kept is no form of ours */ }
  };
  const choice = (name) => { reason = name; reasons.draw(); note(); };
  // from: a change that another reviewer would make, to begin with; said: a note that was begun.
  const begin = (what, from = null, said = "") => {
    if (!now.chosen) return;
    doing = what;
    reason = from?.reason ?? "";
    start = from?.proposal ?? null;
    remark = A.el("input", { id: "r-remark", maxlength: "2000", value: said, dir: "auto", placeholder: A.t("note"), "aria-label": A.t("note"), oninput: () => note(), onkeydown: (event) => { if (event.key === "Enter" && !A.composing(event)) { event.preventDefault(); event.stopPropagation(); settle(); } } });
    reasons = A.choices(A.t("reason"), A.PROBE_REASONS, (name) => A.t(`regular_reason_${name}`), () => reason, choice);
    draw();
    if (form) form.focus(); else { view.box.focus({ preventScroll: true }); place.querySelector("#a-bar")?.scrollIntoView({ block: "nearest" }); }
    note();
  };
  const settle = () => { if (doing === "rejected") decide("rejected"); else decide("edited", form.value); };
  const cancel = () => { forget(); rest(); draw(); view.box.focus({ preventScroll: true }); };
  // What two have decided differently: shown to whoever settles it, after they have chosen.
  const others = () => A.el("section", { id: "r-others", "aria-label": A.t("regular_disputed") }, A.el("h2", { text: A.t("regular_disputed") }), now.others.map((one, n) => A.el("div", { class: "other" },
    A.el("p", {}, A.el("b", { text: `${one.mine ? A.t("regular_reviewer_you") : A.t("regular_reviewer_n", { n: n + 1 })}: ` }), A.t(`regular_would_${one.verdict}`), one.reason && ` · ${A.t(`regular_reason_${one.reason}`)}`, ` · ${A.t("regular_chose", { option: A.optionName(one.choice) })}`),
    one.note && A.el("p", { class: "quiet", text: one.note, dir: "auto" }), one.proposal && [A.changes(now, one.proposal), !doing && A.button(A.t("regular_take_change"), () => begin("edited", one), {}, String(n + 1))])));
  const draw = () => {
    const { chosen } = now, key = chosen ? now.order.indexOf(0) : -1, mine = chosen ? now.order.indexOf(now.choice) : -1;
    const option = (text, shown) => A.el("li", {}, A.el("button", { type: "button", disabled: chosen, class: [shown === key && "right", shown === mine && "mine"].filter(Boolean).join(" "), onclick: () => choose(shown), "data-shown": shown }, A.el("kbd", { text: shown + 1 }), A.el("span", { text, dir: "auto" }), shown === key && A.el("em", { text: ` ✓ ${A.t("option_right")}` }), shown === mine && A.el("em", { text: ` · ${A.t("your_choice")}` })));
    const parts = [A.el("h2", { text: A.t("probe_line") }), A.el("p", { class: "line", text: now.line, dir: "auto" }), A.el("ol", { class: "options ask" }, now.shown.map(option))];
    if (!chosen) parts.push(now.settles && A.el("p", { class: "told", text: A.t("regular_settle") }), A.el("p", { class: "told", text: A.t("regular_choose") }));
    else {
      if (now.point) { view.mark("of-point", now.point.evidence.turns); view.words(now.point.evidence.quotes); view.go(now.point.evidence.turns[0], { scroll: "centre", focus: !doing }); }
      parts.push(mine === key ? A.el("p", { class: "quiet", text: A.t("regular_same") }) : A.el("p", { class: "told", text: A.t("regular_differs") }), now.point && A.el("p", {}, A.el("b", { text: `${A.t("gold")}: ` }), A.el("span", { text: now.point.text, dir: "auto" })), now.note && A.el("p", { class: "quiet", text: now.note, dir: "auto" }), A.remarks(now.remarks), now.settles && others());
      if (!doing) parts.push(A.el("div", { class: "row" }, A.button(A.t("regular_accept"), () => decide("accepted"), { class: "firm", id: "r-accept" }, "A"), A.button(A.t("do_edit"), () => begin("edited"), {}, "E"), A.button(A.t("do_reject"), () => begin("rejected"), {}, "R")));
      else if (doing === "edited") {
        if (!form) {
          const from = start ?? now;
          const value = { id: now.id, version: now.version, gold: from.gold, language: from.language, line: from.line, options: [...from.options], note: from.note };
          form = A.probeForm({ value, item: id, title: A.t("probe_edit"), changed: () => note(), save: settle, discard: cancel, more: A.el("div", {}, reasons, remark) });
          form.value = value;
        }
        parts.push(form.box);
      } else parts.push(A.el("div", { id: "a-bar" }, A.el("b", { text: A.t("do_reject") }), reasons, remark, A.el("div", { class: "row end" }, A.button(A.t("cancel"), cancel), A.button(A.t("do_reject"), settle, { class: "firm" }, "Enter"))));
    }
    place.replaceChildren(...parts.filter(Boolean));
  };
  const bindings = [
    [["J", "ArrowDown"], "next", () => view.go(view.at + 1)], [["K", "ArrowUp"], "previous", () => view.go(view.at - 1)],
    [["1", "2", "3", "4"], "probe_choose", (key) => (doing ? choice(A.PROBE_REASONS[Number(key) - 1]) : now.chosen ? now.others?.[Number(key) - 1]?.proposal && begin("edited", now.others[Number(key) - 1]) : choose(Number(key) - 1))], [["5", "6"], "reason_probe", (key) => doing && choice(A.PROBE_REASONS[Number(key) - 1])],
    [["A"], "probe_accept", () => now.chosen && !doing && decide("accepted")], [["E"], "probe_change", () => (form ? form.focus() : begin("edited"))], [["R"], "reject", () => !doing && begin("rejected")], [["N"], "probe_note", () => remark?.focus()],
    [["Ctrl+Z"], "undo", takeBack], [["Enter"], "save", () => doing && settle()], [["Escape"], "leave", () => doing && cancel()], [["S"], "skim", () => document.getElementById("a-main").classList.toggle("skim")], [["?"], "keys", () => sheetOfKeys()],
  ];
  const sheetOfKeys = () => A.keySheet(bindings.map(([keys, label]) => [keys, label]));
  A.keys = (event) => {
    const key = A.pressed(event), field = event.target.closest("input, textarea, select");
    if (field) { if (key === "Escape") { event.preventDefault(); view.box.focus({ preventScroll: true }); } else if (key === "Ctrl+Enter" && doing) { event.preventDefault(); settle(); } return; }
    if ((key === "Enter" || key === " ") && event.target.closest("button, a, summary")) return;
    const found = bindings.find(([keys]) => keys.includes(key));
    if (found && now) { event.preventDefault(); found[2](key); }
  };
  A.show(A.el("div", { id: "a-reading" }, view.box), A.el("aside", { id: "a-side", class: "review" }, A.el("div", { class: "row" }, A.el("b", { text: A.t("regular_review") }), A.button(A.t("keys"), sheetOfKeys, {}, "?")), place)).className = "desk";
  view.go(1, { scroll: false });
  A.leaving = () => form?.end();
  next();
};
