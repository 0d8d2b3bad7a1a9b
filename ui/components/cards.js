// Characters as files: cards of other programs that come in, one after the other, and own characters that leave as cards.
const NAMES = /\.(a?png|json|charx|jpe?g|webp|gif|avif|lorebook)$/i;
const LISTED = 24;      // places of one kind that a report names
let open = null;        // the dialog, if it is there
let rows = [];          // what came in: {file, state, part, taken, error, how}
let sending = null;

// By its name. A JSON file may hold a card, a lorebook or a conversation: whoever looked at it first and found nothing of its own hands it to the other.
K.isCard = (file) => NAMES.test(file.name);
K.mayBeEither = (file) => /\.json$/i.test(file.name);
const isNone = ({ error, chat }) => ["card_unknown", "card_not_json"].includes(error.code) || (error.code === "card_too_large" && Boolean(chat));

// In
const size = (bytes) => (bytes < 1e6 ? K.t("size_kb", { n: Math.max(1, Math.round(bytes / 1e3)) }) : K.t("size_mb", { size: K.number(bytes / 1e6, 1) }));
const settle = (row, news) => {
  Object.assign(row, news);
  sending = null;
  if (news.state === "refused" && isNone(row) && K.mayBeEither(row.file) && K.takeChat(row.file, row.chat)) {
    rows = rows.filter((one) => one !== row);
    row.node?.remove();
    if (!rows.length) open?.close();
    next();
    return;
  }
  if (row.taken?.outcome === "added" || row.taken?.outcome === "updated") K.arrange("look", {}, () => {});
  if (open) draw(row);
  else if (news.state !== "refused") K.toast(K.t(sentence(row.taken), { name: row.taken.name, there: row.taken.there }));
  else K.toast(`${row.file.name}: ${K.sentence(row.error)}`);
  next();
};
const next = () => {
  const row = sending ? null : rows.find((one) => one.state === "waiting");
  if (!row) return;
  if (row.file.size > K.house.most_card_bytes) { settle(row, { state: "refused", error: { code: "card_too_large", params: { where: row.file.name, limit: Math.floor(K.house.most_card_bytes / 2 ** 20) } } }); return; }
  const request = new XMLHttpRequest();
  sending = row;
  row.state = "sending";
  row.part = 0;
  const fail = (error) => settle(row, { state: "refused", error });
  request.upload.addEventListener("progress", (event) => { row.part = event.total ? event.loaded / event.total : 0; bar(row); });
  request.addEventListener("load", () => {
    let answer = null;
    try { answer = request.status === 200 ? JSON.parse(request.responseText) : null; } catch { /* no answer of ours */ }
    if (answer?.taken) settle(row, { state: ["same", "named", "mended"].includes(answer.taken.outcome) ? "asked" : "done", taken: answer.taken });
    else fail(answer?.error ?? { code: "unexpected" });
  });
  request.addEventListener("error", () => fail({ code: "card_broken" }));
  request.open("POST", `keepsake/cards?${new URLSearchParams({ how: row.how, character: row.onto ?? "", file: row.name ? `${row.name}.x` : row.file.name })}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(row.file);
  draw(row);
};
const again = (row, how) => { Object.assign(row, { state: "waiting", how, onto: how === "update" ? row.taken.id : "" }); draw(row); next(); };

const field = (place) => (K.knows(`field_${place}`) ? K.t(`field_${place}`) : place);
const placeOf = ({ place, count, detail }) => [place, count > 1 && `×${K.number(count)}`, detail && `(${detail})`].filter(Boolean).join(" ");
const placesOf = (notes) =>
  K.el("span", { class: "k-places" }, notes.slice(0, LISTED).map((note) => K.el("code", { text: placeOf(note) })),
    notes.length > LISTED && K.el("span", { text: K.t("card_more_places", { n: notes.length - LISTED }) }));
const listOf = (kind, notes) => {
  const codes = [...new Set(notes.map((note) => note.code))];
  return notes.length > 0 && K.el("details", { "data-kind": kind, open: kind === "mended" }, K.el("summary", { text: K.t(`card_${kind}`, { n: notes.length }) }),
    K.el("ul", {}, codes.map((code) => K.el("li", {}, K.el("span", { text: K.t(`remark_${code}`) }), " ", placesOf(notes.filter((note) => note.code === code))))));
};
const reportOf = ({ report, creator, notes }) =>
  K.el("div", { class: "k-card-report" },
    K.el("p", { class: "k-quiet", text: `${K.t(`form_${report.form}`)} · ${K.t(`container_${report.container}`)}` }),
    creator && K.el("p", { class: "k-quiet", dir: "auto", text: K.t("by_creator", { creator }) }),
    notes.trim() && K.el("details", { "data-kind": "notes" }, K.el("summary", { text: K.t("card_notes") }), K.el("p", { class: "k-card-notes", dir: "auto", tabindex: 0, text: notes.trim() })),
    K.el("details", { "data-kind": "used" }, K.el("summary", { text: K.t("card_used", { n: report.used.length }) }), K.el("p", { class: "k-places" }, report.used.map((place) => K.el("span", { text: field(place) })))),
    listOf("mended", report.mended), listOf("kept", report.kept), listOf("coerced", report.coerced), listOf("dropped", report.dropped),
    report.unlisted > 0 && K.el("p", { class: "k-quiet", text: K.t("card_unlisted", { n: report.unlisted }) }));

const button = (label, act, options = {}) => K.el("button", { class: "k-button", type: "button", text: label, onclick: act, ...options });
const sentence = (taken) => (taken.outcome === "mended" ? "card_mended_first" : `card_${taken.outcome}`);
const told = (row) => {
  const { taken } = row;
  if (row.state === "waiting") return [K.el("p", { class: "k-quiet", text: K.t("card_waiting") })];
  if (row.state === "sending") return [K.el("p", { class: "k-meter" }, K.el("progress", { max: 1, value: row.part, "aria-label": row.file.name }))];
  if (row.state === "refused") return [K.el("p", { class: "k-refusal", role: "alert", dir: "auto", text: K.sentence(row.error) })];
  if (row.state === "left") return [K.el("p", { class: "k-quiet", text: K.t("card_left") })];
  const leave = button(K.t("card_leave"), () => { row.state = "left"; draw(row); });
  const beside = (label) => button(label, () => again(row, "beside"), { "data-how": "beside" });
  const named = taken.report.mended.some((note) => note.code === "named_after_file");
  const name = named && taken.outcome === "mended" && K.el("input", { class: "k-field", value: taken.name, maxlength: 200, dir: "auto", "aria-label": K.t("card_name"), oninput: () => { row.name = name.value.trim(); } });
  const choices = {
    mended: () => [button(K.t("card_take"), () => again(row, "beside"), { class: "k-button k-firmly", "data-how": "beside" }), leave],
    same: () => [beside(K.t("card_once_more")), leave],
    named: () => [button(K.t("card_update"), () => again(row, "update"), { class: "k-button k-firmly", "data-how": "update" }), beside(K.t("card_beside")), leave],
    added: () => [button(K.t("talk"), () => { open?.close(); K.begin(taken.id); }, { class: "k-button k-firmly" })],
  };
  choices.updated = choices.added;
  choices.lorebook = () => [button(K.t("lore_open_book"), () => { open?.close(); K.openLorebooks(taken.id); }, { class: "k-button k-firmly" })];
  return [K.el("p", { role: "status", dir: "auto", text: K.t(sentence(taken), { name: taken.name, there: taken.there }) }),
    name,
    K.shelf?.hides_adult && K.shelf.all.some((one) => one.id === taken.id && one.adult) && K.el("p", { class: "k-quiet", text: K.t("card_hidden") }),
    taken.outcome === "named" && K.el("p", { class: "k-quiet", text: K.t("card_update_means") }),
    K.el("div", { class: "k-choices" }, choices[taken.outcome]()), reportOf(taken)].filter(Boolean);
};
const draw = (row) => {
  if (!open) return;
  row.node ??= K.el("section", { class: "k-card-row" });
  row.node.dataset.state = row.state;
  const inside = row.node.contains(document.activeElement);
  row.node.replaceChildren(K.el("p", { class: "k-file", dir: "auto" }, K.el("b", { text: row.file.name }), " ", K.el("span", { class: "k-quiet", text: size(row.file.size) })), ...told(row));
  if (inside) (row.node.querySelector("button") ?? open.content.querySelector("button"))?.focus({ preventScroll: true });
};
const bar = (row) => { const shown = row.node?.querySelector("progress"); if (shown) shown.value = row.part; };

const picker = () => {
  const input = K.el("input", { type: "file", class: "k-unseen", multiple: true, accept: ".png,.apng,.json,.charx,.jpg,.jpeg,.webp,.avif,.lorebook", tabindex: -1, "aria-hidden": "true",
    onchange: () => { K.takeCards([...input.files]); input.value = ""; } });
  return K.el("div", { class: "k-drop" }, input, K.icon("in"), button(K.t("card_choose"), () => input.click(), { class: "k-button k-firmly", autofocus: true }),
    K.el("p", { class: "k-quiet k-only-fine", text: K.t("card_drop") }));
};
K.openCards = () => {
  K.drawer(null);
  open = K.dialog({ name: "cards", title: K.t("import_cards"), closed: () => { open = null; rows = rows.filter((row) => row === sending); } });
  if (open.content.firstChild) return;
  open.content.append(K.el("p", { class: "k-quiet", text: K.t("import_cards_means") }), picker(), K.el("div", { class: "k-card-rows" }));
  open.content.querySelector("button").focus({ preventScroll: true });
};
// files: in the order in which they come in. chat: why they are no conversation, where that was looked at before.
K.takeCards = (files, chat = null) => {
  if (!open) K.openCards();
  const fresh = files.map((file) => ({ file, chat, state: "waiting", how: "look", part: 0 }));
  rows.push(...fresh);
  for (const row of fresh) { draw(row); open.content.querySelector(".k-card-rows").append(row.node); }
  next();
};

// Out
K.exportCard = (one) => {
  const made = K.dialog({ name: "card", title: K.t("export_character", { name: one.name }), kind: "k-small", body: [K.el("p", { class: "k-quiet", text: K.t("loading") })] });
  const gone = () => !made.node.isConnected;
  const refused = (answer) => { if (!gone()) made.content.replaceChildren(K.el("p", { class: "k-refusal", role: "alert", text: answer ? K.sentence(answer.error) : K.t("no_answer_act") })); };
  trigger("card", { operation: "look", character: one.id, token: K.askCharacters((answer) => {
    if (answer?.shows !== "ways") { refused(answer); return; }
    const box = K.el("input", { type: "checkbox" });
    const leave = (form) => trigger("card", { operation: "export", character: one.id, form, private: box.checked ? "yes" : "", token: K.askCharacters((done) => {
      if (done?.shows === "leaving") made.close();
      else refused(done);
    }) });
    made.content.replaceChildren(
      K.el("div", { class: "k-ways-out" }, answer.forms.map((form) =>
        K.el("button", { class: "k-item", type: "button", "data-form": form, onclick: () => leave(form) }, K.icon("out"),
          K.el("span", {}, K.el("b", { text: K.t(`way_${form}`) }), K.el("small", { text: K.t(`way_${form}_means`) }),
            form === "v2" && answer.left_out.length > 0 && K.el("small", { class: "k-without" }, K.t("way_v2_without"), " ", answer.left_out.slice(0, LISTED).map((place) => K.el("code", { text: place }))),
            form !== "charx" && answer.members > 0 && K.el("small", { class: "k-without", text: K.t("way_without_members", { n: answer.members }) }))))),
      ...(answer.private.length ? [K.el("label", { class: "k-check" }, box, K.el("span", {}, K.t("with_private"), " ", answer.private.map((key) => K.el("code", { text: key }))))] : []));
    made.content.querySelector("button").focus({ preventScroll: true });
  }) });
};
