// The reader's own lorebooks: a list, a book with its entries and where it is read, an entry as a form.
const ANSWER_MS = 15000;
const MOST_SHOWN = 300;   // entries drawn at once; the box above them finds the others
const LOGICS = ["any", "not_all", "not_any", "all"];
const PLACES = ["before_char", "after_char", "at_depth"];
const ROLES = ["", "user", "assistant", "system"];
const asked = new Map();
let answered = null;
let dialog = null;
let at = null;         // the book that is shown, or null at the list
let sought = "";
let typed = "";        // an entry's form as it was opened
let held = 0;          // the state of the book that the form was opened on

const button = (text, act, options = {}) => K.el("button", { class: "k-button", type: "button", text, onclick: act, ...options });
// rest: what the operation needs; then: called with the answer unless it was refused; failed: with the error.
const ask = (operation, rest, then, failed = (error) => K.toast(K.sentence(error))) => {
  const token = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const timer = setTimeout(() => { if (asked.delete(token)) K.complain("no_answer_act"); }, ANSWER_MS);
  asked.set(token, (answer) => {
    clearTimeout(timer);
    if (answer.shows === "refused") failed(answer.error);
    else then(answer);
  });
  trigger("lore", { operation, token, ...rest });
};
const show = (answer) => {
  if (!dialog) return;
  if (at?.id !== answer.book?.id) sought = "";
  at = answer.book;
  if (at) bookView(answer);
  else listView(answer);
};
const look = (book = "") => ask("look", { book }, show);
const fresh = (...children) => {
  dialog.content.replaceChildren(...children.flat().filter(Boolean));
  dialog.content.scrollTop = 0;
  dialog.content.querySelector("button, input")?.focus({ preventScroll: true });
};
const nameOf = (id) => [...(K.shelf?.all ?? []), ...(K.house?.characters ?? [])].find((one) => one.id === id)?.name;
const readIn = (book) => [book.everywhere && K.t("lore_everywhere"), ...book.characters.map(nameOf).filter(Boolean),
  ...book.chats.map((id) => K.shelf?.chats.find((chat) => chat.id === id)).filter(Boolean).map((chat) => `“${chat.title || chat.character}”`)].filter(Boolean).join(", ");
const choose = () => {
  const input = K.el("input", { type: "file", class: "k-unseen", multiple: true, accept: ".json", tabindex: -1, "aria-hidden": "true",
    onchange: () => { const files = [...input.files]; dialog.close(); K.takeCards(files); } });
  return [input, button(K.t("lore_import"), () => input.click())];
};

// The list
const listView = ({ books, removed }) => {
  dialog.title(K.t("lorebooks"));
  fresh(
    K.el("p", { class: "k-quiet", text: K.t("lore_means") }),
    K.el("div", { class: "k-choices k-lore-tools" }, button(K.t("lore_new"), create, { class: "k-button k-firmly", "data-lore-act": "create" }), ...choose()),
    books.length > 0
      ? K.el("ul", { class: "k-lorebooks" }, books.map((book) => K.el("li", {},
          K.el("button", { class: "k-hit", type: "button", "data-book": book.id, onclick: () => look(book.id) },
            K.el("b", { dir: "auto", text: book.name }), K.el("span", { class: "k-quiet", dir: "auto", text: `${K.t("lore_entries", { n: book.entries })} · ${readIn(book) || K.t("lore_nowhere")}` })))))
      : K.el("p", { class: "k-empty", text: K.t("lore_none") }),
    removed.length > 0 && K.el("details", {}, K.el("summary", { text: K.t("lore_removed", { n: removed.length }) }),
      K.el("ul", { class: "k-lorebooks" }, removed.map((book) => K.el("li", { class: "k-lore-removed" }, K.el("span", { dir: "auto", text: book.name }), " ",
        K.el("button", { class: "k-link", type: "button", text: K.t("restore"), onclick: () => ask("restore", { book: book.id }, show) }), " ",
        K.el("button", { class: "k-link", type: "button", text: K.t("erase"), onclick: () => erase(book) }))))));
};
const create = async () => {
  const title = await K.prompt({ title: K.t("lore_new"), label: K.t("field_name"), act: K.t("lore_make") });
  if (title) ask("create", { title }, show);
};
const erase = async (book) => {
  if (await K.confirm({ title: K.t("lore_erase", { name: book.name }), text: K.t("lore_erase_means"), act: K.t("erase"), danger: true })) ask("erase", { book: book.id }, show);
};

