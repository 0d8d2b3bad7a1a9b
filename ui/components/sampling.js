// How words are drawn, for all and for one conversation; and what models were asked and what it cost.
const M = K.models;
const STEPS = { temperature: 0.05, top_p: 0.01, presence_penalty: 0.1, frequency_penalty: 0.1, min_p: 0.01, repeat_penalty: 0.05, max_tokens: 1 };
const plain = (value) => K.number(value, Number.isInteger(value) ? 0 : 2);
const said = (values) => Object.entries(values).map(([name, value]) => `${K.t(`draws_${name}`)} ${plain(value)}`).join(" · ") || K.t("sampled_says_nothing");

M.editPreset = (before) => {
  const name = K.el("input", { class: "k-field", id: "k-preset-name", maxlength: 60, dir: "auto", autocomplete: "off" });
  name.value = before.name ?? "";
  const boxes = Object.fromEntries(Object.entries(M.value.bounds).map(([key, [min, max]]) => {
    const box = K.el("input", { class: "k-field k-count", id: `k-preset-${key}`, type: "number", min, max, step: STEPS[key], inputmode: "decimal", "data-field": key });
    box.value = before.values?.[key] ?? "";
    return [key, box];
  }));
  const says = K.el("p", { class: "k-refusal", role: "alert", hidden: true });
  const save = K.el("button", { class: "k-button k-firmly", type: "submit", text: K.t("save") });
  const leave = () => { M.form = null; M.draw(); };
  const keep = async () => {
    const values = Object.fromEntries(Object.entries(boxes).filter(([, box]) => box.value.trim() !== "").map(([key, box]) => [key, Number(box.value)]));
    if (await M.act("keep_preset", { preset: before.own ? before.id : "", name: name.value, values })) leave();
  };
  const node = K.el("form", { class: "k-way-form", autocomplete: "off", novalidate: true, onsubmit: (event) => { event.preventDefault(); keep(); } },
    K.el("h3", { text: K.t(before.own ? "sampled_change" : "sampled_new") }), says,
    K.el("div", { class: "k-part" }, K.el("label", { for: name.id, text: K.t("way_name") }), name),
    Object.entries(boxes).map(([key, box]) => K.el("div", { class: "k-note-row" }, K.el("label", { for: box.id, text: K.t(`draws_${key}`) }), box,
      K.el("span", { class: "k-quiet", text: K.t(`draws_${key}_means`, { least: plain(M.value.bounds[key][0]), most: plain(M.value.bounds[key][1]) }) }))),
    K.el("p", { class: "k-quiet", text: K.t("draws_empty") }),
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: leave }), save));
  M.form = { node, tell: (sentence, waits) => { says.textContent = sentence; says.hidden = !sentence; save.disabled = waits; } };
  M.draw();
  name.focus();
};
const removePreset = async (one) => {
  if (await K.confirm({ title: K.t("sampled_remove_title", { name: one.name }), text: K.t("sampled_remove_means"), act: K.t("way_remove"), danger: true })) M.act("remove_preset", { preset: one.id });
};
const row = (one) => K.el("li", { class: "k-way", "data-preset": one.id },
  K.el("div", { class: "k-way-head" }, K.el("b", { dir: "auto", text: M.presetName(one) })),
  K.el("p", { class: "k-quiet", text: said(one.values) }),
  K.el("div", { class: "k-row-tools" },
    one.own && K.el("button", { class: "k-button", type: "button", "data-choice": `edit ${one.id}`, text: K.t("way_edit"), onclick: () => M.editPreset(one) }),
    one.own && K.el("button", { class: "k-button k-grave", type: "button", "data-choice": `remove ${one.id}`, text: K.t("way_remove"), onclick: () => removePreset(one) }),
    !one.own && K.el("button", { class: "k-button", type: "button", "data-choice": `copy ${one.id}`, text: K.t("sampled_copy"), onclick: () => M.editPreset({ name: M.presetName(one), values: one.values }) })));
K.modelSampling = () => [
  K.el("p", { class: "k-quiet", text: K.t("sampled_means") }),
  K.chat ? K.el("div", { class: "k-note-row" }, K.el("label", { for: "k-chat-preset", text: K.t("models_preset_here") }),
    M.presetBox("k-chat-preset", M.value.sampling, K.t("models_preset_as_all"), (preset) => M.act("prefer", { preset }))) : "",
  K.el("ul", { class: "k-ways-list" }, M.value.presets.map(row)),
  K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", "data-choice": "new preset", text: K.t("sampled_new"), onclick: () => M.editPreset({}) }))];

const table = (uses) => {
  const known = uses.filter((one) => one.cost !== null);
  const sum = known.reduce((total, one) => total + one.cost, 0);
  const cell = (text) => K.el("td", { text });
  return K.el("div", { class: "k-scrolled", tabindex: 0, role: "group", "aria-label": K.t("costs_table") }, K.el("table", { class: "k-costs" },
    K.el("thead", {}, K.el("tr", {}, ["costs_for", "costs_model", "costs_calls", "costs_prompt", "costs_answer", "costs_price"].map((key) => K.el("th", { scope: "col", text: K.t(key) })))),
    K.el("tbody", {}, uses.map((one) => K.el("tr", {}, K.el("th", { scope: "row", text: K.knows(`use_${one.purpose}`) ? K.t(`use_${one.purpose}`) : one.purpose }), K.el("td", { dir: "auto", text: K.modelNamed(one.model) }),
      cell(K.number(one.calls)), cell(K.number(one.prompt)), cell(K.number(one.answer)), cell(one.cost === null ? "–" : M.dollars(one.cost))))),
    known.length ? K.el("tfoot", {}, K.el("tr", {}, K.el("th", { scope: "row", colspan: 5, text: K.t("costs_sum") }), cell(M.dollars(sum)))) : ""));
};
K.modelCosts = () => [
  K.el("p", { class: "k-quiet", text: K.t("costs_means") }),
  K.chat ? K.el("h3", { text: K.t("costs_here") }) : "",
  K.chat ? (M.value.here.length ? table(M.value.here) : K.el("p", { class: "k-quiet", text: K.t("costs_none") })) : "",
  K.el("h3", { text: K.t("costs_all") }),
  M.value.all.length ? table(M.value.all) : K.el("p", { class: "k-quiet", text: K.t("costs_none") })];
