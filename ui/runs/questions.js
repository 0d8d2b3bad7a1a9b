// A run's questions, and one of them down to its receipt.
R.place = (...parts) => encodeURIComponent(parts.join("\n"));
A.views.questions = async (id) => {
  const asked = { run: id, find: "", category: "", order: "file", start: 0 };
  const table = A.el("div", {}), count = A.el("p", { class: "quiet", role: "status" }), parts = A.el("select", { id: "r-part" });
  const find = A.el("input", { id: "r-find", type: "search", maxlength: "200" });
  const order = A.el("select", { id: "r-order" }, ["file", "worst", "apart"].map((name) => A.el("option", { value: name, text: A.t(`order_${name}`) })));
  const row = (one, said) => A.el("tr", {}, A.el("td", { class: "words" }, A.el("a", { href: `#question=${R.place(id, one.dataset, one.item)}`, text: one.text || one.item, dir: "auto" }), A.el("span", { class: "quiet", text: ` ${one.categories.join(", ")}` })),
    said.systems.map((name) => A.el("td", { text: name in one.scores ? R.number(one.scores[name]) : "–" })));
  const look = async () => {
    const said = await A.ask("questions", asked);
    if (!said) return null;
    const last = Math.min(said.count, asked.start + said.some.length);
    count.textContent = said.some.length ? `${A.t("from_to", { from: asked.start + 1, to: last, n: said.count })} · ${said.metric}` : A.t("questions_n", { n: said.count });
    const turn = (label, start, possible) => A.button(A.t(label), () => { asked.start = start; look(); }, { disabled: !possible });
    table.replaceChildren(A.el("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": A.t("questions") }, A.el("table", { class: "figures" }, A.el("thead", {}, A.el("tr", {}, [A.t("question"), ...said.systems].map((text) => A.el("th", { scope: "col", text })))), A.el("tbody", {}, said.some.map((one) => row(one, said))))),
      A.el("div", { class: "row end" }, turn("earlier", Math.max(0, asked.start - 50), asked.start > 0), turn("later", asked.start + 50, last < said.count)));
    return said;
  };
  const said = await look();
  if (!said) { location.hash = `run=${id}`; return; }
  parts.replaceChildren(A.el("option", { value: "", text: A.t("whole") }), ...said.categories.map((name) => A.el("option", { value: name, text: name })));
  let timer = 0;
  const change = (name, value) => { asked[name] = value; asked.start = 0; clearTimeout(timer); timer = setTimeout(look, 200); };
  find.addEventListener("input", () => change("find", find.value));
  parts.addEventListener("change", () => change("category", parts.value));
  order.addEventListener("change", () => change("order", order.value));
  A.leaving = () => clearTimeout(timer);
  A.crumbs(A.el("a", { href: `#run=${id}`, text: R.title(said.run), dir: "auto" }), A.el("span", { text: A.t("questions") }));
  A.show(A.el("section", { class: "sheet wide" }, A.el("h1", { text: A.t("questions") }), A.el("div", { class: "grid-2" }, A.el("label", {}, A.t("find"), find), A.el("label", {}, A.t("part"), parts), A.el("label", {}, A.t("order"), order)), count, table));
};
A.views.question = async (place) => {
  const [id, dataset, item] = place.split("\n");
  const said = await A.ask("question", { run: id, dataset, item });
  if (!said) { location.hash = `questions=${id}`; return; }
  const { receipt } = said;
  A.crumbs(A.el("a", { href: `#run=${id}`, text: R.title(said.run), dir: "auto" }), A.el("a", { href: `#questions=${id}`, text: A.t("questions") }), A.el("span", { text: item }));
  const turn = (name) => { const one = receipt.turns[name]; return one && A.el("div", { class: "turn-card", "data-turn": name }, A.el("p", { class: "who", text: `${one.by} · ${R.moment(one.at)} · ${name}`, dir: "auto" }), A.el("p", { text: one.text, dir: "auto" })); };
  const share = (label, value) => value !== null && value !== undefined && A.el("span", {}, `${label} `, A.el("b", { text: value.toFixed(3) }));
  const candidate = (one, n, all) => A.el("li", { class: [one.right && "right", !one.delivered && "beyond", n > 0 && all[n - 1].delivered && !one.delivered && "edge"].filter(Boolean).join(" "), "data-rank": one.rank },
    A.el("p", { class: "row" }, A.el("b", { text: A.t("rank", { n: one.rank }) }), A.el("span", { class: "badge", text: A.words[`kind_${one.kind}`] ?? one.kind }), one.right && A.el("span", { class: "badge good", text: `✓ ${A.t("right")}` }), !one.delivered && A.el("span", { class: "badge", text: A.t("beyond") })),
    A.el("p", { text: one.text, dir: "auto" }),
    A.el("p", { class: "shares" }, share(A.t("dense"), one.scores.dense), share(A.t("sparse"), one.scores.sparse), share(A.t("context"), one.scores.context), share(A.t("fused"), one.scores.fused)),
    Object.keys(one.parts).length > 0 && A.el("details", {}, A.el("summary", { text: A.t("parts") }), A.el("p", { class: "shares" }, Object.entries(one.parts).map(([name, value]) => share(A.words[`part_${name}`] ?? name, value)))),
    A.el("details", {}, A.el("summary", { text: A.t("turns") }), one.turns.map(turn)));
  const scored = (name) => A.el("p", { class: "shares" }, Object.entries(said.scores[name]).map(([metric, value]) => share(metric, value)));
  const answer = (one) => one && (one.answer || one.expected) && A.el("dl", { class: "facts" }, [["answered", one.answer ?? "–"], ["expected", one.expected], ["verdict", one.verdict === null ? "" : String(one.verdict)]].map(([name, text]) => text && [A.el("dt", { text: A.t(name) }), A.el("dd", { text, dir: "auto", "data-said": name })]));
  const system = (name) => A.el("section", { "data-system": name }, A.el("h3", { text: A.t("delivered_by", { system: name }) }), scored(name), receipt && answer(receipt.answers[name]),
    receipt && (receipt.systems[name]?.length ? A.el("ol", { class: "ranked" }, receipt.systems[name].map(candidate)) : A.el("p", { class: "quiet", text: A.t("delivered_none") })));
  A.show(A.el("section", { class: "sheet wide" }, A.el("h1", { text: receipt?.question || item, dir: "auto" }), A.el("p", { class: "quiet", text: [dataset, item, ...said.categories, receipt?.asked_at && A.t("asked_at", { time: R.moment(receipt.asked_at) })].filter(Boolean).join(" · "), dir: "auto" }),
    receipt ? [A.el("h2", { text: A.t("gold") }), A.el("div", { id: "r-gold" }, receipt.evidence.map(turn)), A.el("p", { class: "quiet", text: A.t("delivered_means") })] : A.el("p", { class: "told", text: A.t("no_receipt") }),
    A.el("div", { class: "side-by-side" }, Object.keys(said.scores).map(system))));
};
