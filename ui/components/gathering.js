// Another character comes into the open conversation: of several as a step of it; of one in a copy that goes on with two.
K.openJoining = () => {
  const group = K.story.group, chat = K.here();
  if (!chat) return;
  const there = new Set(group ? group.members.map((one) => one.id) : chat.with);
  const cast = K.everybody().filter((one) => !there.has(one.id));
  const full = there.size >= (K.house?.most_members ?? 0);
  const made = K.dialog({ name: "joining", title: K.t("company_join"), body: [
    K.el("p", { class: "k-quiet", text: full ? K.t("company_full", { most: there.size }) : K.t(group ? "company_join_means" : "company_widen_means", { name: K.nameOf(chat) }) }),
    !full && K.el("ul", { class: "k-gathering" }, cast.map((one) => K.el("li", {}, K.el("button", { class: "k-character", type: "button", "data-joins": one.id, onclick: () => {
      made.close();
      if (group) K.act("join", { name: one.id }, (done) => { if (done) K.toast(K.t("did_join", { name: one.name }), { label: K.t("undo"), act: () => K.undo() }); });
      else trigger("gather", { of: chat.id, characters: one.id, title: "" });
    } },
      one.avatar ? K.avatar(one.name, "m", null) : K.face(one.face, one.name, "m"),
      K.el("span", { lang: one.language }, K.el("b", { dir: "auto", text: one.name }), K.el("small", { dir: "auto", text: K.lineOf(one) })))))),
    !full && !cast.length && K.el("p", { class: "k-quiet", text: K.t("company_join_none") })] });
};
// Beginning a conversation with several characters: who, in which order, and a title.
const LEAST = 2;
K.openGathering = () => {
  const most = K.house?.most_members ?? LEAST;
  const cast = K.everybody();
  let chosen = [];
  const count = K.el("p", { class: "k-quiet", role: "status" });
  const title = K.el("input", { class: "k-field", type: "text", maxlength: K.house.name_limit, autocomplete: "off", dir: "auto", "aria-label": K.t("company_title"), placeholder: K.t("company_title") });
  const begin = K.el("button", { class: "k-button k-firmly", type: "button", text: K.t("company_begin"), onclick: () => {
    const ids = chosen.join(",");
    made.close();
    trigger("gather", { characters: ids, title: title.value.trim() });
  } });
  const boxes = cast.map((one) => {
    const place = K.el("b", { class: "k-place", "aria-hidden": "true" });
    const box = K.el("button", { class: "k-character", type: "button", role: "checkbox", "data-member": one.id, onclick: () => {
      if (chosen.includes(one.id)) chosen = chosen.filter((id) => id !== one.id);
      else if (chosen.length < most) chosen = [...chosen, one.id];
      fill();
    } },
      one.avatar ? K.avatar(one.name, "m", null) : K.face(one.face, one.name, "m"),
      K.el("span", { lang: one.language }, K.el("b", { dir: "auto", text: one.name }), K.el("small", { dir: "auto", text: K.lineOf(one) })), place);
    return { one, box, place };
  });
  const fill = () => {
    boxes.forEach(({ one, box, place }) => {
      const at = chosen.indexOf(one.id);
      place.textContent = at < 0 ? "" : String(at + 1);
      box.setAttribute("aria-checked", String(at >= 0));
      box.setAttribute("aria-disabled", String(at < 0 && chosen.length >= most));
    });
    count.textContent = K.t("company_chosen", { n: chosen.length });
    begin.disabled = chosen.length < LEAST;
  };
  const made = K.dialog({ name: "gathering", title: K.t("company_begin_title"), body: [
    K.el("p", { class: "k-quiet", text: K.t("company_means", { most }) }),
    K.el("ul", { class: "k-gathering" }, boxes.map(({ box }) => K.el("li", {}, box))),
    title, count,
    K.el("div", { class: "k-choices" }, K.el("button", { class: "k-button", type: "button", text: K.t("cancel"), onclick: () => made.close() }), begin)] });
  fill();
};
