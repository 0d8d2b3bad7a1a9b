let pinned = null;      // the reply the reader asked about; null follows the newest
let newest = null;
let shown = null;
let promptOpen = false;
let of = null;
const LONG = 900;       // letters of what was looked for that are shown at once, and lines
const LINES = 14;

const fact = (label, text) => [K.el("dt", { text: label }), K.el("dd", { text })];
const milliseconds = (value) => (value === null || value === undefined ? "–" : K.t("milliseconds", { n: Math.round(value) }));
const share = (label, value) => value !== null && K.el("span", {}, label, " ", K.el("b", { text: K.number(value, 2) }));

const nameOf = (section) => (K.knows(`section_${section}`) ? K.t(`section_${section}`) : section);
// The prompt by section, as long as its window is known with what was left of that: one bar for all, and below it each section with a bar and in words.
const sectionsOf = ({ sections, window: all, reply }) => {
  const total = sections.reduce((sum, section) => sum + section.tokens, 0);
  const whole = Math.max(all, total);
  const rest = all ? [{ name: "reply", tokens: reply, items: 1 }, { name: "free", tokens: Math.max(0, all - total - reply), items: 1 }] : [];
  const share = (tokens) => new Intl.NumberFormat(K.locale(), { style: "percent" }).format(whole ? tokens / whole : 0);
  const parts = [...sections, ...rest].filter((s) => s.tokens > 0);
  return K.el("section", { class: "k-spent" },
    K.el("h3", {}, K.t("sections"), " ", K.el("small", { text: all ? K.t("tokens_of_window", { n: total, all }) : K.t("tokens_total", { n: total }) })),
    K.el("p", { class: "k-quiet", text: K.t("tokens_mean") }),
    K.el("div", { class: "k-stack", "aria-hidden": "true" }, parts.map((s) => K.el("i", { "data-section": s.name, title: nameOf(s.name), style: { "flex-grow": String(s.tokens) } }))),
    K.el("ul", { class: "k-legend" }, parts.map((s) =>
      K.el("li", { "data-section": s.name },
        K.el("span", {}, K.el("b", { text: nameOf(s.name) }), s.items > 1 && ` · ${K.t("section_items", { n: s.items })}`),
        K.el("span", { text: K.t("section_share", { n: s.tokens, share: share(s.tokens) }) }),
        K.el("i", { "aria-hidden": "true", style: { "inline-size": `${whole ? (s.tokens / whole) * 100 : 0}%` } })))));
};

const citedOf = ({ cited, cited_by: by }) =>
  K.t(by === "model" ? (cited ? "citations_model" : "citations_model_none") : by === "words" ? "citations_words" : "citations_unknown", { n: cited });
const candidateOf = (one, by, heard = false) => {
  const reason = one.reason && (K.knows(`reason_${one.reason}`) ? K.t(`reason_${one.reason}`) : K.t("reason_other"));
  return K.el("li", { class: "k-candidate", "data-memory": one.id, "data-delivered": String(one.delivered) },
    K.el("header", {},
      K.el("span", { class: "k-rank", "aria-label": K.t("rank", { n: one.rank }), text: String(one.rank) }),
      one.text && K.whence(one, one.first, one.last),
      K.knows(`kind_${one.kind}`) && K.el("span", { class: "k-kind", text: K.t(`kind_${one.kind}`) }),
      one.effect === "reinforced" && K.el("span", { class: "k-up", text: K.t("reinforced") }),
      one.effect === "inhibited" && K.el("span", { class: "k-down", text: K.t("inhibited") }),
      one.cited && K.el("span", { class: "k-cited", "data-by": by, text: K.t(by === "model" ? "cited_model" : "cited_words") }),
      !heard && K.el("span", { class: one.delivered ? "k-in" : "k-out", text: one.delivered ? K.t("delivered") : reason || K.t("reason_other") })),
    one.text ? K.clipped(`candidate ${one.id}`, one.text, () => K.redraw("receipt")) : K.el("p", { class: "k-quiet", text: K.t("erased") }),
    K.el("footer", { class: "k-shares", lang: K.locale() }, share(K.t("dense"), one.dense), share(K.t("sparse"), one.sparse), share(K.t("fused"), one.fused),
      one.parts.length > 0 && K.el("span", { text: "=" }),
      one.parts.map(([name, value]) => K.knows(`part_${name}`) && share(K.t(`part_${name}`), value)), share(K.t("learned"), one.learned)));
};

