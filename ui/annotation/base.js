// What every view of the workbench uses: words, elements, questions to the server, toasts, dialogs, keys.
"use strict";
const A = {
  words: JSON.parse(document.getElementById("a-words").textContent),
  member: JSON.parse(document.getElementById("a-member").textContent),
  language: document.documentElement.dataset.language,
  place: document.documentElement.dataset.place ?? "/keepsake/annotation",   // the page of runs stands on this base too
  views: {},
  leaving: null,   // what a view does before another takes its place
  keys: null,      // what a view does with a key
};
A.t = (key, values = {}) => {
  const forms = (A.words[key] ?? key).split("|");
  const text = forms.length > 1 && values.n !== 1 ? forms[1] : forms[0];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
};
// Text is set as text, never as markup.
A.el = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
};
A.button = (label, act, attributes = {}, key = "") => A.el("button", { type: "button", onclick: act, ...attributes }, label, key && A.el("kbd", { text: A.keyName(key) }));
const apple = /Mac|iP(hone|ad)/.test(navigator.platform);
const KEY_NAMES = { Ctrl: apple ? "⌘" : "Ctrl", Shift: apple ? "⇧" : "Shift", Alt: apple ? "⌥" : "Alt", Backspace: "⌫", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
A.keyName = (key) => key.split("+").map((part) => KEY_NAMES[part] ?? part).join(apple ? " " : "+");
A.id = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
// Places are counted in characters (code points) on the server, in UTF-16 units here.
A.points = (text, units) => Array.from(text.slice(0, units)).length;
A.units = (text, points) => Array.from(text).slice(0, points).join("").length;

A.complain = (error) => {
  const params = { ...error.params };
  if (params.field) params.field = A.words[`field_${params.field}`] ?? A.t("field_other");
  const said = A.words[`error_${error.code}`] ? A.t(`error_${error.code}`, params) : error.message || A.t("error_unexpected");
  A.trouble(said);
};
A.trouble = (text) => {
  const box = document.getElementById("a-trouble");
  box.replaceChildren(...(text ? [A.el("span", { text }), A.button("×", () => A.trouble(""), { class: "plain", "aria-label": A.t("close") })] : []));
  box.hidden = !text;
};
// One question after the other, so that what is answered is what was asked last. Answers the object, or null where it was refused and said so.
let line = Promise.resolve();
A.send = async (doing, fields = {}) => {
  const answer = await fetch(`${A.place}/do`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: doing, ...fields }) });
  if (answer.status === 401) { location.assign("/keepsake/login"); return { error: { code: "not_logged_in", params: {} } }; }
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
};
A.ask = (doing, fields = {}) => {
  const asked = line.then(async () => {
    try {
      const said = await A.send(doing, fields);
      await window.keepsakePress.free();
      if (said.error) { A.complain(said.error); return null; }
      return said;
    } catch { A.trouble(A.t("no_server")); return null; }
  });
  line = asked;
  return asked;
};
A.toast = (text, act = null, label = "") => {
  const box = A.el("div", { class: "toast" }, A.el("span", { text }), act && A.button(label, () => { box.remove(); act(); }));
  document.getElementById("a-toasts").replaceChildren(box);
  setTimeout(() => box.remove(), 8000);
};
A.dialog = (title, body, buttons) => new Promise((answer) => {
  const end = (value) => { box.close(); box.remove(); before?.focus?.({ preventScroll: true }); answer(value); };
  const before = document.activeElement;
  const box = A.el("dialog", { "aria-label": title, oncancel: (event) => { event.preventDefault(); end(null); } },
    A.el("h2", { text: title }), body,
    A.el("div", { class: "row end" }, buttons.map(([value, label, kind]) => A.button(label, () => end(typeof value === "function" ? value() : value), { class: kind }))));
  document.body.append(box);
  box.showModal();
  (box.querySelector("[autofocus]") ?? box.querySelector("button.firm") ?? box.querySelector("button")).focus();
});
A.sure = (text, label, kind = "firm") => A.dialog(label, A.el("p", { text }), [[false, A.t("cancel"), ""], [true, label, kind]]);
A.keySheet = (rows) => A.dialog(A.t("keys"), A.el("table", { class: "keys" }, rows.map(([keys, label]) => A.el("tr", {}, A.el("td", {}, keys.map((key) => A.el("kbd", { text: A.keyName(key) }))), A.el("td", { text: A.t(`key_${label}`) })))), [[true, A.t("close"), "firm"]]);
A.guideline = (sheet) => A.dialog(`${A.t("guideline")} · ${A.t("guideline_version", { version: sheet.guideline.version })}`, A.el("div", { class: "guideline", text: sheet.guideline.text }), [[true, A.t("read_it"), "firm"]]).then((read) => {
  if (read && sheet.assignment.guideline < sheet.guideline.version) {
    sheet.assignment.guideline = sheet.guideline.version;
    A.ask("read", { assignment: sheet.assignment.id, version: sheet.guideline.version });
    document.getElementById("a-news")?.remove();
  }
});
A.news = (sheet) => sheet.assignment.guideline < sheet.guideline.version && A.el("p", { id: "a-news", class: "told" }, A.t("new_guideline", { version: sheet.guideline.version }), A.button(A.t("guideline"), () => A.guideline(sheet), {}, "G"));
A.crumbs = (...parts) => document.getElementById("a-crumbs").replaceChildren(A.el("a", { href: "#home", text: A.t("workbench") }), ...parts.flatMap((part) => [A.el("span", { text: "›", "aria-hidden": "true" }), part]));
A.show = (...children) => { const main = document.getElementById("a-main"); main.className = ""; main.replaceChildren(...children); return main; };
A.kept = (text) => { document.getElementById("a-kept").textContent = text; };
// A key that belongs to an input method: in some browsers the one that ends the composition says so by its code alone.
A.composing = (event) => event.isComposing || event.keyCode === 229;
A.pressed = (event) => {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && !"?".includes(key);
  return [(event.ctrlKey || event.metaKey) && "Ctrl", event.altKey && "Alt", shift && "Shift", key].filter(Boolean).join("+");
};
// A form that belongs to no dialogue: what is typed in it stands in this browser until it is sent or emptied. boxes: by name. Answers what was found, and forgets it.
A.keeping = (name, boxes) => {
  const key = `keepsake.draft.form.${A.member.id}.${name}`;
  const first = Object.fromEntries(Object.entries(boxes).map(([part, box]) => [part, box.value]));
  let found = false;
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null");
    for (const [part, box] of Object.entries(boxes)) if (typeof kept?.[part] === "string" && kept[part] !== box.value) { box.value = kept[part]; found = true; }
  } catch { /* this browser keeps nothing, or nothing of ours */ }
  const note = () => {
    const now = Object.fromEntries(Object.entries(boxes).map(([part, box]) => [part, box.value]));
    try { if (Object.entries(now).some(([part, value]) => value !== first[part])) localStorage.setItem(key, JSON.stringify(now)); else localStorage.removeItem(key); } catch { /* this browser keeps nothing */ }
  };
  for (const box of Object.values(boxes)) box.addEventListener("input", note);
  return { found, end: () => { try { localStorage.removeItem(key); } catch { /* nothing was kept */ } } };
};
// Drafts: in this browser at once, on the server a moment later, and with the last breath when the tab goes.
A.drafts = (assignment, read, doing = "draft") => {
  const name = `keepsake.draft.annotation.${A.member.id}.${assignment}`;
  let timer = 0, since = 0, going = Promise.resolve(), ended = false;
  const send = (leaving) => {
    clearTimeout(timer);
    timer = since = 0;
    const { draft, place } = read();
    const body = JSON.stringify({ do: doing, assignment, draft, place });
    going = fetch("/keepsake/annotation/do", { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: leaving && body.length < 60000 })
      .then((answer) => answer.json()).then((said) => {
        if (said.error) A.complain(said.error);
        else { A.kept(A.t("kept")); if (localStorage.getItem(name) === draft) localStorage.removeItem(name); }
      }).catch(() => { A.kept(A.t("kept_here")); if (!ended && !timer) timer = setTimeout(() => send(false), 5000); });
    return going;
  };
  const leave = () => { if (timer) send(true); };
  window.addEventListener("pagehide", leave);
  return {
    found: () => { try { return localStorage.getItem(name); } catch { return null; } },
    note: () => {
      try { const { draft } = read(); if (draft) localStorage.setItem(name, draft); else localStorage.removeItem(name); } catch { /* this browser keeps nothing: the server does */ }
      A.kept(A.t("keeping"));
      clearTimeout(timer);
      since ||= Date.now();
      timer = setTimeout(() => send(false), Date.now() - since > 2000 ? 0 : 400);   // also while somebody types on and on
    },
    // Nothing is under way that could arrive after what is sent next.
    still: () => { clearTimeout(timer); timer = since = 0; return going; },
    end: () => { ended = true; leave(); clearTimeout(timer); window.removeEventListener("pagehide", leave); },
  };
};
