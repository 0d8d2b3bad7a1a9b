// Beginning a conversation that listens: who listens, and whose portrait is drawn.
K.openHearing = () => {
  const cast = K.everybody();
  let chosen = "";
  const player = K.el("input", { id: "k-hear-player", class: "k-field", type: "text", maxlength: K.house.name_limit, autocomplete: "off", dir: "auto", "aria-describedby": "k-hear-hint" });
  const title = K.el("input", { class: "k-field", type: "text", maxlength: K.house.name_limit, autocomplete: "off", dir: "auto", "aria-label": K.t("company_title"), placeholder: K.t("company_title") });
  const begin = K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("listen_begin"), disabled: true, onclick: () => {
    made.close();
    trigger("gather", { characters: chosen, title: title.value.trim(), listens: "yes", player: player.value.trim() });
  } });
  const boxes = cast.map((one) => K.el("button", { class: "k-character", type: "button", role: "radio", "aria-checked": "false", "data-listener": one.id, onclick: (event) => {
    chosen = one.id;
    boxes.forEach((box) => box.setAttribute("aria-checked", String(box === event.currentTarget)));
    begin.disabled = false;
  } },
    one.avatar ? K.avatar(one.name, "m", null) : K.face(one.face, one.name, "m"),
    K.el("span", { lang: one.language }, K.el("b", { dir: "auto", text: one.name }), K.el("small", { dir: "auto", text: K.lineOf(one) }))));
  const made = K.dialog({ name: "hearing", title: K.t("listen_begin_title"), body: [
    K.el("p", { class: "k-quiet", text: K.t("listen_means") }),
    K.el("div", { class: "k-gathering", role: "radiogroup", "aria-label": K.t("listen_who") }, boxes),
    K.el("div", { class: "k-part" }, K.el("div", { class: "k-part-head" }, K.el("label", { for: "k-hear-player", text: K.t("listen_player") })), player,
      K.el("p", { class: "k-quiet", id: "k-hear-hint", text: K.t("listen_player_hint") })),
    title,
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => made.close() }), begin)] });
};
