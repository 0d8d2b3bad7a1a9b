// A conversation as a file: one that leaves, and one that comes in. Files go straight between disk and server, never through the page's own values.
let seen = null;
let open = null;         // the dialog, if it is there
let coming = null;       // {file, request, stage, done, total} while a file comes in
let refusal = null;      // {sentence, reason} of the last one
let arriving = null;     // {chat, copy, there, name} until the page is at it
let asking = null;       // {file, found, choice, there} of another program's file: what it holds, until it is said what is wanted of it

const size = (bytes) => (bytes < 1e6 ? K.t("size_kb", { n: Math.max(1, Math.round(bytes / 1e3)) }) : K.t("size_mb", { size: K.number(bytes / 1e6, 1) }));

// Out. chat: a conversation, or nothing where none is open: then all that is one's own.
const FORMS = ["bundle", "jsonl", "markdown", "text"];
K.exportChat = (chat) => {
  const leave = (form) => {
    made.close();
    K.toast(K.t("exporting"));
    trigger("export", { of: chat.id, form });
  };
  const made = K.dialog({
    name: "export", title: K.t(chat ? "export_chat" : "export"), kind: "k-small",
    body: [chat && K.el("ul", { class: "k-forms" }, FORMS.map((form, at) => K.el("li", {},
      K.el("button", { class: "k-hit", type: "button", autofocus: at === 0, "data-choice": form, onclick: () => leave(form) },
        K.el("b", { text: K.t(`export_${form}`) }), K.el("span", { class: "k-quiet", text: K.t(`export_${form}_means`) }))))), everythingOut(() => made.close())].filter(Boolean),
  });
};
// Not of one conversation: all that is one's own, as one archive.
const everythingOut = (before) => K.el("p", { class: "k-everything" },
  K.el("button", { class: "k-link", type: "button", "data-choice": "everything", text: K.t("export_everything"), onclick: () => { before(); K.toast(K.t("exporting")); trigger("export", { of: "", form: "everything" }); } }),
  K.el("span", { class: "k-quiet", text: K.t("export_everything_means") }));
