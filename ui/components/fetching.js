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
K.modelFiles = () => {
  const house = M.value.house;
  return [
    K.el("p", { class: "k-quiet", text: K.t("files_means") }),
    K.el("p", {}, K.el("code", { class: "k-path", text: house.folder })),
    house.files.length ? K.el("ul", { class: "k-ways-list" }, house.files.map(fileRow)) : K.el("p", { class: "k-quiet k-empty", text: K.t("files_none") }),
    K.el("h3", { text: K.t("offers") }),
    K.el("p", { class: "k-quiet", text: K.t("offers_means", { host: house.hub }) }),
    house.allowed ? "" : K.el("p", { class: "k-degraded", role: "note", text: K.t("error_hub_off") }),
    K.el("ul", { class: "k-ways-list" }, house.offers.map(offerRow))];
};
