// The ways to models: what each is, whether it answers, and the form of one.
const M = K.models;
const KINDS = ["url", "ollama", "hosted", "file"];
const EXAMPLES = { url: { model: "qwen3-8b", base: "http://127.0.0.1:8000/v1" }, ollama: { model: "qwen3:8b", base: "http://127.0.0.1:11434" }, hosted: { model: "anthropic/claude-…", base: "" } };
const dollars = (value) => new Intl.NumberFormat(K.locale(), { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: value && value < 0.1 ? 4 : 2 }).format(value);
M.dollars = dollars;

const field = (name, label, hint, box) => {
  box.id = `k-way-${name}`;
  box.dataset.field = name;
  return K.el("div", { class: "k-part", "data-part": name }, K.el("label", { for: box.id, text: label }), hint && K.el("p", { class: "k-quiet", id: `${box.id}-hint`, text: hint }), box);
};
const line = (value, options = {}) => {
  const box = K.el("input", { class: "k-field", type: "text", autocomplete: "off", spellcheck: "false", dir: "auto", ...options });
  box.value = value;
  return box;
};
const count = (value, min, max) => line(String(value), { type: "number", min, max, step: 1, inputmode: "numeric", class: "k-field k-count" });

// before: the connection that is changed, or what a new one begins with.
M.edit = (before) => {
  const fresh = !before.id;
  const kind = before.kind;
  const name = line(before.name ?? "", { maxlength: 60 });
  const files = M.value.house.files.filter((file) => file.readable && file.chats);
  const model = kind === "file"
    ? K.el("select", { class: "k-field" }, files.map((file) => K.el("option", { value: file.name, text: file.name, selected: file.name === before.model })))
    : line(before.model ?? "", { maxlength: 150, placeholder: EXAMPLES[kind].model });
  const base = line(before.base ?? "", { maxlength: 300, type: "url", placeholder: EXAMPLES[kind]?.base ?? "" });
  // Not a password box: a browser would offer to keep it. What is kept already never comes here.
  const key = line("", { class: "k-field k-secret", maxlength: 1000, placeholder: before.key === "kept" ? K.t("way_key_kept") : "" });
  const env = line(before.key_env ?? "", { maxlength: 80, placeholder: K.t("way_key_env_example") });
  const forget = K.el("input", { type: "checkbox", id: "k-way-forget" });
  const context = count(before.context_tokens ?? 8192, 512, 1000000);
  const reply = count(before.reply_tokens ?? 400, 16, 8192);
  const wait = count(before.timeout_s ?? 120, 5, 600);
  const threads = count(before.threads ?? 0, 0, 64);
  const memory = K.el("p", { class: "k-quiet" });
  const weigh = () => {
    const file = files.find((one) => one.name === model.value);
    const tokens = Math.min(Number(context.value) || 0, file?.window || Infinity);
    memory.textContent = file ? K.t("way_memory", { size: K.t("gigabytes", { size: K.number((file.size + file.per_token * tokens) / 1e9, 1) }), window: K.number(file.window) }) : "";
  };
  if (kind === "file") { model.addEventListener("change", weigh); context.addEventListener("input", weigh); weigh(); }
  const says = K.el("p", { class: "k-refusal", role: "alert", hidden: true });
  const save = K.el("button", { class: "k-button k-firmly", type: "submit", text: K.t("save") });
  const both = K.el("button", { class: "k-button", type: "button", text: K.t("way_save_and_try"), onclick: () => keep(true) });
  const leave = () => { key.value = ""; M.form = null; M.draw(); };
  const keep = async (then) => {
    const known = new Set(M.value.house.connections.map((one) => one.id));
    const done = await M.act("keep", { connection: before.id ?? "", kind, name: name.value, model: model.value, base: kind === "url" || kind === "ollama" ? base.value : "", key: key.value, key_env: env.value,
      forget_key: forget.checked ? "yes" : "", context_tokens: Number(context.value), reply_tokens: Number(reply.value), timeout_s: Number(wait.value), threads: Number(threads.value) });
    if (!done) return;
    const id = before.id || M.value?.house?.connections.find((one) => !known.has(one.id))?.id;
    leave();
    if (then && id) tryOut(id);
  };
  const node = K.el("form", { class: "k-way-form", autocomplete: "off", novalidate: true, onsubmit: (event) => { event.preventDefault(); keep(false); } },
    K.el("h3", { text: K.t(fresh ? "way_new" : "way_change", { kind: K.t(`way_kind_${kind}`) }) }),
    K.el("p", { class: "k-quiet", text: K.t(`way_kind_${kind}_means`) }), says,
    kind === "file" && !files.length ? K.el("p", { class: "k-degraded", role: "note", text: K.t("way_no_files") }) : "",
    field("name", K.t("way_name"), "", name),
    field("model", K.t(kind === "file" ? "way_file" : "way_model"), kind === "file" ? "" : K.t(`way_model_${kind}`), model),
    kind === "url" || kind === "ollama" ? field("base", K.t("way_base"), K.t(`way_base_${kind}`), base) : "",
    kind !== "file" ? field("key", K.t("way_key"), K.t("way_key_means"), key) : "",
    kind !== "file" && before.key === "kept" ? K.el("label", { class: "k-check" }, forget, K.el("span", { text: K.t("way_key_forget") })) : "",
    kind !== "file" ? field("env", K.t("way_key_env"), K.t("way_key_env_means"), env) : "",
    K.el("div", { class: "k-way-numbers" }, field("context", K.t("way_context"), K.t("way_context_means"), context), field("reply", K.t("way_reply"), K.t("way_reply_means"), reply),
      field("wait", K.t("way_wait"), "", wait), kind === "file" ? field("threads", K.t("way_threads"), K.t("way_threads_means"), threads) : ""),
    kind === "file" ? memory : "",
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: leave }), both, save));
  M.form = { node, tell: (sentence, waits) => { says.textContent = sentence; says.hidden = !sentence; save.disabled = both.disabled = waits; } };
  M.draw();
  (fresh ? (kind === "file" ? model : name) : name).focus();
};

