// How the house stands: the work, the models, the index, what leaves this computer, what is on the disk.
const LOOK_MS = 3000;
const ask = () => { if (K.chat && K.view.tab === "health" && !document.hidden) trigger("show", { chat: K.chat, marks: K.marks, ...K.view }); };
if (!K.watchesHealth) K.watchesHealth = setInterval(ask, LOOK_MS);

const section = (name, ...nodes) => K.el("section", { class: "k-health", "data-part": name }, K.el("h3", { text: K.t(`health_${name}`) }), nodes);
const row = (label, text, more = "") => [K.el("dt", { text: label }), K.el("dd", {}, K.el("span", { dir: "auto", text }), more && K.el("small", { class: "k-quiet", text: more }))];
const where = (one) => K.t(`reach_${one.reach}`, { host: one.host });
const headline = (value) => {
  const busy = (K.remembers() && value.waiting + value.running > 0) || value.reindexing;
  const state = value.failed ? "trouble" : busy ? "working" : "well";
  return K.el("p", { class: `k-state k-state-${state}`, role: "status", "data-state": state }, K.icon({ trouble: "except", working: "again", well: "tick" }[state]), K.el("span", { text: K.t(`health_${state}`) }));
};
let readTo = null;
const work = (value) => section("work",
  K.el("p", { class: "k-health-line", text: value.failed ? K.t("queue_failed", { n: value.failed }) : !K.remembers() ? K.t(value.waiting ? "memory_off_line" : "memory_is_off", { n: value.waiting }) : value.waiting + value.running ? K.t("health_queue_left", { n: value.waiting + value.running }) : K.t("health_means") }),
  value.failed > 0 && value.error && K.el("p", { class: "k-quiet", text: K.t("queue_error", { error: value.error }) }),
  value.total > value.done && K.el("p", { class: "k-meter" }, K.el("progress", { max: value.total, value: value.done, "aria-label": K.t("queue") }), K.el("span", { text: K.t("queue_progress", { done: value.done, total: value.total }) })),
  readTo ??= K.readPlace(),
  K.el("p", { class: "k-quiet", text: K.t("health_memories", { n: value.memories }) }),
  K.el("button", { class: "k-link", type: "button", text: K.t("details"), onclick: () => K.openQueue() }));
const models = (value) => {
  const reads = value.models.find((one) => one.what === "memory");
  const cross = value.cross && row(K.t("model_cross"), value.cross, K.knows(`reread_${value.cross_state}`) ? K.t(`reread_${value.cross_state}`) : "");
  return section("models", K.el("dl", { class: "k-facts" }, value.models.map((one) => row(K.t(`model_${one.what}`), K.modelNamed(one.model), where(one))).flat(),
    row(K.t("model_embedder"), value.embedder, K.t("reach_here")), cross || []), !reads && K.el("p", { class: "k-quiet", text: K.t("model_none") }));
};
const index = (value) => {
  const [done, total] = value.reindexing ?? [0, 0];
  return section("index", K.el("p", { class: "k-health-line", text: !value.reindexing ? K.t("index_whole") : total ? K.t("index_part", { done, total }) : K.t("index_begun") }),
    total > 0 && K.el("p", { class: "k-meter" }, K.el("progress", { max: total, value: done, "aria-label": K.t("health_index") })));
};
const leaves = (value) => {
  const out = value.models.filter((one) => one.reach !== "here");
  const answers = value.models.find((one) => one.what === "memory") ?? value.models[0];
  const lines = [...out.map((one) => K.t(`leaves_${one.what}`, { host: one.host })), answers.reach !== "here" && K.t("leaves_questions", { host: answers.host }), !out.length && K.t("leaves_nothing"), value.hub && K.t("leaves_hub"),
    value.open_page && K.t(value.accounts ? "leaves_page" : "leaves_page_open")].filter(Boolean);
  return section("leaves", K.el("ul", { "data-out": out.length }, lines.map((text) => K.el("li", { text }))));
};
const files = ({ files: f }) => f && section("files",
  K.el("dl", { class: "k-facts" },
    row(K.t("file_database"), K.t("megabytes", { size: K.number(f.database, 1) })), row(K.t("file_index"), K.t("megabytes", { size: K.number(f.index, 1) })),
    row(K.t("file_backup"), f.backup ? K.when(f.backup) : K.t("backup_none"), f.backup ? K.t("backup_kept", { size: K.number(f.backup_size, 1), n: f.backups }) : "")),
  K.el("p", { class: "k-quiet", text: f.hours ? K.t("backup_every", { n: f.hours }) : K.t("backup_off") }));

K.surface("health", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("health"));
    return;
  }
  K.refill(root, ...[headline(value), work(value), models(value), index(value), leaves(value), files(value)].filter(Boolean));
});
