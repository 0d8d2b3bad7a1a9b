// Which of the two sheets of the right column is on top is the page's own business; the server is not asked.
const names = ["memories", "receipt"];
let chosen = names[0];
const root = element.querySelector(".k-surface");
K.tab = (name, focus = false) => {
  chosen = name;
  names.forEach((each) => {
    const sheet = document.getElementById(`k-${each}`);
    if (sheet) {
      sheet.dataset.shown = String(each === name);
      sheet.setAttribute("role", "tabpanel");
      sheet.setAttribute("aria-labelledby", `k-tab-${each}`);
    }
    const tab = document.getElementById(`k-tab-${each}`);
    tab?.setAttribute("aria-selected", String(each === name));
    tab?.setAttribute("tabindex", each === name ? "0" : "-1");
  });
  if (focus) document.getElementById(`k-tab-${name}`)?.focus();
};
const step = (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by) K.tab(names[(names.indexOf(chosen) + by + names.length) % names.length], true);
};
K.surface("tabs", { element, props, watch }, () => {
  root.replaceChildren(
    K.el("div", { role: "tablist", "aria-label": K.t("panel"), onkeydown: step },
      names.map((name) => K.el("button", { type: "button", role: "tab", id: `k-tab-${name}`, "aria-controls": `k-${name}`, text: K.t(name), onclick: () => K.tab(name) }))),
    K.el("button", { class: "k-plain k-narrow", type: "button", "aria-label": K.t("close"), onclick: () => K.drawer(null) }, K.icon("close")));
  K.tab(chosen);
});