const leftOut = (one) =>
  K.el("li", { class: "k-candidate", "data-memory": one.id, "data-delivered": "false", "data-reason": one.reason },
    K.el("header", {},
      one.first > 0 && K.roundLink(one.first, one.last),
      K.knows(`kind_${one.kind}`) && K.el("span", { class: "k-kind", text: K.t(`kind_${one.kind}`) }),
      K.el("span", { text: K.t("left_out_place", { n: one.place }) }),
      K.el("span", { class: "k-out" }, K.t(K.knows(`reason_${one.reason}`) ? `reason_${one.reason}` : "reason_other"), one.round > 0 && " ", one.round > 0 && K.roundLink(one.round, one.round))),
    K.clipped(`left out ${one.id}`, one.text, () => K.redraw("receipt")),
    one.by && K.el("p", { class: "k-quiet" }, K.t("left_out_by"), K.gap(), K.el("span", { dir: "auto" }, K.excerpt(one.by))));

// Which entries of the lorebook were called up, and by what.
const loreOf = (entries) => {
  const why = (one) => (one.through ? K.t("lore_through", { key: one.by, n: one.through }) : one.by ? K.t("lore_by", { key: one.by }) : K.t("lore_always"));
  return K.el("section", {}, K.el("h3", { text: K.t("lore") }),
    K.el("ul", { class: "k-lore", lang: K.here()?.language ?? null }, entries.map((one) =>
      K.el("li", { "data-lore": one.n, "data-delivered": String(one.delivered) }, K.el("b", { dir: "auto", text: one.name || K.t("lore_entry", { n: one.n }) }), " ",
        one.book && K.el("span", { class: "k-quiet", dir: "auto", text: K.t("lore_of_book", { book: one.book }) }), one.book && " ",
        K.el("span", { class: "k-quiet", dir: "auto", text: why(one) }), " ",
        K.el("span", { class: one.delivered ? "k-in" : "k-out", text: one.delivered ? K.t("tokens_total", { n: one.tokens }) : K.t("lore_no_room") })))));
};
const promptOf = ({ prompt, exact }) =>
  K.el("details", { class: "k-prompt", ...K.unfolds(promptOpen, (open) => { promptOpen = open; }) },
    K.el("summary", { text: K.t("prompt_sent") }),
    K.el("p", { class: "k-quiet", "data-exact": exact, text: K.t(exact ? `exact_${exact}` : "exact_unproven") }),
    K.el("button", { class: "k-link", type: "button", text: K.t("prompt_copy"), onclick: () => K.copyText(prompt.map(([role, text]) => `${role}:\n${text}`).join("\n\n")) }),
    prompt.map(([role, text]) => K.el("figure", {}, K.el("figcaption", { text: K.t("prompt_role", { role, n: text.length }) }), K.el("pre", { tabindex: 0, text }))));

const thoughtsOf = ({ thoughts }) =>
  K.el("details", { class: "k-prompt" }, K.el("summary", { text: K.t("thoughts") }), K.el("p", { class: "k-quiet", text: K.t("thoughts_mean") }), K.el("pre", { tabindex: 0, text: thoughts }));

// What a line called up that nobody answered: what came to mind, and no prompt.
const heard = (receipt) => [
  K.el("div", { class: "k-bar-line" },
    K.el("strong", { text: K.t("heard_receipt_of", { n: receipt.round }) }),
    pinned && newest?.message !== receipt.message && K.el("button", { class: "k-link", type: "button", text: K.t("heard_receipt_newest"), onclick: () => { pinned = null; trigger("receipt", { chat: K.chat, message: "" }); } })),
  K.el("p", { class: "k-quiet", text: K.t("heard_receipt") }),
  K.knows(`cross_${receipt.cross}`) && K.el("p", { class: "k-degraded", role: "note", text: K.t(`cross_${receipt.cross}`) }),
  K.el("dl", { class: "k-facts" },
    K.el("dt", { text: K.t("receipt_heard") }),
    K.el("dd", { class: "k-query", lang: K.here()?.language ?? null }, K.clipped(`query ${receipt.message}`, receipt.query, () => K.redraw("receipt"), { letters: LONG, lines: LINES })),
    fact(K.t("receipt_made"), K.when(receipt.made)), fact(K.t("receipt_embedder"), receipt.embedder), fact(K.t("receipt_recall"), milliseconds(receipt.recall_ms))),
  K.el("section", {},
    K.el("h3", { text: K.t("candidates") }),
    receipt.candidates.length ? K.el("ol", { class: "k-candidates", lang: K.here()?.language ?? null }, receipt.candidates.map((one) => candidateOf(one, "", true))) : K.el("p", { class: "k-quiet", text: K.t("candidates_none") }))].filter(Boolean);