// A book
const back = (text, act) => K.el("button", { class: "k-link k-lore-back", type: "button", "data-lore-act": "back", onclick: act }, K.icon("left"), K.el("span", { text }));
const tick = (label, value, change, options = {}) => {
  const box = K.el("input", { type: "checkbox", onchange: () => change(box.checked), ...options });
  box.checked = value;
  return K.el("label", { class: "k-check" }, box, K.el("span", { dir: "auto", text: label }));
};
// An entry that was opened meanwhile stays open, with what was typed into it.
const attach = (mode, target, on) => ask("attach", { book: at.id, mode, target, on: on ? "yes" : "" }, (answer) => {
  if (written() === "") return show(answer);
  if (held === at.stamp) held = answer.book.stamp;
  at = answer.book;
});
const whereRead = () => {
  const here = K.here();
  const add = K.el("select", { class: "k-field", "aria-label": K.t("lore_add_character"), onchange: () => { if (add.value) attach("character", add.value, true); } },
    K.el("option", { value: "", text: K.t("lore_add_character") }),
    [...(K.shelf?.own ?? []), ...(K.house?.characters ?? [])].filter((one) => !at.characters.includes(one.id)).map((one) => K.el("option", { value: one.id, text: one.name })));
  return K.el("section", { class: "k-lore-where" }, K.el("h3", { text: K.t("lore_where") }),
    tick(K.t("lore_everywhere"), at.everywhere, (on) => attach("all", "", on), { "data-lore-in": "all" }),
    here && tick(K.t("lore_here", { title: here.title || here.character }), at.chats.includes(here.id), (on) => attach("chat", here.id, on), { "data-lore-in": "chat" }),
    at.chats.filter((id) => id !== here?.id).map((id) => K.shelf?.chats.find((chat) => chat.id === id)).filter(Boolean).map((chat) => tick(K.t("lore_there", { title: chat.title || chat.character }), true, (on) => attach("chat", chat.id, on))),
    at.characters.filter(nameOf).map((id) => tick(K.t("lore_with", { name: nameOf(id) }), true, (on) => attach("character", id, on))), add);
};
const number = (name, label, value, hint = "") => {
  const box = K.el("input", { id: `k-lore-${name}`, class: "k-field", type: "number", min: 0, "data-lore": name });
  if (value !== null && value !== undefined) box.value = value;
  return part(name, label, box, hint);
};
const part = (name, label, box, hint = "") => K.el("div", { class: "k-part" }, K.el("div", { class: "k-part-head" }, K.el("label", { for: `k-lore-${name}`, text: label })),
  hint && K.el("p", { class: "k-quiet", text: hint }), box);
const text = (name, label, value, { rows = 0, hint = "" } = {}) => {
  const box = K.el(rows ? "textarea" : "input", { id: `k-lore-${name}`, class: "k-field", dir: "auto", autocomplete: "off", rows: rows || null, "data-lore": name });
  box.value = value;
  return part(name, label, box, hint);
};
const list = (name, label, options, value) => {
  const box = K.el("select", { id: `k-lore-${name}`, class: "k-field", "data-lore": name }, options.map(([key, words]) => K.el("option", { value: key, text: words })));
  box.value = value;
  return part(name, label, box);
};
const read = (name) => dialog.content.querySelector(`[data-lore=${name}]`);
const numberOf = (name) => (read(name).value.trim() === "" ? -1 : Number(read(name).value));
const yes = (name) => (read(name).checked ? "yes" : "");

