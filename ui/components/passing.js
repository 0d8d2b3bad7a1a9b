// A temporary conversation: a dialog of its own. What is said in it is in the server's memory and on this page, and when it is left on neither.
const ADDRESS = "keepsake/passing";
const LOOK_MS = 350;
const AWAKE_MS = 30000;    // between two looks while nothing is being written: the server lets go of what nobody looks at
let open = null;
let token = "";
let value = null;
let box = null;
let button = null;
let talk = null;
let status = null;
let seen = null;           // how many things of the player's own the talk showed last; null: it was not shown yet
let timer = null;
let looked = 0;
let leaving = false;
let waits = false;         // something was said, and its answer from the server is not there yet

const running = () => waits || Boolean(value?.job);
const post = (said) => fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...said, offset: K.offset() }), cache: "no-store" });
let asking = 0;            // requests on their way; looks wait for the others
const ask = async (act, rest = {}) => {
  const mine = open;
  looked = Date.now();
  asking += 1;
  let news;
  try { news = await (await post({ do: act, token, mark: value?.mark ?? "", ...rest })).json(); } catch { news = { token, refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
  asking -= 1;
  if (open !== mine || !open) { if (act === "begin" && news.token) post({ do: "leave", token: news.token }); return; }
  take(news);
};
const look = () => { if (token && !asking && (running() || Date.now() - looked > AWAKE_MS)) ask("look"); };
// The tab goes away: the browser still sends this.
window.addEventListener("pagehide", () => { if (token) navigator.sendBeacon(ADDRESS, JSON.stringify({ do: "leave", token })); });
const say = () => {
  const text = box.value;
  if (!text.trim() || running()) { box.focus(); return; }
  waits = true;
  ask("say", { text });
  fill();
};
const ownOf = (messages) => (messages ?? []).filter((m) => m.role === "user").length;
const message = (m) => K.el("article", { class: `k-message ${m.role === "user" ? "k-reader-says" : "k-character-says"}` },
  m.role === "user" ? null : K.avatar(m.name, "m", null),
  K.el("div", { class: "k-leaf" }, K.el("header", {}, K.el("b", { text: m.name })), K.el("div", { class: "k-prose", lang: value.language }, K.prose(m.text)),
    m.status && m.status !== "complete" && K.knows(`status_${m.status}`) && K.el("footer", {}, K.el("span", { class: "k-status", text: K.t(`status_${m.status}`) }))));

const USUAL = "usual";      // no persona has such an id
let whom = null;           // the persona that was chosen for it; null: whoever new conversations begin as, with that character or with all
const as = () => {
  const box = K.el("select", { class: "k-field", id: "k-passing-as", "data-choice": "as", onchange: () => { whom = box.value === USUAL ? null : box.value; } },
    [{ id: USUAL, name: K.t("passing_as_usual", { name: K.defaultPlayer()?.name ?? K.t("play_nobody") }) }, ...K.players.listed, { id: "", name: K.t("play_nobody") }].map((one) => K.el("option", { value: one.id, text: one.name })));
  box.value = whom ?? USUAL;
  return box;
};
const choose = () => [
  K.el("p", { text: K.t("passing_means") }), K.el("p", { class: "k-quiet", text: K.t("passing_beyond") }), K.players.listed.length > 0 && K.el("p", { class: "k-passing-as" }, K.el("label", { for: "k-passing-as", text: K.t("passing_as") }), as()), K.el("h3", { text: K.t("passing_with") }),
  K.el("ul", { class: "k-forms" }, K.everybody().map((one) => K.el("li", {}, K.el("button", { class: "k-hit k-passing-whom", type: "button", "data-character": one.id, onclick: () => ask("begin", { character: one.id, player: whom }) },
    K.avatar(one.name, "s", null), K.el("span", { lang: one.language }, K.el("b", { text: one.name }), K.el("small", { text: one.tagline })))))),
  value?.refused && K.el("p", { class: "k-refusal", role: "alert", text: K.sentence(value.refused) })].filter(Boolean);
const fill = () => {
  if (!open) return;
  if (!token) { K.refill(open.content, ...choose()); return; }
  if (!box) {
    box = K.el("textarea", { class: "k-field", rows: 2, dir: "auto", autocomplete: "off", maxlength: K.house.limit });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) { event.preventDefault(); say(); }
    });
    button = K.el("button", { class: "k-button k-firmly", type: "button", onclick: () => (running() ? ask("halt") : say()) });
    talk = K.el("div", { class: "k-passing-talk", tabindex: 0, role: "log" });
    status = K.el("p", { class: "k-quiet k-passing-phase", role: "status" });
    open.content.replaceChildren(K.el("details", { class: "k-passing-note" }, K.el("summary", { text: K.t("passing_kept") }), K.el("p", { class: "k-quiet", text: K.t("passing_means") }), K.el("p", { class: "k-quiet", text: K.t("passing_beyond") })),
      talk, status, K.el("div", { class: "k-asker" }, box, button),
      K.el("div", { class: "k-choices" }, K.el("button", { class: "k-link k-passing-leave", type: "button", text: K.t("passing_leave"), onclick: () => leave() })));
    box.focus({ preventScroll: true });
    seen = null;
  }
  talk.setAttribute("aria-label", K.t("conversation"));
  box.setAttribute("aria-label", K.t("your_message"));
  button.textContent = K.t(running() ? "stop" : "send");
  // Whoever comes in reads from the greeting's beginning on; whoever says something is at the end.
  const own = ownOf(value.messages);
  const atEnd = seen !== null && (own > seen || talk.scrollHeight - talk.scrollTop - talk.clientHeight < 60);
  seen = own;
  const job = value.job;
  talk.replaceChildren(...[...value.messages.map(message), job && job.text && message({ role: "character", name: value.name, text: job.text })].filter(Boolean));
  if (atEnd) talk.scrollTop = talk.scrollHeight;
  const waiting = !running() && value.messages.at(-1)?.role === "user";
  status.replaceChildren(...[
    job && K.el("span", { text: K.t(`phase_${job.phase}`, { name: value.name }) }),
    (value.refused || value.error) && K.el("span", { class: "k-refusal", role: "alert", text: K.sentence(value.refused || value.error) }),
    waiting && K.el("button", { class: "k-button", type: "button", text: K.t("ask_reply"), onclick: () => { waits = true; ask("again"); fill(); } })].filter(Boolean));
};
const take = (news) => {
  if (news.refused?.code === "passing_gone") { leaving = true; open.close(); K.toast(K.sentence(news.refused)); return; }
  if (news.refused) value = { messages: [], ...value, refused: news.refused, mark: "" };
  else if (!news.same) {
    if (waits && box && ownOf(news.messages) > ownOf(value?.messages)) box.value = "";
    if (!token) open.title(`${news.name} · ${K.t("passing_open")}`);
    token = news.token;
    value = news;
  }
  waits = false;
  fill();
};
const spoken = () => value?.messages?.some((m) => m.role === "user");
const leave = async () => {
  if (spoken() && !await K.confirm({ title: K.t("passing_leave_title"), text: K.t("passing_leave_text"), act: K.t("passing_leave"), danger: true })) { box?.focus(); return; }
  leaving = true;
  open?.close();
};
const closed = () => {
  clearInterval(timer);
  const said = spoken();
  if (token) post({ do: "leave", token }).catch(() => {});
  if (box) box.value = "";
  open = box = button = talk = status = value = null;
  token = "";
  whom = null;
  waits = leaving = false;
  if (said) K.toast(K.t("passing_gone"));
};
K.openPassing = () => {
  K.drawer(null);
  open = K.dialog({ name: "passing", title: K.t("passing"), kind: "k-passing", closed, may: () => { if (leaving || !spoken()) return true; leave(); return false; } });
  clearInterval(timer);
  timer = setInterval(look, LOOK_MS);
  fill();
};
