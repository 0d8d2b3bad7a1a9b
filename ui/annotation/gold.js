// What a dialogue came to: the adjudicated points beside it.
A.views.gold = async (id) => {
  const said = await A.ask("gold", { item: id });
  if (!said) { location.hash = "home"; return; }
  A.crumbs(A.el("a", { href: `#project=${said.project.id}`, text: said.project.name, dir: "auto" }), A.el("span", { text: `${A.t("gold")}: ${said.item.title}`, dir: "auto" }));
  const view = A.dialogue(said.turns);
  let at = -1;
  const list = A.el("ol", { id: "a-gold", class: "list" });
  const select = (which) => {
    at = Math.max(0, Math.min(said.gold.length - 1, which));
    const one = said.gold[at];
    if (!one) return;
    view.mark("of-point", one.evidence.turns);
    view.words(one.evidence.quotes);
    view.go(one.evidence.turns[0], { scroll: "centre" });
    for (const [place, row] of [...list.children].entries()) row.classList.toggle("here", place === at);
    list.children[at].scrollIntoView({ block: "nearest" });
  };
  list.append(...said.gold.map((one, which) => A.el("li", { onclick: () => select(which) }, A.el("button", { type: "button", class: "plain" }, A.el("span", { text: one.text, dir: "auto" })),
    A.el("p", { class: "quiet" }, A.el("span", { class: "badge", text: one.category }), ` ${A.places(one.evidence.turns)} · ${A.t(`source_${one.provenance.source}`)} `, A.suggestedBadge(one.provenance.suggested)))));
  A.keys = (event) => {
    const key = A.pressed(event);
    if (["J", "ArrowDown", "]"].includes(key)) { event.preventDefault(); select(at + 1); }
    else if (["K", "ArrowUp", "["].includes(key)) { event.preventDefault(); select(at - 1); }
  };
  A.show(A.el("div", { id: "a-reading" }, view.box), A.el("aside", { id: "a-side" }, A.el("h2", {}, A.t("gold"), " ", A.el("span", { class: "badge", text: said.gold.length })), list)).className = "desk";
  view.go(1, { scroll: false });
};