const fetchFile = (value) => {
  const link = K.el("a", { href: `keepsake/exports/${encodeURIComponent(value.ticket)}`, download: value.name });
  document.body.append(link);
  link.click();
  link.remove();
  K.clearToasts();
  K.toast(K.t("exported", { name: value.name, size: size(value.size) }));
  if (value.left_out?.length) tellLeftOut(value);
};
// What should be in an archive and is not stays in sight until it is read.
const tellLeftOut = ({ name, left_out }) => {
  const made = K.dialog({
    name: "left-out", title: K.t("unwritten_title"), kind: "k-small",
    body: [K.el("p", { text: K.t("unwritten_means", { name }) }),
      K.el("ul", { class: "k-points" }, left_out.map((one) => K.el("li", {},
        K.el("b", { dir: "auto", text: one.name || K.t(`unwritten_${one.kind}`) }), " ", K.el("span", { class: "k-quiet", text: K.t(`unwritten_${one.kind}`) }),
        K.el("p", { class: "k-quiet", text: K.sentence(one.why) })))),
      K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button k-firmly", type: "button", autofocus: true, text: K.t("got_it"), onclick: () => made.close() }))],
  });
};

// In
const refused = (sentence, reason = "") => {
  refusal = { sentence, reason };
  coming = null;
  if (open) fill();
  else K.openImport();
};
const why = (error, file = null) => {
  if (error.code === "import_refused" && file && K.isCard(file)) {
    coming = null;
    open?.close();
    K.takeCards([file], error);
    return undefined;
  }
  if (error.code !== "import_refused") return refused(K.sentence(error));
  const { kind, where, reason, why: told } = error.params;
  if (told) return refused(K.t("import_not_read"), [where && K.placeIn(where), K.told({ ...told, text: reason })].filter(Boolean).join(" · "));
  const line = Number(/^line (\d+)$/.exec(where)?.[1] ?? 0);
  const sentence = K.t(K.knows(`refused_${kind}`) ? `refused_${kind}` : "refused_content");
  // What is no bundle at all is not told about its lines.
  return refused(sentence, kind === "strange" ? "" : [line > 0 && K.t("refused_line", { n: line }), reason].filter(Boolean).join(" "));
};
const arrived = ({ chat, copy, there }, file) => {
  coming = null;
  if (there && open) { Object.assign(asking, { there: chat }); fill(); return; }
  asking = null;
  arriving = { chat, copy, there, name: file.name };
  if (open) {
    open.close();
    trigger("open", { chat });
    return;
  }
  // Whoever closed the dialog went on with something else: they are told, and not moved.
  K.arrange("look", {}, () => K.toast(told(), { label: K.t("import_open"), act: () => trigger("open", { chat }) }));
};
const told = () => K.t(arriving.there ? "import_there" : arriving.copy ? "imported_copy" : "imported", { name: arriving.name });
const lineOf = (text) => {
  try { return JSON.parse(text.trimEnd().split("\n").at(-1)); } catch { return null; }   // a line that is still on its way
};
// choice: of another program's file, what is wanted of it; without one the server says what it holds. asked: it was no card either.
const begin = (file, choice = null, asked = false) => {
  if (coming) return;
  refusal = null;
  if (!choice) asking = null;
  if (file.size > K.house.most_bytes) { refused(K.t("refused_large")); return; }
  const request = new XMLHttpRequest();
  const mine = { file, request, stage: "sending", done: 0, total: file.size };
  coming = mine;
  const now = () => coming === mine;
  const show = (news) => { if (now()) { Object.assign(mine, news); progress(); } };
  request.upload.addEventListener("progress", (event) => show({ done: event.loaded, total: event.total }));
  request.addEventListener("progress", () => {
    const news = lineOf(request.responseText);
    if (news?.stage) show(news);
  });
  request.addEventListener("load", () => {
    if (!now()) return;
    const end = request.status === 200 ? lineOf(request.responseText) : null;
    if (end?.chat) arrived(end, file);
    else if (end?.found) ask(file, end.found);
    else if (end?.error) why(end.error, choice || asked ? null : file);
    else refused(K.t("error_unexpected"));
  });
  request.addEventListener("error", () => { if (now()) refused(K.t("import_broken")); });
  request.open("POST", `keepsake/imports?${new URLSearchParams({ file: file.name, modified: file.lastModified, ...(choice ? { ...choice, take: "yes" } : {}) })}`);
  request.setRequestHeader("Content-Type", "application/x-ndjson");
  request.send(file);
  fill();
};
const ask = (file, found) => {
  coming = null;
  asking = { file, found, choice: null, there: "" };
  if (!open) K.openImport();
  else fill();
};
const take = (choice) => {
  asking.choice = choice;
  asking.there = "";
  begin(asking.file, choice);
};
// What has come in whole by then stays; the list shows it.
const cancel = () => {
  const { request } = coming;
  coming = null;
  request.abort();
  K.arrange("look", {}, () => {});
  K.toast(K.t("import_cancelled"));
  fill();
};

// A card that was chosen here goes where cards go.
const choose = (file) => {
  if (!K.isCard(file) || K.mayBeEither(file)) { begin(file); return; }
  open?.close();
  K.takeCards([file]);
};
// A file that is no card; refusal: why it is no conversation, where that is known already. False while another comes in.
K.takeChat = (file, refusal = null) => {
  if (coming) return false;
  if (!open) K.openImport();
  if (refusal) why(refusal);
  else begin(file, null, true);
  return true;
};

// The dialog
const stages = ["sending", "checking", "writing"];
const progress = () => {
  const bar = open?.content.querySelector("progress");
  if (!bar) return;
  // Each stage reads the whole file once.
  bar.value = (stages.indexOf(coming.stage) + (coming.total > 0 ? coming.done / coming.total : 0)) / stages.length;
  open.content.querySelector("[role=status]").textContent = K.t(`stage_${coming.stage}`);
};
const fileLine = (file) => [K.el("p", { class: "k-file", dir: "auto" }, K.el("b", { text: file.name }), " ", K.el("span", { class: "k-quiet", text: size(file.size) }))];
const picker = () => {
  const input = K.el("input", { type: "file", class: "k-unseen", tabindex: -1, "aria-hidden": "true", onchange: () => { if (input.files[0]) choose(input.files[0]); } });
  return K.el("div", { class: "k-drop" }, input,
    K.icon("in"),
    K.el("button", { class: "k-button k-firmly", type: "button", autofocus: true, text: K.t("import_choose"), onclick: () => input.click() }),
    K.el("p", { class: "k-quiet k-only-fine", text: K.t("import_drop") }));
};
const thereAlready = () => [K.el("p", { text: K.t("import_there_already") }),
  K.el("div", { class: "k-choices" },
    K.el("button", { class: "k-button", type: "button", "data-choice": "beside", text: K.t("import_beside"), onclick: () => take({ ...asking.choice, beside: "yes" }) }),
    K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("import_open"), onclick: () => { const chat = asking.there; open.close(); trigger("open", { chat }); } }))];
