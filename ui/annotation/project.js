// One project: its dialogues, people, guidelines, figures and files.
A.views.project = async (id) => {
  const said = await A.ask("project", { project: id });
  if (!said) { location.hash = "home"; return; }
  A.crumbs(A.el("span", { text: said.project.name, dir: "auto" }));
  const again = () => A.views.project(id);
  const drop = async (item) => { if (await A.sure(A.t("remove_item_sure", { title: item.title }), A.t("remove_item"), "grave") && await A.ask("remove_item", { item: item.id })) again(); };
  const release = async (item) => { if (await A.ask("release", { item: item.id })) again(); };
  const row = (item) => A.el("li", { "data-item": item.id },
    A.el("div", {}, A.el("b", { text: `${item.number}. ${item.title}`, dir: "auto" }),
      A.el("p", { class: "quiet", text: [A.t("messages_n", { n: item.turns }), A.t("submitted_of", { n: item.submitted, overlap: item.overlap })].join(" · ") })),
    A.el("div", { class: "row" }, item.work && A.el("a", { class: "button", href: `#work=${item.work}`, text: A.t("open_dialogue") }), A.el("span", { class: `badge state-${item.state}`, text: A.t(`state_${item.state}`) }),
      ["adjudicated", "released"].includes(item.state) && A.el("a", { class: "button", href: `#gold=${item.id}`, text: A.t("see_gold") }),
      said.manages && item.state === "adjudicated" && item.overlap > 1 && A.button(A.t("release"), () => release(item), { title: A.t("release_means") }),
      said.manages && A.button(A.t("remove_item"), () => drop(item), { class: "grave" })));
  const newest = said.guidelines.at(-1);
  const text = A.el("textarea", { rows: "12", value: newest.text, "aria-label": A.t("guideline") });
  const kept = A.keeping(`guideline.${id}`, { text });
  const change = async () => { if (await A.ask("guideline", { project: id, text: text.value })) { kept.end(); again(); } };
  const close = async () => { if (await A.ask("close", { project: id, closed: said.project.closed ? "no" : "yes" })) again(); };
  const added = (told) => { A.toast([A.t("added", { n: told.added }), told.known && A.t("known", { n: told.known })].filter(Boolean).join(" ")); again(); };
  const person = (one) => A.el("tr", {}, A.el("th", { scope: "row", text: one.name || "—", dir: "auto" }), A.el("td", { text: A.t(`as_${one.role}`) }),
    A.el("td", { text: [A.t("done_n", { n: one.submitted }), A.t("held_n", { n: one.held }), one.lapsed && A.t("lapsed_n", { n: one.lapsed })].filter(Boolean).join(" · ") }));
  const file = (form) => A.el("li", {}, A.el("a", { href: `/keepsake/annotation/files/${id}/${form}`, download: "", text: A.t(`file_${form}`) }));
  const flag = (one) => A.el("li", {}, A.el("div", {}, A.el("span", { text: one.text || "—", dir: "auto" }),
    A.el("p", { class: "quiet" }, A.el("span", { text: `${one.number}. ${one.title}`, dir: "auto" }), one.turn > 0 && ` · ${A.t("message_n", { n: one.turn })}`, ` · ${A.t(`verdict_${one.verdict}`)}`, one.reason && ` · ${A.t(`reason_${one.reason}`)}`),
    one.note && A.el("p", { text: one.note, dir: "auto" })), A.el("a", { class: "button", href: `#gold=${one.item}`, text: A.t("see_gold") }));
  A.show(A.el("section", { class: "sheet" },
    A.el("h1", { text: said.project.name, dir: "auto" }), said.project.closed && A.el("p", {}, A.el("span", { class: "badge", text: A.t("is_closed") })),
    said.project.own && A.el("p", { class: "quiet" }, A.el("span", { class: "badge", text: A.t("is_own") }), " ", A.t("marked_means")),
    A.el("h2", { text: A.t("dialogues") }),
    said.items.length ? A.el("ul", { class: "list", id: "a-items" }, said.items.map(row)) : A.el("p", { class: "quiet", text: A.t("no_dialogues") }),
    said.manages && !said.project.own && [A.el("div", { class: "row" }, A.fileButton(A.t("add_dialogues"), id, added)), A.el("p", { class: "quiet", text: A.t("add_dialogues_means") })],
    said.manages && !said.project.own && [A.el("h2", { text: A.t("people") }), said.people.length ? A.el("table", { class: "figures" }, said.people.map(person)) : A.el("p", { class: "quiet", text: A.t("people_none") })],
    said.manages && said.project.overlap > 1 && [A.el("h2", { text: A.t("agreement") }), A.el("div", { id: "a-agreement" })],
    said.manages && !said.project.own && [A.el("h2", { text: A.t("collecting") }), A.collecting(id, said.project.rounds)],
    said.manages && said.project.overlap === 1 && [A.el("h2", { text: A.t("suggestions") }),
      A.el("label", { class: "check" }, A.el("input", { type: "checkbox", id: "a-suggestions", checked: said.project.suggestions, onchange: async (event) => { if (await A.ask("suggest", { project: id, on: event.target.checked ? "yes" : "no" })) again(); } }), A.t("suggest_switch")),
      A.el("p", { class: "quiet", text: A.t("suggest_switch_means") }),
      said.share.as_they_stood + said.share.changed > 0 && A.el("p", { id: "a-share", text: A.t("share", { n: said.share.points, as_is: said.share.as_they_stood, changed: said.share.changed }) })],
    said.manages && [A.el("h2", { text: A.t("files") }), A.el("ul", {}, ["project", "gold", "locomo", "zh4o", "probed", "table"].map(file)), A.el("p", { class: "quiet", text: A.t("files_mean") })],
    [A.el("h2", { text: A.t("probes") }), A.el("p", { class: "quiet", text: A.t("probes_mean") }), A.el("p", {}, A.el("a", { class: "button", href: `#probes=${id}`, text: A.t("probes_open") }))],
    A.el("h2", { text: `${A.t("guideline")} · ${A.t("guideline_version", { version: newest.version })}` }),
    A.el("div", { class: "guideline", text: newest.text }),
    said.guidelines.length > 1 && A.el("details", {}, A.el("summary", { text: A.t("guideline_earlier", { n: said.guidelines.length - 1 }) }), said.guidelines.slice(0, -1).reverse().map((one) => [
      A.el("h3", { text: `${A.t("guideline_version", { version: one.version })} · ${new Date(one.at).toLocaleDateString(A.language)}` }), A.el("div", { class: "guideline", text: one.text })])),
    said.flags.length > 0 && [A.el("h2", { text: A.t("flags") }), A.el("p", { class: "quiet", text: A.t("flags_mean") }), A.el("ul", { class: "list", id: "a-flags" }, said.flags.map(flag))],
    said.manages && !said.project.own && [
      A.el("details", { open: kept.found }, A.el("summary", { text: A.t("guideline_change") }), A.el("p", { class: "quiet", text: A.t("guideline_means") }), text, A.el("div", { class: "row end" }, A.button(A.t("save"), change, { class: "firm" }))),
      A.el("div", { class: "row end" }, A.button(A.t(said.project.closed ? "open_again" : "close_project"), close)),
    ]));
  if (said.manages && said.project.overlap > 1) agreement(id);
};
const shown = (value) => value.toFixed(2).replace(/^-(?=0\.00$)/, "");
const agreement = async (id) => {
  const said = await A.ask("figures", { project: id });
  const place = document.getElementById("a-agreement");
  if (!said || !place) return;
  const name = (figure) => { const [plain, category] = figure.name.split(/:(.*)/s); return category === undefined ? A.t(`figure_${plain}`) : A.t("figure_alpha_category", { category }); };
  const row = (figure) => A.el("tr", { "data-figure": figure.name }, A.el("th", { scope: "row", text: name(figure) }),
    A.el("td", { class: figure.value === null ? "quiet" : "", text: figure.value === null ? `${A.t("undefined")}: ${A.t(`why_${figure.why}`)}` : shown(figure.value) }),
    A.el("td", { class: "span", text: figure.low === null ? "" : `${shown(figure.low)} – ${shown(figure.high)}` }), A.el("td", { text: `${figure.n} ${A.t(`unit_${figure.unit}`)}` }));
  place.replaceChildren(A.el("p", { class: "quiet", text: A.t("agreement_means", { n: said.dialogues, a: said.points[0], b: said.points[1] }) }),
    A.el("table", { class: "figures wide-table" }, A.el("thead", {}, A.el("tr", {}, [A.t("figure"), A.t("value"), A.t("interval"), "n"].map((text) => A.el("th", { scope: "col", text })))), A.el("tbody", {}, said.figures.map(row))));
};