// What was written in another program or by hand: nothing is known of its prompt.
const brought = (receipt) => [
  K.el("div", { class: "k-bar-line" }, K.el("strong", { text: receipt.round > 0 ? K.t("receipt_of", { n: receipt.round }) : K.t("receipt_of_first") })),
  K.el("p", { class: "k-quiet", text: K.t("receipt_brought") }),
  thoughtsOf(receipt)];
const sheet = (receipt) => receipt.heard ? heard(receipt) : !receipt.embedder && !receipt.prompt.length && receipt.thoughts ? brought(receipt) : [
  K.el("div", { class: "k-bar-line" },
    K.el("strong", { text: receipt.round > 0 ? K.t("receipt_of", { n: receipt.round }) : K.t("receipt_of_first") }),
    receipt.speaker && K.el("span", { class: "k-speaker", text: K.t("company_receipt", { name: receipt.speaker }) }),
    pinned && newest?.message !== receipt.message && K.el("button", { class: "k-link", type: "button", text: K.t("receipt_newest"), onclick: () => { pinned = null; trigger("receipt", { chat: K.chat, message: "" }); } })),
  receipt.degraded && K.el("p", { class: "k-degraded", role: "note", text: K.t(K.knows(`degraded_${receipt.degraded}`) ? `degraded_${receipt.degraded}` : "degraded_error") }),
  K.knows(`cross_${receipt.cross}`) && K.el("p", { class: "k-degraded", role: "note", text: K.t(`cross_${receipt.cross}`) }),
  K.knows(`again_${receipt.again}`) && K.el("p", { class: "k-quiet k-made-again", role: "note", text: K.t(`again_${receipt.again}`) }),
  K.el("dl", { class: "k-facts" },
    K.el("dt", { text: K.t("receipt_query") }),
    K.el("dd", { class: "k-query", lang: K.here()?.language ?? null }, K.clipped(`query ${receipt.message}`, receipt.query, () => K.redraw("receipt"), { letters: LONG, lines: LINES })),
    fact(K.t("receipt_made"), K.when(receipt.made)), fact(K.t("receipt_model"), receipt.model && K.modelNamed(receipt.model)), fact(K.t("receipt_embedder"), receipt.embedder),
    fact(K.t("receipt_recall"), milliseconds(receipt.recall_ms)), fact(K.t("receipt_first_token"), milliseconds(receipt.first_token_ms)),
    receipt.candidates.some((one) => one.delivered) && fact(K.t("citations"), citedOf(receipt))),
  sectionsOf(receipt),
  receipt.lore.length > 0 && loreOf(receipt.lore),
  K.el("section", {},
    K.el("h3", { text: K.t("candidates") }),
    receipt.candidates.length ? K.el("ol", { class: "k-candidates", lang: K.here()?.language ?? null }, receipt.candidates.map((one) => candidateOf(one, receipt.cited_by))) : K.el("p", { class: "k-quiet", text: K.t("candidates_none") })),
  receipt.left_out.length > 0 && K.el("section", {},
    K.el("h3", { text: K.t("left_out") }),
    K.el("p", { class: "k-quiet", text: K.t("left_out_means") }),
    K.el("ul", { class: "k-candidates", lang: K.here()?.language ?? null }, receipt.left_out.map(leftOut))),
  receipt.thoughts && thoughtsOf(receipt),
  promptOf(receipt)].filter(Boolean);

K.surface("receipt", { element, props, watch }, (root, value) => {
  if (of !== K.chat) { of = K.chat; pinned = newest = shown = null; promptOpen = false; }
  if (value && value.asked) {
    pinned = value.receipt?.message ?? null;
    shown = value.receipt;
  } else if (value) {
    newest = value.receipt;
    if (value.gone && value.gone === pinned) pinned = null;
    if (!pinned) shown = newest;
  }
  K.shown.receipt = newest?.id ?? "";
  K.view = { ...K.view, reading: pinned ?? "", read: pinned ? shown.id : "" };
  if (!K.chat || !value || !shown) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t((K.here()?.rounds ?? 0) > 1 ? "receipt_none_before" : "receipt_none") }) : K.nothingOpen("receipt"));
    return;
  }
  if (K.view.tab === "receipt") K.refill(root, ...sheet(shown));   // the largest of all sheets: made when it is looked at
  else root.replaceChildren();
});
