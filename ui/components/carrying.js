// Memory that goes from one conversation to another: into a new one that begins with it, out as a file, and in from one.
const KINDS = ["fact", "persona", "insight", "plot", "topic"];
const FORMS = ["json", "markdown"];
let arriving = null;      // {chat, n} until the page is at what was begun
let open = null;          // the dialog: {made, way, offer, file, chosen, opened, character, busy, refusal}
const ask = async (act, rest = {}) => {
  try {
    return await (await fetch("keepsake/carrying", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: act, of: K.mindOf(), offset: K.offset(), ...rest }), cache: "no-store" })).json();
  } catch { return { refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
};
const why = (error) => (error.code !== "memory_file_refused" ? K.sentence(error)
  : [K.t(K.knows(`memory_file_${error.params.kind}`) ? `memory_file_${error.params.kind}` : "memory_file_content"), error.params.where, error.params.kind === "content" && error.params.reason].filter(Boolean).join(" · "));

// Where something came along from: the conversation as it is called now, and a way to the round, while it is there.
K.carriedFrom = (one) => {
  const chat = K.shelf?.chats?.find((each) => each.id === one.chat);
  const text = K.t(one.first === one.last ? "carried_from" : "carried_from_span", { title: chat ? chat.title || K.nameOf(chat) : one.title, n: one.first, last: one.last });
  return chat && one.last > 0
    ? K.el("button", { class: "k-link k-carried", type: "button", dir: "auto", title: K.t("carried_go"), onclick: () => K.goTo(chat.id, Math.max(1, one.first)) }, K.icon("out"), K.el("span", { text }))
    : K.el("span", { class: "k-carried k-quiet", dir: "auto", title: chat ? null : K.t("carried_gone") }, K.icon("out"), K.el("span", { text }));
};
K.whence = (item, first, last) => (item.carried ? K.carriedFrom(item.carried) : K.roundLink(first, last));
// What has no place among what is told here: pieces of another story, topics of other conversations.
K.broughtAlong = (items) => (items?.length ? [K.el("section", { class: "k-brought" }, K.el("h3", { text: K.t("carried_heading") }), K.el("ol", { class: "k-memories" }, items.map((one) =>
  K.el("li", { class: `k-memory${one.excluded ? " k-left-out" : ""}`, "data-memory": one.id },
    K.el("header", {}, K.carriedFrom(one.carried), K.el("time", { datetime: one.at, text: K.date(one.at) }), K.memoryDots(one)),
    K.clipped(`brought ${one.id}`, one.text, () => K.redraw("story", "topics"), { letters: 600, lines: 12 }), K.el("footer", {}, K.memoryBadges(one))))))] : []);

// Choosing: kinds with what is in them, each a box of its own.
const living = (one) => one.may && one.state === "living" && !one.there;
const standing = (state) => K.t(state === "former" ? "reason_superseded" : `carried_${state}${open.file ? "_there" : ""}`);
const list = () => {
  const { offer, chosen, opened } = open;
  const groups = KINDS.map((kind) => [kind, offer.things.filter((one) => one.kind === kind)]).filter(([, all]) => all.length);
  const name = (kind) => K.t(`carried_kind_${kind}`);
  const flip = (ids, on) => { ids.forEach((id) => (on ? chosen.add(id) : chosen.delete(id))); fill(); };
  return [
    K.el("ul", { class: "k-offered" }, groups.map(([kind, all]) => {
      const free = all.filter((one) => one.may && !one.there);
      const on = free.filter((one) => chosen.has(one.id)).length;
      const box = K.el("input", { type: "checkbox", "data-kind": kind, disabled: !free.length, checked: free.length > 0 && on === free.length, onchange: (event) => flip((event.target.checked ? free.filter((one) => one.state === "living").length ? free.filter((one) => one.state === "living") : free : free).map((one) => one.id), event.target.checked) });
      box.indeterminate = on > 0 && on < free.length;
      return K.el("li", {},
        K.el("div", { class: "k-offered-kind" },
          K.el("label", { class: "k-check" }, box, K.el("span", {}, K.el("b", { text: name(kind) }), " ", K.el("small", { class: "k-quiet", text: K.t("carried_count", { on, n: all.length }) }))),
          K.el("button", { class: "k-link", type: "button", "aria-expanded": String(opened.has(kind)), "data-unfold": kind, text: K.t(opened.has(kind) ? "collapse" : "carried_choose"), onclick: () => { if (opened.has(kind)) opened.delete(kind); else opened.add(kind); fill(); } })),
        opened.has(kind) && K.el("ul", { class: "k-offered-things" }, all.map((one) => K.el("li", {}, K.el("label", { class: "k-check" },
          K.el("input", { type: "checkbox", "data-thing": one.id, disabled: !one.may || one.there, checked: chosen.has(one.id), onchange: (event) => flip([one.id], event.target.checked) }),
          K.el("span", { dir: "auto", lang: offer.language }, one.key && K.el("b", { text: K.knows(`key_${one.key}`) ? K.t(`key_${one.key}`) : one.key }), one.key && " ", K.lines(one.text), " ",
            K.el("small", { class: "k-quiet", lang: K.locale(), text: [K.t("round", { n: one.first }), K.date(one.at), one.pinned && K.t("pinned"), one.state !== "living" && standing(one.state), one.there && K.t("carried_here"), !one.may && K.t("carried_not_own")].filter(Boolean).join(" · ") })))))));
    })),
    groups.length ? "" : K.el("p", { class: "k-quiet", text: K.t("carried_none") }),
    !open.file && offer.things.some((one) => !one.may) ? K.el("p", { class: "k-quiet", text: K.t("carried_own_means") }) : "",
  ];
};
const counted = () => K.el("p", { class: "k-quiet", role: "status", text: K.t("carried_chosen", { n: open.chosen.size }) });
const choose = () => { open.chosen = new Set(open.offer.things.filter(living).map((one) => one.id)); };

// Ways
const load = async () => {
  const mine = open;
  const news = await ask("look", { chat: K.chat });
  if (open !== mine) return;
  if (news.refused) mine.refusal = why(news.refused);
  else { mine.whole = mine.offer = news.offer; mine.character = news.offer.character_id; choose(); }
  fill();
};
const others = () => K.everybody();
const withCharacter = (id) => {
  open.character = id;
  const same = id === open.whole.character_id;
  open.offer = { ...open.whole, things: open.whole.things.map((one) => ({ ...one, may: same || one.own })) };
  choose();
  fill();
};
// What is sent is done, whether its dialog stays open or not. The answer, or null where it was refused or the page is at another conversation by then.
const sent = async (act, rest) => {
  const mine = open, chat = K.chat;
  mine.busy = true;
  fill();
  const news = await ask(act, { chat, chosen: [...mine.chosen].join(","), ...rest });
  mine.busy = false;
  if (!news.refused) { if (open === mine) mine.made.close(); return K.chat === chat ? news : null; }
  if (open === mine) { mine.refusal = why(news.refused); fill(); } else K.toast(why(news.refused));
  return null;
};
const begin = async () => {
  const n = open.chosen.size, news = await sent("begin", { character: open.character });
  if (!news) return;
  arriving = { chat: news.begun, n };
  trigger("open", { chat: news.begun });
};
// Told where it begins: what is told before is cleared on the way.
K.tellBegun = () => {
  if (arriving?.chat !== K.chat) return;
  K.toast(K.t("did_begin_with", { n: arriving.n }));
  arriving = null;
};
const leave = async (form) => {
  const mine = open;
  const news = await ask("export", { chat: K.chat, form });
  if (news.refused) { if (open === mine) { mine.refusal = why(news.refused); fill(); } return; }
  const link = K.el("a", { href: `keepsake/exports/${encodeURIComponent(news.ticket)}`, download: news.name });
  document.body.append(link);
  link.click();
  link.remove();
  if (open === mine) mine.made.close();
  K.toast(K.t("memory_exported", { name: news.name }));
};
const read = async (file) => {
  const mine = open;
  mine.refusal = "";
  if (file.size > K.house.most_memory_bytes) { mine.refusal = K.t("memory_file_large"); fill(); return; }
  const text = await file.text();
  const news = await ask("read", { chat: K.chat, file: text });
  if (open !== mine) return;
  if (news.refused) mine.refusal = why(news.refused);
  else { mine.file = { name: file.name, text }; mine.offer = news.offer; choose(); }
  fill();
};
const take = async () => {
  const news = await sent("take", { file: open.file.text, edition: K.story.edition });
  if (!news) return;
  K.story = { ...K.story, edition: news.taken.edition, ...(news.taken.new ? { undo: "bring", redo: "" } : {}) };
  K.redraw("masthead");
  K.askSheet?.();
  K.toast(K.t(news.taken.new ? "did_bring" : "did_bring_nothing", { n: news.taken.new, there: news.taken.there }), news.taken.new ? { label: K.t("undo"), act: () => K.undo() } : null);
};

const ways = () => K.el("div", { class: "k-switch k-carrying-ways", role: "group", "aria-label": K.t("carrying") }, ["begin", "export", "import"].map((way) =>
  K.el("button", { type: "button", "aria-pressed": String(open.way === way), "data-way": way, text: K.t(`carrying_${way}`), onclick: () => { Object.assign(open, { way, refusal: "", file: null, offer: open.whole }); if (open.whole) withCharacter(open.whole.character_id); else fill(); } })));
const bodies = {
  begin: () => [K.el("p", { class: "k-quiet", text: K.t("carrying_begin_means", { name: open.offer.character }) }),
    K.el("label", { class: "k-carrying-with" }, K.el("span", { text: K.t("carrying_with") }), K.el("select", { class: "k-field", id: "k-carrying-with", onchange: (event) => withCharacter(event.target.value) },
      (others().some((one) => one.id === open.whole.character_id) ? others() : [{ id: open.whole.character_id, name: open.whole.character }, ...others()]).map((one) => K.el("option", { value: one.id, selected: one.id === open.character, text: one.name })))),
    ...list(), counted(),
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => open.made.close() }),
      K.el("button", { class: "k-button k-firmly", type: "button", "data-act": "begin", disabled: open.busy || !open.chosen.size, text: K.t("carrying_do_begin"), onclick: begin }))],
  export: () => [K.el("p", { class: "k-quiet", text: K.t("carrying_export_means", { n: open.offer.things.length }) }),
    K.el("ul", { class: "k-forms" }, FORMS.map((form) => K.el("li", {}, K.el("button", { class: "k-hit", type: "button", "data-choice": form, onclick: () => leave(form) },
      K.el("b", { text: K.t(`memory_form_${form}`) }), K.el("span", { class: "k-quiet", text: K.t(`memory_form_${form}_means`) })))))],
  import: () => {
    const input = K.el("input", { type: "file", class: "k-unseen", tabindex: -1, "aria-hidden": "true", accept: ".json,application/json", onchange: () => { if (input.files[0]) read(input.files[0]); } });
    const picker = [input, K.el("div", { class: "k-choices" }, K.el("button", { class: open.file ? "k-button" : "k-button k-firmly", type: "button", text: K.t("memory_choose_file"), onclick: () => input.click() }),
      open.file && K.el("button", { class: "k-button k-firmly", type: "button", "data-act": "take", disabled: open.busy || !open.chosen.size, text: K.t("carrying_do_import"), onclick: take }))];
    if (!open.file) return [K.el("p", { class: "k-quiet", text: K.t("carrying_import_means") }), ...picker];
    return [K.el("p", { class: "k-file", dir: "auto" }, K.el("b", { text: open.file.name })),
      K.el("p", { class: "k-quiet", dir: "auto", text: K.t(open.offer.same ? "carrying_found" : "carrying_found_other", { title: open.offer.title, name: open.offer.character, n: open.offer.things.length }) }), ...list(), counted(), ...picker];
  },
};
const fill = () => {
  if (!open) return;
  const focused = open.made.content.contains(document.activeElement) ? document.activeElement : null;
  const mark = focused && ["kind", "thing", "unfold", "way", "act"].filter((name) => focused.dataset[name]).map((name) => `[data-${name}="${CSS.escape(focused.dataset[name])}"]`)[0];
  const scrolled = open.made.content.scrollTop;
  open.made.content.replaceChildren(ways(), ...[open.refusal && K.el("div", { class: "k-refusal", role: "alert" }, K.el("p", { text: open.refusal })),
    ...(open.whole ? bodies[open.way]() : [!open.refusal && K.el("p", { class: "k-quiet", role: "status", text: K.t("loading") })])].filter(Boolean));
  open.made.content.scrollTop = scrolled;
  (mark ? open.made.content.querySelector(mark) : focused?.id ? document.getElementById(focused.id) : null)?.focus({ preventScroll: true });
};
K.openCarrying = (way = "begin") => {
  if (!K.chat) return;
  open = { way, whole: null, offer: null, file: null, chosen: new Set(), opened: new Set(), character: "", busy: false, refusal: "" };
  open.made = K.dialog({ name: "carrying", title: K.t("carrying"), kind: "k-carrying", closed: () => { open = null; } });
  fill();
  load();
};
