// A conversation that is held for a project: above the box stands how far it is, with the way to hand it in and to stop.
const row = K.el("div", { class: "k-taking", role: "group", hidden: true });
let known = "";
let taking = null;
let drawn = "";
K.takingRow = () => row;

const look = async () => {
  const chat = K.chat;
  const said = await K.markAsk("taking");
  if (K.chat !== chat) return;
  taking = said.taking ?? null;
  draw();
};
const stop = async () => {
  const mine = taking;
  if (!mine || !(await K.confirm({ title: K.t("taking_stop"), text: K.t("taking_stop_means"), act: K.t("taking_stop"), danger: true }))) return;
  const said = await K.markAsk("leave", { taking: mine.id });
  if (said.error) { K.toast(K.t("taking_refused")); return; }
  K.toast(K.t("taking_stopped"));
  look();
};
const briefing = () => K.dialog({ name: "briefing", title: taking.project_name, kind: "k-small", body: [K.el("p", { class: "k-briefing", dir: "auto", text: taking.briefing || K.t("taking_no_briefing") })] });
const more = (anchor) => K.menu(anchor, [
  { name: "briefing", icon: "note", label: K.t("taking_briefing"), act: briefing },
  { name: "stop", icon: "bin", label: K.t("taking_stop"), act: stop, grave: true },
], { title: K.t("taking_menu") });
const draw = () => {
  const rounds = Math.max(taking?.rounds ?? 0, K.here()?.rounds ?? 0);
  const mark = JSON.stringify([K.language, K.chat, taking, rounds]);
  if (mark === drawn) return;
  drawn = mark;
  row.hidden = !taking;
  if (!taking) { row.replaceChildren(); return; }
  const reached = rounds >= taking.target;
  const far = K.t(taking.handed ? "taking_handed" : reached ? "taking_reached" : "taking_rounds", { n: rounds, of: taking.target });
  row.setAttribute("aria-label", K.t("taking_menu"));
  row.replaceChildren(K.icon("flag"), K.el("span", { class: "k-taking-name", dir: "auto", text: taking.project_name }), K.el("span", { class: "k-quiet k-taking-count", role: "status", text: far }),
    K.el("progress", { max: taking.target, value: Math.min(rounds, taking.target), "aria-label": far }),
    !taking.handed && taking.open && rounds > 0
      ? K.el("a", { class: reached ? "k-button k-firmly" : "k-button", href: `/keepsake/annotation#hand=${encodeURIComponent(taking.id)}`, text: K.t("taking_hand_in") })
      : K.el("span", { class: "k-quiet", text: taking.handed || taking.open ? "" : K.t("taking_closed") }),
    K.dots(K.t("taking_menu"), more));
};
K.drawTaking = () => {
  if (K.chat && known !== K.chat) { known = K.chat; taking = null; look(); }
  if (!K.chat) { known = ""; taking = null; }
  draw();
};
