// Shared by every component: one object per page, made by whichever script runs first.
// Nothing here or in any other script sets innerHTML; text becomes text nodes.
window.keepsake ??= (() => {
  const K = {
    catalogue: {}, language: "en", chat: null, house: null, shelf: null,
    view: { tab: "persona", shelf: "fact", order: "score", limit: 60, chosen: "", of: "" },   // which sheet is on top, how the memories are listed, and which is looked at
    shown: { version: -1, receipt: "" },   // what of the open chat is on the page
    story: { edition: 0, undo: "", redo: "", branch: "", forked: 0, branches: 1, note: null, player: null, group: null, listening: null },   // where the open chat stands among what was done to it
    marks: {},                             // by component, what it shows: the server does not send it again
    live: null,                            // the reply on its way, or null
    settled: new Set(),                    // replies that are in the transcript
    stuck: true,                           // the reader is at the end of the conversation
    redraws: new Map(),
  };

  K.el = (tag, options = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (value === undefined || value === null || value === false) continue;
      if (name === "class") node.className = value;
      else if (name === "text") node.textContent = value;
      else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "style") Object.entries(value).forEach(([k, v]) => node.style.setProperty(k, v));
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  };

  // What of a sheet is unfolded stays so when it is drawn anew, even between the click and the browser's word of it. keep: called with whether it is open.
  K.unfolds = (open, keep) => ({
    open,
    onclick: ({ target, currentTarget }) => { if (target.closest("summary")?.parentElement === currentTarget) keep(!currentTarget.open); },
    ontoggle: ({ target, currentTarget }) => { if (target === currentTarget) keep(target.open); },
  });

  K.t = (key, values = {}) => {
    const sentence = K.catalogue[K.language]?.[key];
    if (sentence === undefined) return key;
    const forms = sentence.split("|");
    const form = forms.length > 1 && values.n !== 1 ? forms[1] : forms[0];
    return form.replace(/\{(\w+)\}/g, (whole, name) =>
      name in values ? (typeof values[name] === "number" ? K.number(values[name]) : name === "model" ? K.modelNamed(String(values[name])) : String(values[name])) : whole);
  };
  // The program says of its own model in English that it comes along with it.
  K.modelNamed = (name) => name.replace(/^(.+) \(bundled\)$/, (_, own) => K.t("model_of_ours", { name: own }));
  K.knows = (key) => K.catalogue[K.language]?.[key] !== undefined;
  // What stands between two sentences of a language: Chinese ones end with their own room.
  K.gap = (language = K.language) => (String(language).startsWith("zh") ? "" : " ");
  K.colon = () => (K.language === "zh" ? "：" : ": ");
  K.locale = () => (K.language === "zh" ? "zh-CN" : "en-GB");
  // A format takes a hundred times as long to make as to use.
  const formats = new Map();
  const formatOf = (Kind, style) => {
    const key = `${Kind.name} ${K.locale()} ${JSON.stringify(style)}`;
    if (!formats.has(key)) formats.set(key, new Kind(K.locale(), style));
    return formats.get(key);
  };
  K.number = (value, digits = 0) => formatOf(Intl.NumberFormat, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);
  const moment = (iso, style) => {
    const at = new Date(iso);
    return Number.isNaN(at.getTime()) ? "" : formatOf(Intl.DateTimeFormat, style).format(at);
  };
  // The cast that comes with the program, those who speak the reader's language first.
  const oursFirst = (cast) => [...cast].sort((a, b) => (b.language === K.language) - (a.language === K.language));
  K.builtIn = () => oursFirst(K.house?.characters ?? []);
  // Everybody whom a dialog lets choose.
  K.everybody = () => oursFirst([...(K.shelf?.own ?? []), ...(K.house?.characters ?? [])]);
  // How many minutes this browser's clock is ahead of UTC: goes along with every event, so that what is said has the day of who says it.
  K.offset = () => Math.round(-new Date().getTimezoneOffset()) || 0;
  K.day = (iso) => moment(iso, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  K.date = (iso) => moment(iso, { day: "numeric", month: "short", ...(new Date(iso).getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }) });
  // A day that was worked out from words carries no hour: it is the same day wherever the reader is.
  K.calendar = (iso) => (iso ? moment(`${iso.slice(0, 10)}T12:00:00Z`, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }) : "");
  K.time = (iso) => moment(iso, { hour: "2-digit", minute: "2-digit" });
  K.when = (iso) => moment(iso, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });

  // A sentence for an error {code, params, message}; the English message where the catalogue has none or lacks a value for it.
  K.sentence = (error) => {
    const key = [`fault_${error.params?.fault}`, `error_${error.code}`].find(K.knows);
    const text = key ? K.t(key, error.params ?? {}) : "";
    const ours = text && !/\{\w+\}/.test(text) ? text : error.message || K.t("error_unexpected");
    // What a model's server says of it itself: in its words, shortened.
    return error.params?.said ? `${ours}${K.gap()}${K.t("fault_said", { said: error.params.said })}` : ours;
  };

  // What the page keeps in this browser: small choices of the reader's; without storage they last as long as the page.
  const kept = {};
  K.keep = (name, value) => { kept[name] = value; try { localStorage.setItem(`keepsake.${name}`, value); } catch { /* a private window */ } };
  K.kept = (name) => { try { return localStorage.getItem(`keepsake.${name}`) ?? kept[name] ?? null; } catch { return kept[name] ?? null; } };

  K.theme = () => window.keepsakeTheme.now();
  K.setTheme = (theme) => { window.keepsakeTheme.show(theme); K.keep("theme", theme); };

  // An avatar is an SVG of our own, still only ever an image; without one, the first letter of the name. chat: whose conversation it stands in, none for the
  // cast itself: an own character that is called as one of the cast has not its face.
  K.avatar = (name, size = "m", chat = K.here()) => {
    const one = chat && chat.id === K.chat ? K.story.group?.members.find((member) => member.name === name) : null;
    if (one?.face) return K.face(one.face, name, size);
    if (one?.own) return K.monogram(name, size);
    if (chat?.face && chat.character === name) return K.face(chat.face, name, size);
    const svg = (one || !(chat?.own && chat.character === name)) && K.house?.characters.find((character) => character.name === name)?.avatar;
    return svg
      ? K.el("img", { class: `k-avatar k-avatar-${size}`, alt: "", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` })
      : K.monogram(name, size);
  };
  // face: what follows the address of avatars, or nothing.
  K.face = (face, name, size, options = {}) => {
    if (!face) return K.monogram(name, size);
    const picture = K.el("img", { ...options, class: `k-avatar k-avatar-${size}`, alt: "", src: `keepsake/faces/${face}`, onerror: () => picture.replaceWith(K.monogram(name, size)) });
    return picture;
  };
  K.lineOf = (one) => one.tagline || (one.creator ? K.t("by_creator", { creator: one.creator }) : "");   // what a list says of a character
  K.monogram = (name, size) => K.el("span", { class: `k-avatar k-avatar-${size} k-monogram`, "aria-hidden": "true", text: Array.from(name.trim())[0] ?? "·" });

  // Draw a component from its value, now and whenever the value, the language or the open chat changes. A value of another chat is passed over:
  // it belongs to a chat this tab has just left.
  K.surface = (name, { element, props, watch }, draw) => {
    const root = element.querySelector(".k-surface");
    let last = null;
    // All but the frames of a reply come as text (ui/components/surface.py), and are read once.
    let read = { text: null, value: null };
    const told = () => {
      const value = props.value;
      if (typeof value !== "string" || !value) return value || null;
      if (read.text !== value) read = { text: value, value: JSON.parse(value) };
      return read.value;
    };
    // A value that was taken over is let go of: Gradio copies those of all components whenever an event begins, goes on or ends, with every frame of a reply.
    const letGo = () => { if (name !== "live" && props.value) { props.value = null; read = { text: null, value: null }; } };
    // The same of what is said of no conversation, where the program numbers it: by when it was asked for, since it was started.
    const overtaken = (value) => Boolean(value.asked_at && last?.asked_at && value.asked_at[0] === last.asked_at[0] && value.asked_at[1] < last.asked_at[1]);
    const redraw = () => {
      if (!FIRST.has(name) && (K.house === null || K.chat === null)) return;
      const value = told();
      const ours = value && typeof value === "object" && (value.chat === undefined || value.chat === K.chat);
      // Answers can overtake each other: an older state of the conversation never takes the place of a newer one.
      if (ours && !(name === "transcript" && value.version < K.shown.version) && !overtaken(value)) last = value;
      if (last && last.chat !== undefined && last.chat !== K.chat) last = null;
      if (last?.mark) K.marks[name] = last.mark;
      draw(root, last);
      if (ours) letGo();
    };
    // A value that says what is drawn already is not drawn again: what has the focus, is selected or unfolded stays so. A transcript may still end a reply.
    const news = () => {
      const value = told();
      if (!value) return;
      if (name !== "transcript" && value.mark && value.mark === last?.mark) {
        if (!overtaken(value)) last.asked_at = value.asked_at;
        letGo();
      }
      else if (FIRST.has(name)) redraw();
      else K.redrawSoon(name);
    };
    K.redraws.set(name, redraw);
    watch("value", news);
    if (FIRST.has(name)) redraw(); else K.redrawSoon(name);
    return root;
  };
  // What arrives at once is drawn at once, each component one time: what a value makes another component say waits with it. It is drawn in a task of its own, as what
  // Gradio does when an event begins or ends is long by itself; and the sheets beside the conversation each in one more, as the conversation measures where it stands,
  // which lays out whatever was drawn before it. Nothing is drawn before all components have come, in whatever order they do: each may use what another brings, and
  // nothing while a button is pressed (press.js).
  const FIRST = new Set(["facts", "place"]);
  const SHEETS = new Set(["story", "persona", "insights", "topics", "memories", "fading", "receipt", "health"]);
  const pending = new Set();
  let due = false;
  const turn = new MessageChannel();
  const soon = () => { if (!due) { due = true; turn.port2.postMessage(null); } };
  const drawn = (name) => { if (pending.delete(name)) try { K.redraws.get(name)(); } catch (error) { reportError(error); } };
  turn.port1.onmessage = async () => {
    if (window.keepsakePress.held()) await window.keepsakePress.free();
    due = false;
    if (K.redraws.size < K.surfaces) return;
    const ahead = [...K.redraws.keys()].filter((name) => pending.has(name) && !SHEETS.has(name));
    if (ahead.length) ahead.forEach(drawn);
    else drawn([...SHEETS].find((name) => pending.has(name)));
    if (pending.size) soon();
  };
  K.redrawSoon = (...names) => {
    (names.length ? names : [...K.redraws.keys()]).forEach((name) => { if (!FIRST.has(name) && K.redraws.has(name)) pending.add(name); });
    soon();
  };
  K.redraw = (...names) => names.forEach((name) => { if (!pending.has(name)) K.redraws.get(name)?.(); });

  K.fine = () => window.matchMedia("(hover: hover) and (pointer: fine)").matches;
  K.narrow = () => window.matchMedia("(max-width: 900px)").matches;

  // Draw a sheet anew and give the focus back to the button that had it.
  K.refill = (root, ...children) => {
    const inside = root.contains(document.activeElement) ? document.activeElement : null;
    const name = (node) => {
      const item = node.closest("[data-memory], [data-key], [data-first]")?.dataset ?? {};
      return [node.tagName, item.memory, item.key, item.first, node.dataset.choice ?? node.textContent].join();
    };
    const label = inside && name(inside);
    root.replaceChildren(...children);
    if (label) [...root.querySelectorAll("button, summary, [tabindex]")].find((node) => name(node) === label)?.focus({ preventScroll: true });
  };

  // Which model answers is a setting of the house: of whoever runs it.
  K.mayChooseModel = () => !K.house?.account || K.house.account.admin;
  K.here = () => K.shelf?.chats.find((chat) => chat.id === K.chat) ?? null;
  // What a conversation is called that has no title: by who is in it.
  K.nameOf = (chat) => (chat?.members?.length ? chat.members.join(K.language === "zh" ? "、" : ", ") : chat?.character ?? "");
  K.running = () => K.live !== null && !K.live.final;

  // The conversation scrolls in one box; it stays at its end unless the reader has left it.
  K.scroller = () => document.getElementById("k-scroll");
  K.toEnd = (force = false) => {
    if (!K.chat) return;
    const box = K.scroller();
    if (force && !K.stuck) {
      K.stuck = true;
      K.showJump?.();
    }
    if (box && K.stuck) box.scrollTop = box.scrollHeight;
  };

  // Side columns of a narrow screen. An open one is a step of the browser's history, as the hand that holds a phone closes what is open by going back.
  K.drawer = (name) => {
    const before = document.body.dataset.kDrawer;
    if (name && !history.state?.drawer) history.pushState({ drawer: true }, "");
    else if (!name && before && history.state?.drawer) history.back();
    if (name) document.body.dataset.kDrawer = name;
    else delete document.body.dataset.kDrawer;
    document.getElementById("k-centre").inert = Boolean(name);
    document.querySelectorAll("[data-k-opens]").forEach((button) => button.setAttribute("aria-expanded", String(button.dataset.kOpens === name)));
    if (name) (document.querySelector(`#k-${name} [aria-selected="true"]`) ?? document.querySelector(`#k-${name} button`))?.focus();
    else if (before) document.querySelector(`[data-k-opens="${before}"]`)?.focus();
  };
  // The shade beside an open drawer belongs to the body; a screen that grows wide has no drawers.
  document.addEventListener("click", (event) => { if (event.target === document.body && document.body.dataset.kDrawer) K.drawer(null); });
  window.matchMedia("(max-width: 900px)").addEventListener("change", () => K.drawer(null));
  return K;
})();
const K = window.keepsake;