const settings = () => {
  const { name, description, scan_depth, token_budget, recursive_scanning } = at.settings;
  return K.el("details", { class: "k-lore-settings" }, K.el("summary", { text: K.t("lore_settings") }), K.el("div", { class: "k-lore-form" },
    text("title", K.t("field_name"), name), text("description", K.t("lore_description"), description, { rows: 2 }),
    K.el("div", { class: "k-lore-row" }, number("scan_depth", K.t("lore_scan_depth"), scan_depth, K.t("lore_scan_depth_means")), number("token_budget", K.t("lore_budget"), token_budget, K.t("lore_budget_means"))),
    tick(K.t("lore_recursive"), recursive_scanning, () => {}, { "data-lore": "recursive" }),
    K.el("div", { class: "k-choices" }, button(K.t("save"), () => ask("settle", { book: at.id, stamp: at.stamp, title: read("title").value, description: read("description").value,
      scan_depth: numberOf("scan_depth"), token_budget: numberOf("token_budget"), recursive: yes("recursive") }, (answer) => { show(answer); K.toast(K.t("lore_saved")); }), { class: "k-button k-firmly" }))));
};
const lineOf = (one) => K.el("li", {}, K.el("button", { class: `k-hit${one.enabled ? "" : " k-lore-off"}`, type: "button", "data-entry": one.n, onclick: () => edit(one.n) },
  K.el("b", { dir: "auto", text: one.name || one.keys[0] || K.t("lore_entry", { n: one.n }) }),
  K.el("span", { class: "k-quiet", dir: "auto", text: [!one.enabled && K.t("lore_off"), one.constant ? K.t("lore_always") : one.keys.join(", ")].filter(Boolean).join(" · ") }),
  one.unusable.length > 0 && K.el("span", { class: "k-fault", dir: "auto", text: K.t("lore_unusable", { key: one.unusable[0] }) })));
const entries = () => {
  const rows = K.el("ul", { class: "k-lorebooks" });
  const more = K.el("p", { class: "k-quiet", role: "status" });
  const draw = () => {
    const wanted = sought.trim().toLocaleLowerCase();
    const found = at.lines.filter((one) => !wanted || [one.name, ...one.keys].some((words) => words.toLocaleLowerCase().includes(wanted)));
    rows.replaceChildren(...found.slice(0, MOST_SHOWN).map(lineOf));
    more.textContent = found.length > MOST_SHOWN ? K.t("lore_more", { n: found.length - MOST_SHOWN }) : at.lines.length && !found.length ? K.t("lore_no_entry") : at.lines.length ? "" : K.t("lore_empty");
  };
  const box = K.el("input", { class: "k-field k-seek", type: "search", "aria-label": K.t("lore_seek"), placeholder: K.t("lore_seek"), oninput: () => { sought = box.value; draw(); } });
  box.value = sought;
  draw();
  return K.el("section", {}, K.el("header", { class: "k-lore-head" }, K.el("h3", { text: K.t("lore_entries", { n: at.lines.length }) }),
    button(K.t("lore_new_entry"), () => entryView({ number: 0, stamp: at.stamp, written: BLANK }), { "data-lore-act": "entry" })), at.lines.length > 8 && box, rows, more);
};
const bookView = () => {
  dialog.title(at.name);
  fresh(back(K.t("lorebooks"), () => look()), whereRead(), settings(), entries(),
    K.el("div", { class: "k-choices" },
      button(K.t("lore_out_world"), () => leave("world")), button(K.t("lore_out_v3"), () => leave("v3")),
      button(K.t("lore_remove"), () => {
        const { id, name } = at;
        ask("remove", { book: id }, (answer) => { show(answer); K.toast(K.t("lore_did_remove", { name }), { label: K.t("undo"), act: () => ask("restore", { book: id }, show) }); });
      }, { class: "k-button k-grave" })));
};
const leave = (form) => ask("export", { book: at.id, form }, () => {});

// An entry
const BLANK = { comment: "", keys: [], secondary_keys: [], logic: "any", content: "", enabled: true, constant: false, insertion_order: 100, probability: 100, place: "before_char", depth: null,
  role: "", scan_depth: null, case_sensitive: false, whole_words: false, recurses: true, recursed_into: true };
