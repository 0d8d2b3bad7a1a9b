// Editing a message where it stands. The earlier wording is kept beside the new one; what is typed outlives every redraw until it is saved or let go.
K.editing = null;        // {id, was, box, node, leave}

K.edit = (id) => {
  if (K.editing?.id === id) { K.editing.box.focus(); return; }
  const node = document.querySelector(`#k-transcript .k-message[data-id="${CSS.escape(id)}"]`);
  const m = K.messages().find((one) => one.id === id);
  if (!node || !m) return;
  if (K.editing && !leave()) return;
  const box = K.el("textarea", { class: "k-editbox", "aria-label": K.t("edit"), dir: "auto", rows: 1, lang: K.here()?.language ?? null });
  const row = K.el("div", { class: "k-edit-tools" });
  const editor = K.el("div", { class: "k-editor" }, box, row);
  box.value = m.text;
  const fit = () => { box.style.height = "auto"; box.style.height = `${Math.min(box.scrollHeight + 4, Math.round(window.innerHeight * 0.6))}px`; };
  const save = () => {
    const text = box.value;
    if (!text.trim()) { box.focus(); return; }
    if (text === K.editing.was) { leave(); return; }
    if (K.newest()?.id === id) commit("edit");
    else ask();
  };
  const commit = (operation) => {
    const text = box.value;
    box.readOnly = true;
    K.act(operation, { message: id, text }, (done) => {
      box.readOnly = false;
      if (done) close();
      else { plain(); box.focus(); }
    });
  };
  const choice = (label, act, options = {}) => K.el("button", { class: "k-button", type: "button", text: label, onclick: act, ...options });
  const plain = () => row.replaceChildren(
    choice(K.t("save"), save, { class: "k-button k-firmly" }), choice(K.t("cancel"), () => leave(true)),
    K.el("span", { class: "k-quiet k-only-fine", text: K.t("edit_keys", { key: K.keyName?.("Ctrl+Enter") ?? "Ctrl+Enter" }) }));
  // Later turns follow: once, what is to become of them.
  const ask = () => {
    row.replaceChildren(
      K.el("span", { class: "k-ask", role: "status", text: K.t("edit_later") }),
      choice(K.t("edit_keep"), () => commit("edit"), { class: "k-button k-firmly", title: K.t("edit_keep_means") }),
      choice(K.t("edit_branch"), () => commit("edit_in_branch"), { title: K.t("edit_branch_means") }),
      choice(K.t("cancel"), () => { plain(); box.focus(); }));
    row.querySelector("button").focus();
    row.scrollIntoView({ block: "nearest" });
  };
  box.addEventListener("input", fit);
  editor.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (row.querySelector(".k-ask")) { plain(); box.focus(); } else leave(true);
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === box) {
      event.preventDefault();
      save();
    }
  });
  K.editing = { id, was: m.text, box, node, leave };
  node.classList.add("k-edited-now");
  node.querySelector(".k-leaf").append(editor);
  plain();
  fit();
  box.focus({ preventScroll: true });
  box.setSelectionRange(box.value.length, box.value.length);
  editor.scrollIntoView({ block: "nearest" });
};
const close = () => {
  const { node } = K.editing;
  K.editing = null;
  node.classList.remove("k-edited-now");
  node.querySelector(".k-editor")?.remove();
  K.redraw("transcript");
};
// Leave without saving; false where something was typed and the reader did not say so. What was typed can be had back.
const leave = (surely = false) => {
  const { box, was, id, node } = K.editing;
  const text = box.value;
  if (!surely && text !== was) { box.focus(); K.toast(K.t("edit_open")); return false; }
  close();
  if (text !== was) K.toast(K.t("edit_left"), { label: K.t("edit_back"), act: () => { K.edit(id); if (K.editing) K.editing.box.value = text; } });
  else if (node.isConnected) node.focus({ preventScroll: true });
  return true;
};
// The message that is edited is gone: taken out in another tab, or the chat was left. What was typed is not.
K.dropEditing = () => {
  if (!K.editing) return;
  const { box, was } = K.editing;
  const text = box.value;
  K.editing = null;
  if (text !== was) K.toast(K.t("edit_lost"), { label: K.t("copy"), act: () => K.copyText(text) });
};
