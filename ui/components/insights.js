// What facts mean to this character, as its reading, with the facts below. What the player calls not true is put away, and stays away.
const factOf = (fact) => K.el("li", {}, K.el("span", { dir: "auto", text: fact.text }), " ", K.whence(fact, fact.round, fact.round));
const insightOf = (one, name) =>
  K.el("li", { class: `k-insight${one.forgotten || one.excluded ? " k-faded" : ""}`, "data-memory": one.id },
    K.el("header", {}, K.avatar(name, "s"), K.el("b", { dir: "auto", text: K.t("reading_of", { name }) }),
      K.el("span", { class: "k-quiet", title: K.t("trust_means") }, one.forgotten ? K.t("forgotten") : K.t("trust", { n: Math.round(100 * one.trust) })), K.memoryDots(one)),
    K.el("p", { class: "k-badges" }, K.memoryBadges(one)),
    one.held_back && K.el("p", { class: "k-quiet", text: K.t("held_back") }),
    K.el("blockquote", { dir: "auto", lang: K.here()?.language ?? null, text: one.text }),
    K.el("p", { class: "k-quiet", text: K.t("because") }),
    K.el("ul", { lang: K.here()?.language ?? null }, one.facts.map(factOf)),
    K.el("p", { class: "k-row-tools" }, K.el("button", { class: "k-link k-deny", type: "button", title: K.t("not_true_means", { name }), onclick: () => K.act("deny", { item: one.id }) }, K.icon("except"), K.el("span", { text: K.t("not_true") }))));
// Put away: its words struck, and a way back.
const deniedOf = (one) =>
  K.el("li", { class: "k-insight k-faded k-denied", "data-memory": one.id },
    K.el("blockquote", { dir: "auto", lang: K.here()?.language ?? null }, K.el("del", { text: one.text })),
    K.el("p", { class: "k-row-tools" }, one.facts.map((fact) => K.whence(fact, fact.round, fact.round)),
      K.el("button", { class: "k-link k-allow", type: "button", text: K.t("true_after_all"), onclick: () => K.act("allow", { item: one.id }) })));

let unfolded = false;
K.surface("insights", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("insights"));
    return;
  }
  const name = value.character;
  const held = value.insights.filter((one) => !one.untrue);
  const denied = value.insights.filter((one) => one.untrue);
  const means = K.el("p", { class: "k-quiet", text: K.t("insights_mean", { name, n: value.stances }) });
  const why = value.stances ? K.noneYet(K.t("insights_none", { name })) : K.t("no_stances", { name });
  K.refill(root,
    held.length ? K.el("ol", { class: "k-insights" }, held.map((one) => insightOf(one, name))) : K.el("div", { class: "k-empty" }, K.el("p", { text: why })),
    value.stances > 0 ? means : "",
    denied.length ? K.el("details", { class: "k-before k-denials", ...K.unfolds(unfolded, (open) => { unfolded = open; }) },
      K.el("summary", { text: K.t("denied", { n: denied.length }) }), K.el("p", { class: "k-quiet", text: K.t("denied_means") }),
      K.el("ol", { class: "k-insights" }, denied.map(deniedOf))) : "");
});
