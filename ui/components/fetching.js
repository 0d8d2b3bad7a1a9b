// Models in files: what lies in the folder, and what can be fetched from the hub.
const M = K.models;
const size = (bytes) => (bytes >= 1e9 ? K.t("gigabytes", { size: K.number(bytes / 1e9, 2) }) : K.t("megabytes", { size: K.number(bytes / 1e6, 0) }));
const under = ["asking", "fetching", "checking"];

const fileRow = (file) => {
  const used = M.value.house.connections.find((one) => one.kind === "file" && one.model === file.name);
  const facts = file.readable ? [size(file.size), file.window ? K.t("file_window", { n: file.window }) : "", file.licence ? K.t("file_licence", { licence: file.licence }) : ""] : [size(file.size)];
  return K.el("li", { class: "k-way", "data-file": file.name },
    K.el("div", { class: "k-way-head" }, K.el("b", { dir: "auto", text: file.name })),
    K.el("p", { class: "k-quiet", text: facts.filter(Boolean).join(" · ") }),
    file.readable && file.chats ? "" : K.el("p", { class: "k-degraded", role: "note", text: K.t(file.readable ? "file_no_chat" : "file_unreadable") }),
    file.readable && file.chats && K.el("div", { class: "k-row-tools" }, used
      ? K.el("button", { class: "k-button", type: "button", "data-choice": `edit ${file.name}`, text: K.t("way_edit"), onclick: () => { M.show("connections"); M.edit(used); } })
      : K.el("button", { class: "k-button", type: "button", "data-choice": `use ${file.name}`, text: K.t("file_use"), onclick: () => { M.show("connections"); M.edit({ kind: "file", model: file.name, name: file.name.replace(/\.gguf$/, ""), context_tokens: Math.min(8192, file.window || 8192) }); } })));
};
const progress = (fetch) => K.el("p", { class: "k-meter k-import-meter" },
  K.el("progress", { max: fetch.total || 1, value: fetch.total ? fetch.done : null, "aria-label": K.t("fetch_progress") }),
  K.el("span", { text: K.t(`fetch_${fetch.phase}`, { done: size(fetch.done), total: size(fetch.total) }) }));
