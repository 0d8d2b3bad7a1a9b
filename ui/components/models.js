// Language models: who answers, the ways to them, files, how words are drawn, and what it has cost. At an address of its own, as keys are typed here.
const ADDRESS = "keepsake/models";
const LOOK_MS = 1000;
const TABS = ["roles", "connections", "files", "sampling", "costs"];
let open = null;
let timer = null;
let tab = "roles";
let busy = "";             // what is being asked for: no second one meanwhile
let refused = null;
const M = (K.models = { value: null, form: null, tried: "" });

const post = async (said) => {
  try { return await (await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ chat: K.chat ?? "", ...said }), cache: "no-store" })).json(); }
  catch { return { refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
};
const take = (news) => {
  if (news.refused || news.same) return;
  if (open) M.value = news;
  if (K.house && JSON.stringify(K.house.status) !== JSON.stringify(news.status)) {
    K.house.status = news.status;
    K.redraw("composer", "transcript");
  }
};
// Do something; true when it was done. A look is quiet, and gives way to whatever is being done.
M.act = async (act, rest = {}) => {
  if (busy) return false;
  busy = act;
  refused = null;
  fill();
  const news = await post({ do: act, ...rest });
  busy = "";
  take(news);   // also when the page was closed meanwhile: who answers is said below the box as well
  if (!open) {
    if (news.refused) K.toast(K.sentence(news.refused));
    return !news.refused;
  }
  refused = news.refused ?? null;
  fill();
  if (refused) open.content.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  return !news.refused;
};
M.busy = () => busy;
M.draw = () => fill();
const look = async () => {
  if (!open || (busy && M.value) || document.hidden) return;   // opened anew while a test goes on, it is not empty till then
  const mine = open;
  const news = await post({ do: "look", mark: M.value?.mark ?? "" });
  await window.keepsakePress.free();
  if (mine !== open || (busy && M.value) || news.same) return;
  if (news.refused && !M.value) refused = news.refused;
  take(news);
  fill();
};

const reachOf = (one) => (one.reach ? K.t(`reach_${one.reach}`, { host: one.host, model: one.model }) : K.t("reach_none"));
const optionsOf = (role) => {
  const house = M.value.house;
  return [["bundled", K.t(role.role === "chat" ? "models_bundled" : "models_nobody")], ...(house?.connections ?? []).map((one) => [one.id, one.name])];
};
const choiceOf = (role) => {
  const box = K.el("select", { class: "k-field", id: `k-role-${role.role}`, disabled: Boolean(busy), onchange: () => M.act("choose", { role: role.role, connection: box.value, preset: role.preset }) },
    optionsOf(role).map(([id, label]) => K.el("option", { value: id, text: label, selected: id === (role.connection || "bundled") })));
  return box;
};
M.presetName = (one) => (one.own ? one.name : K.t(`sampled_${one.id}`));
M.presetBox = (id, chosen, first, change) => {
  const box = K.el("select", { class: "k-field", id, disabled: Boolean(busy), onchange: () => change(box.value) },
    first !== null && K.el("option", { value: "", text: first, selected: !chosen }),
    M.value.presets.map((one) => K.el("option", { value: one.id, text: M.presetName(one), selected: one.id === chosen })));
  return box;
};
const roleCard = (role) => {
  const may = Boolean(M.value.house);
  const fixed = role.source === "environment";
  return K.el("section", { class: "k-role", "data-role": role.role },
    K.el("h3", { text: K.t(`role_${role.role}`) }),
    K.el("p", { class: "k-quiet", text: K.t(`role_${role.role}_means`) }),
    fixed ? K.el("p", { class: "k-degraded", role: "note", text: K.t("models_fixed", { name: `KEEPSAKE_${role.role.toUpperCase()}_MODEL` }) }) : null,
    may && !fixed
      ? K.el("div", { class: "k-note-row" }, K.el("label", { for: `k-role-${role.role}`, text: K.t("models_answers") }), choiceOf(role), K.el("span", { class: "k-quiet", dir: "auto", text: K.modelNamed(role.model ?? "") }))
      : K.el("p", {}, K.el("b", { dir: "auto", text: role.model ? K.modelNamed(role.model) : K.t("models_nobody") })),
    role.role === "chat" && may && K.el("div", { class: "k-note-row" }, K.el("label", { for: "k-role-preset", text: K.t("models_preset_all") }),
      M.presetBox("k-role-preset", role.preset || "standard", null, (preset) => M.act("choose", { role: "chat", connection: role.connection || "bundled", preset }))),
    role.role !== "chat" && role.model && K.el("p", { class: "k-quiet", text: K.t("models_cold") }),
    role.pinned.length > 0 && K.el("p", { class: "k-quiet", text: K.t("models_pinned", { names: role.pinned.join(", ") }) }),
    may && role.dialect && M.askedOf(role.dialect),
    may && role.dialect && K.el("button", { class: "k-button", type: "button", "data-choice": `asked ${role.role}`, disabled: Boolean(busy), text: K.t("dialect"), onclick: () => M.editAsked(role.dialect, { role: role.role }) }),
    K.el("p", { class: "k-leaves", "data-reach": role.reach }, K.icon("goto"), K.el("span", { text: reachOf(role) })));
};
const roles = () => [
  K.el("p", { class: "k-quiet", text: K.t(M.value.house ? "models_means" : "models_others") }),
  ...M.value.roles.map(roleCard),
  K.el("section", { class: "k-role" }, K.el("h3", { text: K.t("models_as_they_are") }),
    K.el("p", { class: "k-quiet", text: K.t("models_embedder", { model: M.value.embedder }) }),
    K.el("p", { class: "k-quiet", text: M.value.cross ? K.t("models_cross", { model: M.value.cross }) : K.t("models_no_cross") }),
    K.el("p", { class: "k-quiet", text: K.t("models_as_they_are_means") }))];

const sheets = { roles, connections: () => K.modelConnections(), files: () => K.modelFiles(), sampling: () => K.modelSampling(), costs: () => K.modelCosts() };
const shownTabs = () => TABS.filter((name) => M.value?.house || !["connections", "files"].includes(name));
const step = (event) => {
  const all = shownTabs();
  const at = all.indexOf(tab);
  const to = { ArrowRight: (at + 1) % all.length, ArrowLeft: (at + all.length - 1) % all.length, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  M.show(all[to]);
  open.content.querySelector('[role="tab"][aria-selected="true"]')?.focus();
};
M.show = (name) => { tab = name; refused = null; M.form = null; fill(); };
const fill = () => {
  if (!open) return;
  if (!M.value) {
    open.content.replaceChildren(refused ? K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(refused) }) : K.el("p", { class: "k-quiet", text: K.t("loading") }));
    return;
  }
  if (!shownTabs().includes(tab)) tab = "roles";
  if (M.form && open.content.contains(M.form.node)) { M.form.tell(refused ? K.sentence(refused) : "", Boolean(busy)); return; }   // what is typed is left alone
  const focused = document.activeElement?.id ?? "";
  const inside = open.content.contains(document.activeElement);
  const selecting = inside && document.activeElement.tagName === "SELECT" && !busy;
  if (selecting && !refused && open.content.dataset.tab === tab && M.drawn === M.value.mark) return;   // an open list would close
  open.content.dataset.tab = tab;
  M.drawn = M.value.mark;
  const body = M.form ? [M.form.node] : sheets[tab]().filter(Boolean);
  K.refill(open.content,
    K.el("div", { class: "k-tabline", role: "tablist", "aria-label": K.t("models"), onkeydown: step }, shownTabs().map((name) =>
      K.el("button", { type: "button", role: "tab", id: `k-models-tab-${name}`, "data-choice": name, "aria-selected": String(name === tab), tabindex: name === tab ? 0 : -1, text: K.t(`models_tab_${name}`), onclick: () => M.show(name) }))),
    refused && !M.form ? K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(refused) }) : "",
    K.el("div", { class: "k-models-sheet", role: "tabpanel", "aria-labelledby": `k-models-tab-${tab}`, "aria-busy": String(Boolean(busy)) }, body));
  if (M.form) M.form.tell(refused ? K.sentence(refused) : "", Boolean(busy));
  if (inside && focused) document.getElementById(focused)?.focus({ preventScroll: true });
};
K.openModels = (which = "roles") => {
  K.drawer(null);
  tab = which;
  refused = null;
  M.value = null;
  M.form = null;
  open = K.dialog({ name: "models", title: K.t("models"), kind: "k-models", closed: () => { open = null; M.form = null; M.value = null; clearInterval(timer); } });
  clearInterval(timer);
  timer = setInterval(look, LOOK_MS);
  fill();
  look();
};
