// The branches of a conversation as a tree: where each left its parent, how far it goes, what was said last. Up and down choose, Enter goes there.
let open = null;         // the dialog
let at = null;           // the branch that has the focus

const nameOf = (branch) => branch.name || (branch.parent ? K.t("branch_name", { n: branch.forked }) : K.t("branch_first"));
const go = (branch) => {
  if (branch.active) { open?.close(); return; }
  open?.close();
  K.act("switch", { branch: branch.id }, (done) => { if (done) { K.toLatest(); K.toast(K.t("did_switch", { name: nameOf(branch) })); } });
};
const rename = async (branch) => {
  const name = await K.prompt({ title: K.t("rename"), label: K.t("name"), value: nameOf(branch), act: K.t("save"), most: K.house.name_limit });
  if (name && name !== nameOf(branch)) K.act("rename_branch", { branch: branch.id, name }, ask);
};
const remove = (branch) => K.act("remove_branch", { branch: branch.id }, ask);
const ask = () => { if (open) trigger("tree", { chat: K.chat, marks: K.marks }); };

const about = (branch) => [
  branch.parent && K.t("forked_at", { n: branch.forked }),
  K.t("chat_rounds", { n: branch.rounds }),
  branch.parent && K.t("own_messages", { n: branch.own }),
  branch.at && K.date(branch.at)].filter(Boolean).join(" · ");

const item = (branch, depth, only) =>
  K.el("li", {
    class: "k-branch-row", role: "treeitem", "aria-level": depth + 1, "aria-current": branch.active ? "true" : null, "data-branch": branch.id, tabindex: -1,
    style: { "--k-depth": String(Math.min(depth, 6)) }, "aria-label": [nameOf(branch), about(branch), branch.active && K.t("branch_current")].filter(Boolean).join(", "), onclick: (event) => { if (!event.target.closest("button")) go(branch); },
  },
    K.el("div", { class: "k-branch-words" },
      K.el("p", { class: "k-branch-name" }, K.el("b", { dir: "auto", text: nameOf(branch) }), branch.active && K.el("span", { class: "k-badge", text: K.t("branch_current") })),
      K.el("p", { class: "k-quiet", text: about(branch) }),
      branch.line && K.el("p", { class: "k-branch-last", dir: "auto", lang: K.here()?.language ?? null, text: branch.line.replaceAll("*", "") })),
    K.el("span", { class: "k-row-tools" },
      !branch.active && K.el("button", { class: "k-button", type: "button", tabindex: -1, text: K.t("branch_go"), onclick: () => go(branch) }),
      K.tool("pencil", K.t("rename"), () => rename(branch), { tabindex: -1 }),
      !only && branch.parent && K.tool("bin", K.t("branch_remove"), () => remove(branch), { tabindex: -1 })));

// Children under their parents, the oldest first; what hangs on nothing that stands is shown at the top rather than not at all.
const ordered = (branches) => {
  const ids = new Set(branches.map((b) => b.id));
  const rows = [];
  const put = (branch, depth) => { rows.push([branch, depth]); branches.filter((b) => b.parent === branch.id && b !== branch).forEach((b) => put(b, depth + 1)); };
  branches.filter((b) => !b.parent || !ids.has(b.parent)).forEach((b) => put(b, 0));
  return rows;
};
const focus = (list, id) => {
  const rows = [...list.querySelectorAll("[role=treeitem]")];
  const row = rows.find((one) => one.dataset.branch === id) ?? list.querySelector("[aria-current]") ?? rows[0];
  rows.forEach((one) => one.setAttribute("tabindex", one === row ? "0" : "-1"));
  at = row?.dataset.branch ?? null;
  row?.focus();
};
const step = (event, value) => {
  const list = event.currentTarget;
  const row = event.target.closest("[role=treeitem]");
  if (!row || event.isComposing) return;
  const rows = [...list.querySelectorAll("[role=treeitem]")];
  const here = rows.indexOf(row);
  const branch = value.branches.find((b) => b.id === row.dataset.branch);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined) focus(list, rows[Math.max(0, Math.min(to, rows.length - 1))].dataset.branch);
  else if (event.target.closest("button")) {
    if (event.key === "ArrowLeft") row.focus();
    else return;
  } else if (event.key === "ArrowRight") row.querySelector("button")?.focus();
  else if (event.key === "Enter" || event.key === " ") go(branch);
  else if (event.key === "F2") rename(branch);
  else if (event.key === "Delete" && branch.parent && value.branches.length > 1) remove(branch);
  else return;
  event.preventDefault();
};
const fill = (value) => {
  const inside = open.content.contains(document.activeElement) || !open.content.querySelector("[role=tree]");
  const only = value.branches.length < 2;
  const list = K.el("ul", { class: "k-tree", role: "tree", "aria-label": K.t("branches"), onkeydown: (event) => step(event, value) }, ordered(value.branches).map(([branch, depth]) => item(branch, depth, only)));
  open.content.replaceChildren(K.el("p", { class: "k-quiet", text: K.t(only ? "branches_none" : "branches_are") }), list,
    K.fine() && !only ? K.el("p", { class: "k-quiet k-foot", text: K.t("branches_keys") }) : "");
  if (inside) focus(list, at);
};
K.openTree = () => {
  if (!K.chat) return;
  at = null;
  open = K.dialog({ name: "tree", title: K.t("branches"), closed: () => { open = null; } });
  K.redraw("tree");
  ask();
};

K.surface("tree", { element, props, watch }, (_, value) => {
  if (!open) return;
  if (value) fill(value);
  else open.content.replaceChildren(K.el("p", { class: "k-quiet", text: K.t("loading") }));
});
