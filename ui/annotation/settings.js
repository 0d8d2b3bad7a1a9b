// Settings of memory that a run compares: the ordinary parts in sight, the others behind "More settings"; and what a setting is called, by what differs from the ordinary.
A.settingValue = (part, value) => {
  if (part === "recipe") return String(value).startsWith("without-") ? A.t("recipe_without", { part: A.t(`recipe_part_${value.slice(8)}`) }) : A.t(`recipe_${value}`);
  if (part === "forgetting") return A.t(`forgetting_${value}`);
  if (part === "story") return A.t(`story_${value}`);
  if (part === "reading") return A.t(`reading_${value || "house"}`);
  if (part === "insights") return A.t(`insights_${value}`);
  return String(value);
};
A.settingDiffers = (differs) => Object.entries(differs).map(([part, value]) => A.t(`setting_${part}`, { value: A.settingValue(part, value), n: value })).join(" · ");
A.settingName = (one) => one.name || A.settingDiffers(one.differs) || A.t("setting_ordinary");
A.settings = ({ ordinary, most, choices, ranges, parameters }) => {
  const list = A.el("div", { id: "a-settings" }), rows = [];
  let replies = false;
  const more = A.button(A.t("setting_add"), () => { add({ ...rows.at(-1).value(), name: "" }).focus(); }, { id: "a-setting-add" });
  const told = () => {
    rows.forEach((row, n) => row.told(n));
    more.disabled = rows.length >= most;
  };
  const add = (start) => {
    const number = (part) => A.el("input", { type: "number", "data-part": part, min: ranges[part][0], max: ranges[part][1], step: PLAIN.includes(part) ? "1" : "any", placeholder: ordinary[part], value: start[part] ?? ordinary[part], oninput: told });
    const chosen = (part) => A.el("select", { "data-part": part, onchange: told }, choices[part].map((name) => A.el("option", { value: name, text: A.settingValue(part, name), selected: name === (start[part] ?? ordinary[part]) })));
    const name = A.el("input", { "data-part": "name", maxlength: "60", value: start.name ?? "", dir: "auto", oninput: told });
    const boxes = Object.fromEntries([...Object.keys(ranges).map((part) => [part, number(part)]), ...Object.keys(choices).filter((part) => choices[part].length).map((part) => [part, chosen(part)])]);
    const label = (part) => boxes[part] && A.el("label", {}, A.t(`field_${part}`), boxes[part]);
    const legend = A.el("legend");
    const remove = A.button(A.t("setting_remove"), () => { rows.splice(rows.indexOf(row), 1); row.box.remove(); told(); more.focus(); }, { class: "plain link" });
    const idle = A.el("p", { class: "quiet", text: A.t("setting_acts") });
    const unfolded = Object.keys(start).some((part) => !PLAIN.includes(part) && part !== "name" && start[part] !== ordinary[part]);
    const acts = (part) => {
      if (part in ranges && !PLAIN.includes(part)) return parameters[boxes.forgetting.value].includes(part);
      if (part === "capacity" || part === "capacity_tokens") return boxes.forgetting.value !== "none";
      return part !== "story" || replies;
    };
    const row = {
      box: A.el("fieldset", { class: "setting" }, legend, A.el("div", { class: "parts" }, A.el("label", {}, A.t("setting_own_name"), name), PLAIN.map(label)),
        A.el("details", { open: unfolded }, A.el("summary", { text: A.t("setting_more") }), A.el("div", { class: "parts" }, Object.keys(boxes).filter((part) => !PLAIN.includes(part)).sort((x, y) => ORDER.indexOf(x) - ORDER.indexOf(y)).map(label)), idle),
        remove),
      // What cannot act is neither shown nor sent; what is empty is as it comes.
      value: () => {
        const found = { name: name.value.trim() };
        for (const [part, box] of Object.entries(boxes)) if (acts(part)) {
          if (box.validity.badInput) found[part] = null;   // no number: the server says so, in the reader's language
          else if (box.value !== "") found[part] = part in ranges ? Number(box.value) : box.value;
        }
        if (boxes.reading?.value === "") delete found.reading;
        return found;
      },
      told: (n) => {
        for (const [part, box] of Object.entries(boxes)) box.parentNode.hidden = !acts(part);
        const { name: own, ...rest } = row.value();
        const differs = Object.fromEntries(Object.entries(rest).filter(([part, value]) => value !== ordinary[part]));
        legend.textContent = `${n + 1}. ${A.settingName({ name: own, differs })}`;
        remove.hidden = rows.length < 2;
      },
      focus: () => boxes.capacity.focus({ preventScroll: true }),
    };
    rows.push(row);
    list.append(row.box);
    told();
    return row;
  };
  add({});
  add({ capacity: 60 });
  return {
    box: A.el("div", {}, A.el("p", { class: "quiet", text: A.t("settings_mean") }), list, A.el("div", { class: "row" }, more)),
    value: () => rows.map((row) => row.value()),
    replying: (on) => { replies = on; told(); },
  };
};
const PLAIN = ["capacity", "capacity_tokens", "k"];
const ORDER = ["forgetting", "alpha", "beta", "gamma", "factor", "recipe", "insights", "reading", "story"];