const tryOut = async (id) => {
  M.tried = id;
  M.draw();
  await M.act("try", { connection: id });
  M.tried = "";
  M.draw();
};
const trialOf = (one) => {
  if (M.tried === one.id) return K.el("p", { class: "k-trial", role: "status", text: K.t("trial_running", { model: one.name }) });
  const made = one.trial;
  if (!made) return "";
  if (made.fault) {
    return K.el("div", { class: "k-trial k-refusal", role: "status" }, K.el("p", { text: K.t(`trial_${made.fault}`, { host: one.host || one.model, model: one.model }) }),
      K.el("p", { class: "k-quiet", lang: "en", text: made.detail }));
  }
  const speed = made.tokens_per_s > 0 ? K.t("trial_speed", { first: K.number(made.first_ms / 1000, 2), rate: K.number(made.tokens_per_s, 1) }) : K.t("trial_first", { first: K.number(made.first_ms / 1000, 2) });
  return K.el("div", { class: "k-trial", role: "status" }, K.el("p", {}, K.icon("tick"), K.el("span", { text: speed })), K.el("blockquote", { dir: "auto", text: made.answer }), K.el("p", { class: "k-quiet", text: K.t(`trial_json_${made.json}`) }));
};
// How a model's server wants to be asked: what was learned of it, in words and as a form. to: whose it is, a connection or a role.
const ASKED = { system: ["anywhere", "first", "none"], alternate: ["no", "yes"], limit: ["max_tokens", "max_completion_tokens", "none"], form: ["schema", "object", "none"] };
const USUAL = { system: "anywhere", alternate: "no", limit: "max_tokens", form: "schema", without: "", window: 0, reply: 0 };
const plainly = (dialect) => ({ ...dialect, alternate: dialect.alternate ? "yes" : "no", without: dialect.without.join(", ") });
M.askedOf = (dialect) => {
  const now = plainly(dialect);
  const told = Object.keys(USUAL).filter((name) => now[name] !== USUAL[name])
    .map((name) => `${K.t(`dialect_${name}`)}${K.colon()}${ASKED[name] ? K.t(`dialect_${name}_${now[name]}`) : typeof now[name] === "number" ? K.number(now[name]) : now[name]}`);
  return K.el("p", { class: "k-quiet k-asked", text: `${K.t("dialect")}${K.colon()}${told.join(" · ") || K.t("dialect_usual")}` });
};
M.editAsked = (dialect, to) => {
  const now = plainly(dialect);
  const boxes = {};
  for (const [name, values] of Object.entries(ASKED)) boxes[name] = K.el("select", { class: "k-field" }, values.map((value) => K.el("option", { value, text: K.t(`dialect_${name}_${value}`), selected: value === now[name] })));
  boxes.without = line(now.without, { maxlength: 400, placeholder: K.t("dialect_without_example") });
  boxes.window = count(now.window, 0, 10000000);
  boxes.reply = count(now.reply, 0, 1000000);
  const says = K.el("p", { class: "k-refusal", role: "alert", hidden: true });
  const save = K.el("button", { class: "k-button k-firmly", type: "submit", text: K.t("save") });
  const leave = () => { M.form = null; M.draw(); };
  const keep = async (values) => { if (await M.act("speak", { ...to, ...values, window: Number(values.window), reply: Number(values.reply) })) leave(); };
  const node = K.el("form", { class: "k-way-form", autocomplete: "off", novalidate: true,
    onsubmit: (event) => { event.preventDefault(); keep(Object.fromEntries(Object.entries(boxes).map(([name, box]) => [name, box.value]))); } },
    K.el("h3", { text: K.t("dialect") }), K.el("p", { class: "k-quiet", text: K.t("dialect_means") }), says,
    Object.keys(ASKED).map((name) => field(name, K.t(`dialect_${name}`), "", boxes[name])), field("without", K.t("dialect_without"), "", boxes.without),
    K.el("div", { class: "k-way-numbers" }, field("window", K.t("dialect_window"), K.t("dialect_zero"), boxes.window), field("reply", K.t("dialect_reply"), K.t("dialect_zero"), boxes.reply)),
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: leave }),
      K.el("button", { class: "k-button", type: "button", "data-choice": "usual", text: K.t("dialect_forget"), onclick: () => keep(USUAL) }), save));
  M.form = { node, tell: (sentence, waits) => { says.textContent = sentence; says.hidden = !sentence; save.disabled = waits; } };
  M.draw();
  boxes.system.focus();
};
const priceOf = (one) => {
  if (one.kind === "file") return K.t("price_nothing");
  if (one.price) return K.t("price_known", { prompt: dollars(one.price.prompt), answer: dollars(one.price.answer) });
  return K.t("price_unknown");
};
const remove = async (one) => {
  if (await K.confirm({ title: K.t("way_remove_title", { name: one.name }), text: K.t("way_remove_means"), act: K.t("way_remove"), danger: true })) M.act("remove", { connection: one.id });
};
const row = (one) =>
  K.el("li", { class: "k-way", "data-connection": one.id },
    K.el("div", { class: "k-way-head" }, K.el("b", { dir: "auto", text: one.name }), K.el("span", { class: "k-badge", text: K.t(`way_kind_${one.kind}`) }),
      one.serves.map((role) => K.el("span", { class: "k-badge k-mine", text: K.t(`role_${role}`) }))),
    K.el("p", { class: "k-quiet", dir: "auto", text: [one.model, one.base].filter(Boolean).join(" · ") }),
    K.el("p", { class: "k-quiet", text: [K.t("way_window", { n: one.context_tokens }), one.kind === "file" ? "" : K.t(`haskey_${one.key}`, { name: one.key_env }), priceOf(one)].filter(Boolean).join(" · ") }),
    K.el("p", { class: "k-leaves", "data-reach": one.reach }, K.icon("goto"), K.el("span", { text: K.t(`reach_${one.reach}`, { host: one.host, model: one.model }) })),
    M.askedOf(one.dialect),
    trialOf(one),
    K.el("div", { class: "k-row-tools" },
      K.el("button", { class: "k-button", type: "button", "data-choice": `asked ${one.id}`, disabled: Boolean(M.busy()), text: K.t("dialect"), onclick: () => M.editAsked(one.dialect, { connection: one.id }) }),
      K.el("button", { class: "k-button", type: "button", "data-choice": `try ${one.id}`, disabled: Boolean(M.busy() || M.tried), text: K.t("trial_do"), onclick: () => tryOut(one.id) }),
      K.el("button", { class: "k-button", type: "button", "data-choice": `edit ${one.id}`, disabled: Boolean(M.busy()), text: K.t("way_edit"), onclick: () => M.edit(one) }),
      K.el("button", { class: "k-button k-grave", type: "button", "data-choice": `remove ${one.id}`, disabled: Boolean(M.busy()), text: K.t("way_remove"), onclick: () => remove(one) })));
K.modelConnections = () => [
  K.el("p", { class: "k-quiet", text: K.t("ways_means") }),
  K.el("div", { class: "k-way-new" }, KINDS.map((kind) => K.el("button", { class: "k-button", type: "button", "data-choice": `new ${kind}`, onclick: () => M.edit({ kind }) }, K.icon("plus"), K.el("span", { text: K.t(`way_kind_${kind}`) })))),
  M.value.house.connections.length ? K.el("ul", { class: "k-ways-list" }, M.value.house.connections.map(row)) : K.el("p", { class: "k-quiet k-empty", text: K.t("ways_none") })];
