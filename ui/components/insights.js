// What facts mean to this character, as its reading, with the facts below.
const insightOf = (one, name) =>
  K.el("li", { class: `k-insight${one.forgotten || one.excluded ? " k-faded" : ""}`, "data-memory": one.id },
    K.el("header", {}, K.avatar(name, "s"), K.el("b", { dir: "auto", text: K.t("reading_of", { name }) }),
      K.el("span", { class: "k-quiet", text: one.forgotten ? K.t("forgotten") : K.t("trust", { n: Math.round(100 * one.trust) }) }), K.memoryDots(one)),
    K.el("p", { class: "k-badges" }, K.memoryBadges(one)),
    one.held_back && K.el("p", { class: "k-quiet", text: K.t("held_back") }),
    K.el("blockquote", { dir: "auto", lang: K.here()?.language ?? null, text: one.text }),
    K.el("p", { class: "k-quiet", text: K.t("because") }),
    K.el("ul", { lang: K.here()?.language ?? null }, one.facts.map((fact) => K.el("li", {}, K.el("span", { dir: "auto", text: fact.text }), " ", K.roundLink(fact.round, fact.round)))));

K.surface("insights", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.el("p", { class: "k-quiet k-empty", text: K.t(K.chat ? "loading" : "memories_no_chat") }));
    return;
  }
  const name = value.character;
  if (!value.insights.length) {
    const why = value.stances ? K.t("insights_none", { name }) : K.t("no_stances", { name });
    root.replaceChildren(K.el("div", { class: "k-empty" }, K.el("p", { text: why }), value.stances > 0 && K.el("p", { class: "k-quiet", text: K.t("insights_mean", { name, n: value.stances }) })));
    return;
  }
  K.refill(root, K.el("ol", { class: "k-insights" }, value.insights.map((one) => insightOf(one, name))), K.el("p", { class: "k-quiet", text: K.t("insights_mean", { name, n: value.stances }) }));
});
