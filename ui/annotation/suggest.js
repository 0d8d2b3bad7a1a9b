// What the engine suggests, one at a time beside the dialogue: taken as it stands, worded anew or put away, by key. Where nothing may be suggested there is nothing here.
A.suggest = ({ work, view, accept, word }) => {
  const LOOK_MS = 2000;
  let list = [], at = 0, timer = 0, over = false;
  const body = A.el("div", { role: "status", "aria-live": "polite" });
  const box = A.el("section", { id: "a-suggest", hidden: true, "aria-label": A.t("suggestions") }, A.el("h2", {}, A.t("suggestions")), A.el("p", { class: "quiet", text: A.t("suggestions_mean") }), body);
  const now = () => list[at] ?? null;
  const draw = (go = false) => {
    const one = now();
    view.mark("suggested", one?.turns ?? []);
    if (!one) { body.replaceChildren(A.el("p", { class: "quiet", text: A.t("suggestions_through") })); return; }
    body.replaceChildren(A.el("div", { class: "told-by-engine", "data-suggestion": one.id }, A.el("p", { text: one.text, dir: "auto" }), A.el("p", { class: "quiet", text: `${A.t("suggestion_n", { at: at + 1, all: list.length })} · ${A.t("evidence")} ${one.turns.join(", ")}` })),
      A.el("div", { class: "row" }, A.button(A.t("suggestion_accept"), () => act("accept"), {}, "A"), A.button(A.t("suggestion_word"), () => act("word"), {}, "W"), A.button(A.t("suggestion_dismiss"), () => act("dismiss"), {}, "D"),
        A.button("‹", () => act("previous"), { "aria-label": A.t("suggestion_previous") }), A.button("›", () => act("next"), { "aria-label": A.t("suggestion_next") })));
    if (go) view.go(one.turns[0], { scroll: "centre", focus: false });
  };
  const took = (said) => {
    clearTimeout(timer);
    box.hidden = said.state === "off";
    if (over || box.hidden) return;
    if (said.state === "done") { const was = now()?.id; list = said.suggestions; const place = list.findIndex((one) => one.id === was); at = Math.max(0, place < 0 ? Math.min(at, list.length - 1) : place); draw(); return; }
    const { done, all } = said.progress ?? { done: 0, all: 0 };
    body.replaceChildren(A.el("p", { class: "quiet", text: said.state === "failed" ? A.t("outline_failed") : all ? A.t("outline_making", { done, all }) : A.t("outline_waits") }));
    if (said.state !== "failed") timer = setTimeout(look, LOOK_MS);
  };
  const look = async () => { if (over) return; const said = await A.ask("suggestions", { assignment: work }); if (said) took(said); };
  const act = async (doing) => {
    const one = now();
    if (box.hidden || !one) return;
    if (doing === "next" || doing === "previous") { at = (at + (doing === "next" ? 1 : -1) + list.length) % list.length; draw(true); return; }
    if (doing === "word") { word(one); return; }
    if (doing === "accept") { if (await accept(one)) { await look(); draw(true); } return; }
    const said = await A.ask("dismiss", { assignment: work, id: one.id });
    if (!said) return;
    took(said);
    draw(true);
    A.toast(A.t("suggestion_dismissed"), async () => { const back = await A.ask("dismiss", { assignment: work, id: one.id, back: "yes" }); if (back) took(back); }, A.t("undo"));
  };
  return { box, look, act, end() { over = true; clearTimeout(timer); } };
};
// The mark of a point that the engine suggested.
A.suggestedBadge = (one) => one && A.el("span", { class: "badge suggested", title: one.text, text: A.t(one.changed.length ? "suggested_changed" : "suggested") });
