// The author's note: what the model is told beside the story, and where in the prompt. Nobody says it, and nothing of it is remembered.
K.openNote = () => {
  if (!K.chat) return;
  const limits = K.house.note_limits;
  const now = K.story.note ?? { text: "", depth: 4, every: 1, role: "user" };
  let role = now.role;
  const box = K.el("textarea", { class: "k-field", rows: 6, maxlength: limits.text, dir: "auto", autofocus: true, "aria-label": K.t("note"), placeholder: K.t("note_example") });
  box.value = now.text;
  const number = (name, value, most) => {
    const input = K.el("input", { class: "k-field k-count", id: `k-note-${name}`, type: "number", min: 1, max: most, step: 1, inputmode: "numeric" });
    input.value = value;
    return input;
  };
  const depth = number("depth", now.depth, limits.depth);
  const every = number("every", now.every, limits.every);
  const whole = (input, most) => Math.max(1, Math.min(most, Math.round(Number(input.value)) || 1));
  const roles = K.el("div", { class: "k-switch", role: "group", "aria-label": K.t("note_role") });
  const means = K.el("p", { class: "k-quiet" });
  const paint = () => {
    K.refill(roles, ...["user", "system"].map((one) => K.el("button", { type: "button", "data-choice": one, "aria-pressed": String(one === role), text: K.t(`note_role_${one}`), onclick: () => { role = one; paint(); } })));
    means.textContent = K.t(`note_role_${role}_means`);
  };
  const keep = (text) => K.act("note", { text, to: whole(depth, limits.depth), every: whole(every, limits.every), name: role }, (done) => { if (done) made.close(); });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || (!event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    keep(box.value);
  });
  const row = (input, label, hint) => K.el("div", { class: "k-note-row" }, K.el("label", { for: input.id, text: label }), input, K.el("span", { class: "k-quiet", text: hint }));
  const made = K.dialog({
    name: "note", title: K.t("note"), kind: "k-small k-noting",
    body: [K.el("p", { class: "k-quiet", text: K.t("note_means") }), box, row(depth, K.t("note_depth"), K.t("note_depth_means")), row(every, K.t("note_every"), K.t("note_every_means")),
      K.el("div", { class: "k-note-row" }, K.el("span", { text: K.t("note_role") }), roles), means,
      K.el("div", { class: "k-choices" },
        K.story.note && K.el("button", { class: "k-button", type: "button", text: K.t("note_remove"), onclick: () => keep("") }),
        K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => made.close() }),
        K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("save"), onclick: () => keep(box.value) }))],
  });
  paint();
};
