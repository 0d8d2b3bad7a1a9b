// Several characters of the gallery at once: chosen on their cards, then tagged, kept on top, removed or taken along as cards. Each can be taken back.
const BETWEEN = /[,，、]/;   // as in the field of a form
const MOST_LISTED = 40;
const plain = (text) => text.normalize("NFKC").toLowerCase();
// everybody: the characters that the gallery has; shown: those that fit what is looked for; redraw: draws it anew.
K.choosing = ({ everybody, shown, redraw }) => {
  let chosen = null;         // ids, while several are being chosen
  const all = () => everybody().filter((one) => chosen.has(one.id));
  const own = () => all().filter((one) => one.own);
  const ask = (operation, ids, { text = "", then = () => {}, loud = true } = {}) => trigger("many", { operation, characters: ids.join(","), text, token: K.askCharacters((answer) => {
    if (answer?.shows === "done") then(answer.ids);
    else if (answer) K.toast(K.sentence(answer.error));
  }, { loud }) });
  const told = (words, back) => K.toast(words, back && { label: K.t("undo"), act: back });
  const ids = (people) => people.map((one) => one.id);
  // All tags are given or none. Taking them back takes each from those alone who had it not.
  const tag = async () => {
    const typed = await K.prompt({ title: K.t("many_tag"), text: K.t("many_tag_means", { n: own().length }), label: K.t("gallery_tags"), act: K.t("many_tag_do"), most: K.house.character_limits.line });
    const tags = (typed ?? "").split(BETWEEN).map((one) => one.trim()).filter(Boolean);
    if (!tags.length || !chosen) return;
    const got = new Map();     // tags, by who had them not
    for (const name of tags) {
      const to = ids(own().filter((one) => !one.tags.some((has) => plain(has) === plain(name)))).join(",");
      if (to) got.set(to, [...(got.get(to) ?? []), name]);
    }
    const back = () => {   // one after the other: each waits for the answer to the one before it
      const left = [...got];
      const next = () => { const [to, names] = left.shift() ?? []; if (to) ask("untag", to.split(","), { text: names.join(","), then: next }); };
      next();
    };
    ask("tag", ids(own()), { text: tags.join(","), then: (changed) => told(K.t("did_many_tag", { n: changed.length, tags: tags.join(", ") }), changed.length ? back : null) });
  };
  const untag = (anchor) => {
    const tags = new Map(own().flatMap((one) => one.tags.map((name) => [plain(name), name])));
    K.menu(anchor, [...tags.values()].slice(0, MOST_LISTED).map((name) => ({ name: `untag-${name}`, icon: "close", label: name, act: () =>
      ask("untag", ids(own()), { text: name, then: (changed) => told(K.t("did_many_untag", { n: changed.length, tag: name }), changed.length ? () => ask("tag", changed, { text: name }) : null) }) })),
    { title: K.t("many_untag"), head: K.fine() ? "" : K.t("many_untag") });
  };
  const favour = () => {
    const kept = new Set(K.shelf?.favourites ?? []);
    const way = all().every((one) => kept.has(one.id)) ? "unfavour" : "favour";
    ask(way, ids(all()), { then: (changed) => told(K.t(way === "favour" ? "did_many_favour" : "did_many_unfavour", { n: changed.length }), () => ask(way === "favour" ? "unfavour" : "favour", changed)) });
  };
  const remove = () => ask("remove", ids(own()), { then: (gone) => {
    gone.forEach((id) => chosen?.delete(id));
    redraw();
    told(K.t("did_many_remove", { n: gone.length }), () => ask("restore", gone));
  } });
  const leave = () => { K.toast(K.t("exporting")); ask("export", ids(own()), { loud: false }); };
  const end = () => { chosen = null; redraw(); };
  const bar = () => {
    if (!chosen) return [];
    const mine = own().length, tagged = own().some((one) => one.tags.length);
    const deed = (name, icon, label, act, may) => K.el("button", { class: `k-button${name === "remove" ? " k-grave" : ""}`, type: "button", "data-many": name, disabled: !may, onclick: (event) => act(event.currentTarget) }, K.icon(icon), K.el("span", { text: K.t(label) }));
    return [K.el("span", { class: "k-chosen-count", role: "status", text: [K.t("many_chosen", { n: chosen.size }), mine < chosen.size && K.t("many_own", { n: mine })].filter(Boolean).join(" · ") }),
      deed("all", "tick", "many_all", () => { shown().forEach((one) => chosen.add(one.id)); redraw(); }, shown().some((one) => !chosen.has(one.id))),
      deed("tag", "highlight", "many_tag", tag, mine), deed("untag", "close", "many_untag", untag, tagged), deed("favour", "star", "many_favour", favour, chosen.size),
      deed("export", "out", "many_export", leave, mine), deed("remove", "bin", "many_remove", remove, mine), deed("end", "back", "many_end", end, true)];
  };
  return {
    bar, end,
    on: () => chosen !== null,
    has: (id) => Boolean(chosen?.has(id)),
    begin: () => { chosen = new Set(); redraw(); },
    turn: (id) => { if (!chosen.delete(id)) chosen.add(id); redraw(); },
    keep: (people) => { if (chosen) chosen = new Set([...chosen].filter((id) => people.some((one) => one.id === id))); },
  };
};
