// The outline of a dialogue, beside the skim view: what the engine tells as its story, piece by piece. It is asked for when it is first looked at, and made behind it.
A.outline = (item, view) => {
  const LOOK_MS = 2000;
  let plots = null, timer = 0, shown = false;
  const body = A.el("div", { role: "status", "aria-live": "polite" }), list = A.el("ol", { class: "list" });
  const box = A.el("section", { id: "a-outline", "aria-label": A.t("outline") }, A.el("h2", {}, A.t("outline")), A.el("p", { class: "quiet", text: A.t("outline_means") }), body, list);
  const names = new Map();
  const go = (piece) => { view.go(piece.from, { scroll: "centre", focus: false }); here(); };
  const row = (piece) => A.el("li", { class: piece.arc ? "arc" : "", "data-from": piece.from },
    A.el("button", { type: "button", class: "plain head", onclick: () => go(piece) }, A.el("b", { text: A.t(piece.arc ? "outline_arc" : "outline_chapter", { from: piece.from, to: piece.to }) })),
    piece.lines.map((line) => A.el("button", { type: "button", class: "plain line", onclick: () => view.go(line.turn, { scroll: "centre", focus: false }) }, A.el("span", { text: line.text, dir: "auto" }), A.el("span", { class: "quiet", text: ` ${line.turn}` }))));
  const here = () => {
    const open = plots?.filter((piece) => piece.from <= view.at && view.at <= piece.to).at(-1);
    for (const [piece, node] of names) node.classList.toggle("here", piece === open);
  };
  const took = (said) => {
    clearTimeout(timer);
    if (said.state !== "done") {
      const { done, all } = said.progress ?? { done: 0, all: 0 };
      body.replaceChildren(A.el("p", { class: "quiet", text: said.state === "none" ? A.t("outline_none") : said.state === "failed" ? A.t("outline_failed") : all ? A.t("outline_making", { done, all }) : A.t("outline_waits") }),
        all > 0 && A.el("progress", { max: all, value: done, "aria-label": A.t("outline") }) || "");
      if (said.state === "waiting" || said.state === "running") timer = setTimeout(look, LOOK_MS);
      return;
    }
    plots = said.plots;
    names.clear();
    body.replaceChildren(...(plots.length ? [] : [A.el("p", { class: "quiet", text: A.t("outline_empty") })]));
    for (const piece of plots) names.set(piece, row(piece));
    list.replaceChildren(...names.values());
    here();
  };
  const look = async () => { if (!shown || !box.isConnected) return; const said = await A.ask("outline", { item }); if (said) took(said); };
  return {
    box,
    show(wanted) { shown = wanted; clearTimeout(timer); if (wanted && plots === null) look(); else if (wanted) here(); },
    // The next piece, or the one before, from where one is; false where there is none.
    step(by) {
      const starts = [...new Set((plots ?? []).map((piece) => piece.from))].sort((x, y) => x - y);
      const to = by > 0 ? starts.find((from) => from > view.at) : starts.filter((from) => from < view.at).at(-1);
      if (to !== undefined) { view.go(to, { scroll: "centre" }); here(); names.get(plots.filter((piece) => piece.from === to).at(-1))?.scrollIntoView({ block: "nearest" }); }
      return to !== undefined;
    },
    end() { shown = false; clearTimeout(timer); },
  };
};
