// What is known of the player: the newest value of each key, what held before, and the words each was taken from.
const opened = new Set();

// What the newest session did to a value, by its id: said beside it, as a word.
let turns = new Map();
const TURNS = { new: "plus", changed: "again", retired: "except" };
const badge = (turn) => K.el("span", { class: `k-badge k-turn k-turn-${turn}` }, K.icon(TURNS[turn]), K.el("span", { text: K.t(`turn_${turn}`) }));

const value = (entry, one, former) => {
  const id = `${entry.key} ${one.round} ${one.text}`;
  const full = opened.has(id);
  const item = { ...one, kind: "persona", first: one.round, last: one.round };
  return K.el("li", { class: `k-value${former ? " k-former" : ""}${one.excluded ? " k-left-out" : ""}`, "data-memory": one.id },
    K.el("button", {
      class: "k-value-text", type: "button", "aria-expanded": String(full), title: K.t("show_words"),
      onclick: () => { if (full) opened.delete(id); else opened.add(id); K.redraw("persona"); },
    }, K.el("span", { dir: "auto", lang: K.here()?.language ?? null, text: one.text })),
    K.whence(one, one.round, one.round),
    one.id && K.memoryDots(item),
    turns.has(one.id) && badge(turns.get(one.id)),
    K.memoryBadges(one),
    one.merged && K.el("small", { class: "k-quiet", text: K.t("merged") }),
    entry.merge === "trajectory" && K.el("small", { class: "k-quiet k-age", text: one.ago > 0 ? K.t("rounds_ago", { n: one.ago }) : K.t("just_now") }),
    full && K.el("blockquote", { dir: "auto", lang: K.here()?.language ?? null }, K.excerpt(one.quote)));
};

const entryOf = (entry) =>
  K.el("div", { class: "k-entry", "data-key": entry.key },
    K.el("dt", { text: K.knows(`key_${entry.key}`) ? K.t(`key_${entry.key}`) : entry.key }),
    K.el("dd", {},
      K.el("ul", {}, entry.values.map((one) => value(entry, one, false))),
      entry.merge === "complex" && entry.values.length > 1 && entry.values.some((one) => !one.merged && !one.excluded) && K.el("p", { class: "k-quiet", text: K.t("unmerged") }),
      entry.former.length > 0 && K.el("details", { class: "k-before" },
        K.el("summary", { text: K.t("before_count", { n: entry.former.length }) }), K.el("ul", {}, entry.former.map((one) => value(entry, one, true))))));

// A conclusion stands apart from what was said, with the values it rests on.
const derivedOf = (one) =>
  K.el("div", { class: "k-entry k-derived", "data-key": `derived-${one.key}` },
    K.el("dt", { text: K.t(`derived_${one.key}`) }),
    K.el("dd", {}, K.el("p", { text: K.t(`leans_${one.kind}`) }),
      K.el("details", { class: "k-before k-grounds" },
        K.el("summary", { text: K.t("because") }), K.el("ul", {}, one.grounds.map((ground) => value({ key: `derived-${one.key}`, merge: "" }, ground, false))))));

// Whom one talks as: a name, and in a line what is known of who that is.
const NAMED = ["age", "occupation", "residence"];
const card = (value) => {
  const of = (key) => value.entries.find((entry) => entry.key === key)?.values.filter((one) => !one.excluded) ?? [];
  const player = K.story?.player;
  const name = of("name")[0]?.text ?? (player?.called ? player.name : "");
  const line = NAMED.flatMap((key) => of(key).slice(0, 1)).map((one) => one.text).join(" · ");
  const known = value.entries.reduce((n, entry) => n + entry.values.filter((one) => !one.excluded).length, 0);
  return K.el("header", { class: "k-card" }, K.monogram(name || "·", "l"),
    K.el("div", {}, K.el("h2", { dir: "auto", text: name || K.t("persona_unnamed") }), line && K.el("p", { dir: "auto", lang: K.here()?.language ?? null, text: line }),
      K.el("p", { class: "k-quiet", text: K.t("persona_card", { n: known }) })));
};
const keyName = (key) => (K.knows(`key_${key}`) ? K.t(`key_${key}`) : key);
const words = (text) => K.el("span", { dir: "auto", lang: K.here()?.language ?? null, text });
const changeOf = (change) => {
  const one = change.value ?? change.was;
  return K.el("li", { class: `k-change k-change-${change.turn}`, "data-memory": one.id, "data-turn": change.turn },
    badge(change.turn), K.el("b", { text: keyName(change.key) }),
    change.value ? words(change.value.text) : K.el("del", {}, words(change.was.text)),
    change.value ? K.whence(one, one.round, one.round) : null,
    change.value && change.was && K.el("small", { class: "k-quiet", dir: "auto", text: K.t("turn_was", { was: change.was.text }) }));
};
const since = (value) => K.el("section", { class: "k-since", "aria-label": K.t("since_last") },
  K.el("h3", { text: K.t("since_last") }),
  K.el("p", { class: "k-quiet", text: value.since ? K.t(value.over ? "since_over" : "since_open", { n: value.since }) : K.t("since_first") }),
  value.since ? (value.changes.length ? K.el("ul", { "aria-live": "polite" }, value.changes.map(changeOf)) : K.el("p", { text: K.t("since_none") })) : null);

K.surface("persona", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("persona"));
    return;
  }
  const others = (value.others ?? []).map(({ name, n }) => K.el("p", { class: "k-quiet", dir: "auto", text: K.t("persona_others", { name, n }) }));
  if (!value.entries.length) {
    root.replaceChildren(K.el("div", { class: "k-empty" }, ...(K.listens()
      ? [K.el("p", { dir: "auto", text: K.t("listening_portrait", { name: K.story.player?.name ?? "" }) })]
      : [K.el("p", { text: K.noneYet(K.t("persona_none")) }), K.el("p", { text: K.t("persona_will") }), K.el("p", { class: "k-quiet", text: K.t("persona_means") })]), ...others));
    return;
  }
  const before = root.querySelectorAll("details[open]");
  const open = new Set([...before].map((node) => node.closest(".k-entry")?.dataset.key));
  turns = new Map(value.changes.flatMap((change) => [change.value && [change.value.id, change.turn], change.was && [change.was.id, "retired"]]).filter(Boolean));
  const groups = [...new Set(value.entries.map((entry) => entry.group))];
  K.refill(root, card(value), since(value),
    ...groups.map((group) => K.el("section", { class: "k-group", "data-group": group },
      K.el("h3", { text: K.knows(`group_${group}`) ? K.t(`group_${group}`) : group }),
      K.el("dl", {}, value.entries.filter((entry) => entry.group === group).map(entryOf)))),
    ...(value.derived.length ? [K.el("section", { class: "k-group", "data-group": "derived" },
      K.el("h3", { text: K.t("derived") }), K.el("dl", {}, value.derived.map(derivedOf)), K.el("p", { class: "k-quiet", text: K.t("derived_means") }))] : []),
    K.el("p", { class: "k-quiet", text: K.t("persona_means") }), ...others);
  root.querySelectorAll("details").forEach((node) => { node.open = open.has(node.closest(".k-entry")?.dataset.key); });
});