const fill = () => {
  if (!open) return;
  open.node.classList.toggle("k-small", !asking || Boolean(coming));
  if (asking && !coming && !refusal) {
    if (asking.there) open.content.replaceChildren(...fileLine(asking.file), ...thereAlready());
    else {
      open.content.replaceChildren(...fileLine(asking.file), K.whoIsWho(asking.found, { take, back: () => { asking = null; fill(); } }));
      open.content.scrollTop = 0;
    }
    open.content.querySelector("select, button").focus({ preventScroll: true });
    return;
  }
  open.content.replaceChildren(...(coming
    ? [...fileLine(coming.file),
      K.el("p", { class: "k-meter k-import-meter" }, K.el("progress", { max: 1, "aria-label": K.t("import_chat") })),
      K.el("p", { class: "k-quiet", role: "status" }),
      K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: cancel }))]
    : [refusal && K.el("div", { class: "k-refusal", role: "alert" }, K.el("p", { text: refusal.sentence }),
        refusal.reason && K.el("p", { class: "k-task-error", dir: "auto", text: refusal.reason }),
        K.el("p", { class: "k-quiet", text: K.t("refused_nothing") }),
        asking && K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("import_back"), onclick: () => { refusal = null; fill(); } }))),
      K.el("p", { class: "k-quiet", text: K.t("import_means") }), picker()].filter(Boolean)));
  if (coming) progress();
  open.content.querySelector("button").focus({ preventScroll: true });
};
K.openImport = () => {
  K.drawer(null);
  open = K.dialog({ name: "import", title: K.t("import_chat"), kind: "k-small", closed: () => { open = null; refusal = null; if (!coming) asking = null; } });
  fill();
};

// A file may be dropped anywhere: without this the browser would leave the page for it.
const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
const over = (is) => { if (is) document.body.dataset.kDropping = "yes"; else delete document.body.dataset.kDropping; };
document.addEventListener("dragover", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = coming ? "none" : "copy";
  over(!coming);
});
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
document.addEventListener("drop", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  over(false);
  const files = [...event.dataTransfer.files];
  if (!K.house || !files.length) return;
  const file = files.find((one) => !K.isCard(one)) ?? (files.length === 1 && !coming && K.mayBeEither(files[0]) ? files[0] : null);
  if (!file) {
    K.takeCards(files);
    return;
  }
  if (coming) return;
  if (!open) K.openImport();
  begin(file);
});
const veil = K.el("div", { class: "k-veil", "aria-hidden": "true" }, K.icon("in"), K.el("p", {}));

K.surface("portable", { element, props, watch }, (_, value) => {
  veil.lastChild.textContent = K.t("import_drop_anywhere");
  if (!veil.parentElement) document.getElementById("k-house")?.append(veil);
  if (value && value.n !== seen) {
    seen = value.n;
    fetchFile(value);
  }
  if (arriving && arriving.chat === K.chat) {
    K.toast(told());
    arriving = null;
  }
});
