// One message of the transcript: who, what, its wordings to leaf through, and quiet tools that show when it is pointed at or reached by keyboard.
const HOLD_MS = 480;        // how long a finger rests on a message until its sheet opens
const STRAY = 12;           // pixels it may stray meanwhile
const SWEEP = 56;           // pixels sideways that turn a leaf

K.signatureOf = (m, newest) => [m.status, m.heard, K.listens(), m.receipt, m.round, m.variant, m.variants, m.hidden, m.edited, newest, K.speaksNow(m.id), K.hasVoices(), K.translationMark(m), m.present?.join(","), K.story.group?.members.length, K.language, m.name, m.at, K.here()?.face, m.text].join("|");

const leaves = (m, newest) => {
  const further = newest && K.replyable(m);
  if (m.variants < 2 && !further) return null;
  const onward = m.variant < m.variants ? "wording_next" : "another_reply";
  return K.el("span", { class: "k-leaves", role: "group", "aria-label": K.t("wordings") },
    K.tool("left", K.t("wording_before"), () => K.leaf(m, -1), { disabled: m.variant < 2, "data-leaf": "-1" }),
    K.el("span", { class: "k-leaf-count", "aria-label": K.t("wording_of", { n: m.variant, all: m.variants }), text: `${m.variant}/${m.variants}` }),
    K.tool("right", K.t(onward), () => K.leaf(m, 1), { disabled: m.variant >= m.variants && !further, "data-leaf": "1" }));
};

// One stop for the Tab key; the arrows go from tool to tool.
const walk = (event) => {
  const tools = [...event.currentTarget.querySelectorAll("button")].filter((tool) => tool.offsetParent !== null);
  const at = tools.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tools.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  tools[Math.max(0, Math.min(to, tools.length - 1))].focus();
};
const tools = (m, newest) => {
  const quick = newest && K.replyable(m) ? ["regenerate", "resume", "edit", "copy", "mark"] : ["edit", "branch", "copy", "mark"];
  const all = K.deeds(m).filter(Boolean);
  return K.el("span", { class: "k-toolbar", role: "toolbar", "aria-label": K.t("message_menu"), onkeydown: walk },
    quick.map((name) => all.find((deed) => deed.name === name)).filter(Boolean).map((deed) => K.tool(deed.icon, deed.label, deed.act, { tabindex: -1, "data-deed": deed.name })),
    K.dots(K.t("message_menu"), (anchor) => K.openDeeds(m, anchor), { "data-deed": "more" }));
};

// Fingers: resting opens the sheet; on the newest reply a sweep turns the leaf.
const touch = (node, m, newest) => {
  let at = null;
  let timer = null;
  const off = () => { clearTimeout(timer); at = null; };
  node.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || event.target.closest("button, textarea, a, summary")) return;
    at = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => { if (at && !window.getSelection()?.toString()) { off(); navigator.vibrate?.(8); K.openDeeds(m, node); } }, HOLD_MS);
  });
  node.addEventListener("pointermove", (event) => { if (at && Math.hypot(event.clientX - at.x, event.clientY - at.y) > STRAY) clearTimeout(timer); });
  node.addEventListener("pointerup", (event) => {
    if (at && newest && K.replyable(m)) {
      const [x, y] = [event.clientX - at.x, event.clientY - at.y];
      if (Math.abs(x) > SWEEP && Math.abs(y) < Math.abs(x) / 2) K.leaf(m, x < 0 ? 1 : -1);
    }
    off();
  });
  node.addEventListener("pointercancel", off);
  node.addEventListener("contextmenu", (event) => { if (event.pointerType && event.pointerType !== "mouse") event.preventDefault(); });
};

// Of several characters some may not have been there.
const heardBy = (m) => {
  const all = K.story.group?.members ?? [];
  if (!all.length || m.present.length === all.length) return null;
  const names = m.present.filter((name) => name !== m.name);
  const words = m.present.length ? K.t("company_heard", { names: K.namesOf(names.length ? names : m.present) }) : K.t("company_heard_none");
  return K.el("span", { class: "k-heard", "data-heard": m.present.join(",") }, K.icon("eye"), K.el("span", { text: words }));
};
const ghost = (m) => m.hidden && K.el("span", { class: "k-badge k-ghost", title: K.t("hidden_means") }, K.icon("ghost"), K.el("span", { text: K.t("hidden") }));
const moves = (m) =>
  K.el("article", { class: `k-message k-moves${m.hidden ? " k-hidden" : ""}`, "data-id": m.id, "data-round": m.round, tabindex: -1 },
    ghost(m), K.el("div", { dir: "auto", lang: K.here()?.language ?? null }, K.prose(m.text)), K.dots(K.t("message_menu"), (anchor) => K.openDeeds(m, anchor), { "data-deed": "more" }));

K.messageOf = (m, newest) => {
  if (m.role === "narrator" && K.editing?.id !== m.id) return moves(m);
  const mine = m.role === "user";
  const turned = leaves(m, newest);
  const status = m.status !== "complete" && K.knows(`status_${m.status}`);
  const node = K.el("article", {
    class: `k-message ${mine ? "k-reader-says" : "k-character-says"}${m.hidden ? " k-hidden" : ""}${newest ? " k-newest" : ""}`,
    "data-id": m.id, "data-round": m.round, "data-status": m.status, tabindex: -1,
  },
    mine ? null : K.avatar(m.name, "m"),
    K.el("div", { class: "k-leaf" },
      K.el("header", {},
        K.el("b", { text: m.name }),
        ghost(m),
        K.el("span", { class: "k-kept-place" }),
        K.el("span", { class: "k-marks-place" }),
        K.el("span", { class: "k-meta" },
          m.edited && K.el("span", { text: K.t("edited") }),
          m.round > 0 && K.el("span", { text: K.t("round", { n: m.round }) }),
          K.el("time", { datetime: m.at, text: K.time(m.at) })),
        tools(m, newest)),
      K.el("div", { class: "k-prose", lang: K.here()?.language ?? null }, K.prose(m.text)),
      K.translationOf(m),
      (status || m.receipt || turned || heardBy(m) || K.speaksNow(m.id)) && K.el("footer", {},
        K.hushButton(m),
        turned,
        heardBy(m),
        status && K.el("span", { class: "k-status", text: K.t(`status_${m.status}`) }),
        status && newest && K.replyable(m) && K.el("button", { class: "k-link k-resume", type: "button", text: K.t("resume"), onclick: () => K.resume(m) }),
        m.receipt && K.el("button", { class: "k-link k-remembered", type: "button", onclick: () => K.showReceipt(m) }, K.icon("thread"), K.el("span", { text: K.t(m.heard ? "heard_called_up" : "remembered") })))));
  touch(node, m, newest);
  return node;
};