const get = async (offer) => {
  const sure = await K.confirm({ title: K.t("fetch_title", { name: offer.name }), text: K.t("fetch_means", { size: size(offer.size), host: M.value.house.hub, repo: offer.repo }),
    points: [K.t("fetch_licence", { licence: offer.licence }), K.t("fetch_checksum"), K.t("fetch_free", { size: size(M.value.house.free) })], act: K.t("fetch_do") });
  if (sure) M.act("fetch", { offer: offer.id });
};
const offerRow = (offer) => {
  const fetch = offer.fetch;
  const running = fetch && under.includes(fetch.phase);
  const busy = Boolean(M.busy()) || M.value.house.offers.some((one) => one.fetch && under.includes(one.fetch.phase));
  const button = (act, label, does, off) => K.el("button", { class: "k-button", type: "button", "data-choice": `${act} ${offer.id}`, disabled: off, text: K.t(label), onclick: does });
  return K.el("li", { class: "k-way", "data-offer": offer.id },
    K.el("div", { class: "k-way-head" }, K.el("b", { text: offer.name }), K.el("span", { class: "k-badge", text: offer.licence }), offer.languages.map((code) => K.el("span", { class: "k-badge", text: K.catalogue[code]?.language_name ?? code }))),
    K.el("p", { class: "k-quiet", text: [K.t("offer_size", { size: size(offer.size) }), K.t("offer_parameters", { n: K.number(offer.parameters, 1) }), `${offer.repo} / ${offer.file}`].join(" · ") }),
    fetch && (running || (fetch.phase === "stopped" && fetch.total)) ? progress(fetch) : "",
    fetch?.phase === "done" ? K.el("p", { class: "k-quiet", role: "status" }, K.icon("tick"), " ", K.el("span", { text: K.t("fetch_done") })) : "",
    fetch?.error ? K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(fetch.error) }) : "",
    fetch?.sha256 ? K.el("p", { class: "k-quiet k-checksum", text: K.t("fetch_sha", { sum: fetch.sha256 }) }) : "",
    K.el("div", { class: "k-row-tools" },
      running && button("halt", "fetch_halt", () => M.act("halt"), Boolean(M.busy())),
      !running && fetch?.phase !== "done" && button("fetch", fetch?.done ? "fetch_on" : "fetch_do", () => get(offer), busy || !M.value.house.allowed),
      !running && fetch && fetch.phase !== "done" && fetch.done > 0 && button("discard", "fetch_discard", () => M.act("discard", { offer: offer.id }), busy)));
};
// A file of this computer on its way into the folder. What shows how far it is is made once: the sheet is drawn anew meanwhile.
let coming = null;
const bar = K.el("progress", { max: 1, value: 0 });
const words = K.el("span", { role: "status" });
const meter = K.el("p", { class: "k-meter k-import-meter" }, bar, words);
const tell = () => {
  bar.setAttribute("aria-label", K.t("upload_progress"));
  bar.value = coming.total ? coming.done / coming.total : 0;
  words.textContent = coming.done < coming.total ? K.t("upload_going", { name: coming.name, done: size(coming.done), total: size(coming.total) }) : K.t("upload_looking", { name: coming.name });
};
const over = (sentence) => { coming = null; K.toast(sentence); M.draw(); };
const bring = async (file) => {
  if (coming || !(await M.act("upload", { name: file.name, size: file.size }))) return;   // whoever is refused hears it before a byte is sent
  const request = new XMLHttpRequest();
  const mine = { name: file.name, request, done: 0, total: file.size };
  coming = mine;
  const now = () => coming === mine;
  request.upload.addEventListener("progress", (event) => { if (now()) { mine.done = event.loaded; tell(); } });
  request.addEventListener("load", () => {
    if (!now()) return;
    let end = null;
    try { end = JSON.parse(request.responseText); } catch { /* said below */ }
    over(end?.done ? K.t("did_upload", { name: end.done }) : end?.refused ? K.sentence(end.refused) : K.t("upload_broken", { name: mine.name }));
  });
  request.addEventListener("error", () => { if (now()) over(K.t("upload_broken", { name: mine.name })); });
  request.open("POST", `keepsake/models/files?${new URLSearchParams({ name: file.name })}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  tell();
  M.draw();
};
const cancel = () => {
  const { name, request } = coming;
  request.abort();
  over(K.t("upload_cancelled", { name }));
};
window.addEventListener("beforeunload", (event) => { if (coming) event.preventDefault(); });
const bringing = () => {
  if (coming) return K.el("div", { class: "k-way", "data-upload": coming.name }, meter, K.el("div", { class: "k-row-tools" }, K.el("button", { class: "k-button", type: "button", "data-choice": "upload cancel", text: K.t("upload_cancel"), onclick: cancel })));
  const input = K.el("input", { type: "file", class: "k-unseen", accept: ".gguf", tabindex: -1, "aria-hidden": "true", "data-upload": "file", onchange: () => { if (input.files[0]) bring(input.files[0]); } });
  return K.el("p", {}, input, K.el("button", { class: "k-button", type: "button", "data-choice": "upload", title: K.t("upload_do_means"), disabled: Boolean(M.busy()), text: K.t("upload_do"), onclick: () => input.click() }));
};
K.modelFiles = () => {
  const house = M.value.house;
  return [
    K.el("p", { class: "k-quiet", text: K.t("files_means") }),
    K.el("p", {}, K.el("code", { class: "k-path", text: house.folder })),
    house.files.length ? K.el("ul", { class: "k-ways-list" }, house.files.map(fileRow)) : K.el("p", { class: "k-quiet k-empty", text: K.t("files_none") }),
    bringing(),
    K.el("h3", { text: K.t("offers") }),
    K.el("p", { class: "k-quiet", text: K.t("offers_means", { host: house.hub }) }),
    house.allowed ? "" : K.el("p", { class: "k-degraded", role: "note", text: K.t("error_hub_off") }),
    K.el("ul", { class: "k-ways-list" }, house.offers.map(offerRow))];
};
