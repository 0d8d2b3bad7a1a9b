// What was remembered from each round: a mark on the player's message that opens the list. It is filled in where the message stands, so nothing is drawn anew
// and nothing moves while memory is at work.
const kept = new Map();     // round -> [remembered, forgotten]
K.learnKept = (messages, counts) => {
  messages.forEach((m) => kept.delete(m.round));
  Object.entries(counts ?? {}).forEach(([round, pair]) => kept.set(Number(round), pair));
};
K.forgetKept = () => kept.clear();

const mark = (round, [remembered, forgotten]) => {
  const says = remembered ? K.t("kept_count", { n: remembered }) : K.t("kept_lost", { n: forgotten });
  const means = [K.t("kept_means", { n: round }), remembered > 0 && forgotten > 0 && K.t("kept_lost", { n: forgotten })].filter(Boolean).join(K.gap());
  return K.el("button", { class: `k-link k-kept${remembered ? "" : " k-kept-lost"}`, type: "button", title: means, "aria-label": `${means} ${says}`, "aria-haspopup": "dialog", onclick: () => K.openRound(round) },
    K.icon("mark"), K.el("span", { text: says }));
};
// messages: those on the page; nodeOf: the node of each. The player's message carries the mark of its round; of a round without one, its first.
K.showKept = (messages, nodeOf) => {
  const bearers = new Map();
  messages.forEach((m) => { if (!bearers.has(m.round) || (m.role === "user" && bearers.get(m.round).role !== "user")) bearers.set(m.round, m); });
  for (const m of messages) {
    const place = nodeOf(m.id)?.querySelector(".k-kept-place");
    if (!place) continue;
    const pair = bearers.get(m.round) === m ? kept.get(m.round) : null;
    const says = pair ? `${K.language} ${pair.join()}` : "";
    if ((place.dataset.says ?? "") === says) continue;
    const focused = place.contains(document.activeElement);
    place.dataset.says = says;
    place.replaceChildren(...(pair ? [mark(m.round, pair)] : []));
    if (focused) place.querySelector("button")?.focus({ preventScroll: true });
  }
};