const edit = (n) => {
  const book = at.id;
  ask("entry", { book, entry: n }, ({ entry }) => { if (dialog && at?.id === book) entryView(entry); });   // who has gone on meanwhile is left alone
};
const entryView = ({ number: n, stamp, written: w }) => {
  const says = K.el("p", { class: "k-fault", role: "alert" });
  held = stamp;
  const gone = async () => { if (await mayLeave()) bookView(); };
  const keep = () => ask("keep", { book: at.id, entry: n, stamp: held, comment: read("comment").value, keys: read("keys").value, secondary_keys: read("secondary_keys").value, logic: read("logic").value,
    content: read("content").value, enabled: yes("enabled"), constant: yes("constant"), insertion_order: Math.max(0, numberOf("insertion_order")), probability: numberOf("probability") < 0 ? 100 : numberOf("probability"),
    place: read("place").value, depth: numberOf("depth"), role: read("role").value, scan_depth: numberOf("entry_scan_depth"), case_sensitive: yes("case_sensitive"), whole_words: yes("whole_words"),
    recurses: yes("recurses"), recursed_into: yes("recursed_into") },
  (answer) => { show(answer); K.toast(K.t("lore_saved")); }, (error) => { says.textContent = K.sentence(error); });
  // Places of other programs that are none of ours are kept as long as nobody chooses another.
  const places = PLACES.includes(w.place) ? PLACES : [...PLACES, w.place];
  dialog.title(w.comment || w.keys[0] || K.t("lore_new_entry"));
  fresh(back(at.name, gone), K.el("div", { class: "k-lore-form" },
    text("comment", K.t("lore_title"), w.comment),
    text("keys", K.t("lore_keys"), w.keys.join("\n"), { rows: 3, hint: K.t("lore_keys_means") }),
    text("content", K.t("lore_content"), w.content, { rows: 7, hint: K.t("lore_content_means") }),
    tick(K.t("lore_enabled"), w.enabled, () => {}, { "data-lore": "enabled" }), tick(K.t("lore_constant"), w.constant, () => {}, { "data-lore": "constant" }),
    K.el("div", { class: "k-lore-row" }, list("place", K.t("lore_place"), places.map((place) => [place, K.knows(`place_lore_${place}`) ? K.t(`place_lore_${place}`) : place]), w.place),
      number("depth", K.t("lore_depth"), w.depth), list("role", K.t("lore_role"), ROLES.map((role) => [role, K.t(`role_lore_${role || "none"}`)]), w.role)),
    K.el("p", { class: "k-quiet", text: K.t("lore_depth_means") }),
    K.el("details", {}, K.el("summary", { text: K.t("lore_further") }), K.el("div", { class: "k-lore-form" },
      text("secondary_keys", K.t("lore_secondary"), w.secondary_keys.join("\n"), { rows: 2 }),
      list("logic", K.t("lore_logic"), LOGICS.map((logic) => [logic, K.t(`logic_${logic}`)]), w.logic),
      K.el("div", { class: "k-lore-row" }, number("insertion_order", K.t("lore_order"), w.insertion_order), number("probability", K.t("lore_probability"), w.probability), number("entry_scan_depth", K.t("lore_scan_depth"), w.scan_depth)),
      tick(K.t("lore_case"), w.case_sensitive, () => {}, { "data-lore": "case_sensitive" }), tick(K.t("lore_words"), w.whole_words, () => {}, { "data-lore": "whole_words" }),
      tick(K.t("lore_recurses"), w.recurses, () => {}, { "data-lore": "recurses" }), tick(K.t("lore_recursed"), w.recursed_into, () => {}, { "data-lore": "recursed_into" }))),
    says,
    K.el("div", { class: "k-choices" }, n > 0 && button(K.t("lore_drop"), () => ask("drop", { book: at.id, entry: n, stamp: held }, show), { class: "k-button k-grave" }),
      button(K.t("cancel"), gone), button(K.t("save"), keep, { class: "k-button k-firmly", "data-lore-act": "save" }))));
  typed = written();
  read(n ? "content" : "comment").focus({ preventScroll: true });
};
// What stands in an entry's form; empty where none is open.
const written = () => (dialog?.content.querySelector("[data-lore=content]") ? JSON.stringify([...dialog.content.querySelectorAll("[data-lore]")].map((box) => (box.type === "checkbox" ? box.checked : box.value))) : "");
const unsaved = () => written() !== "" && written() !== typed;
const mayLeave = async () => !unsaved() || K.confirm({ title: K.t("unsaved_title"), text: K.t("lore_unsaved"), act: K.t("lore_leave"), danger: true });

// book: to open at once.
K.openLorebooks = (book = "") => {
  K.drawer(null);
  dialog = K.dialog({ name: "lorebooks", title: K.t("lorebooks"), body: [K.el("p", { class: "k-quiet", text: K.t("loading") })], closed: () => { dialog = null; at = null; },
    may: () => {
      if (!unsaved()) return true;
      mayLeave().then((may) => { if (may) dialog?.close(); });
      return false;
    } });
  look(book);
};
K.surface("lorebooks", { element, props, watch }, (_, value) => {
  if (!value || value.n === answered) return;
  answered = value.n;
  const then = asked.get(value.token);
  asked.delete(value.token);
  then?.(value);
});
