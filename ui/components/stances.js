// Judgments of a character drafted into its form by the model that was chosen: put below what stands there, kept only when the form is saved.
const ADDRESS = "keepsake/stance-drafts";
const SENT = ["name", "tagline", "description", "personality", "scenario", "first_mes", "stances", "language"];
// texts: the form as it stands; put: takes what was drafted; fault: says what is wrong with what stands in the field.
K.stanceDrafting = ({ texts, put, fault }) => {
  if (!K.house?.status || K.house.status.small) return null;   // the bundled model cannot
  let request = null;
  const says = K.el("span", { class: "k-quiet", role: "status" });
  const button = K.el("button", { class: "k-link", type: "button", "data-stances": "draft", onclick: () => (request ? request.abort() : draft()) });
  const label = () => { button.textContent = K.t(request ? "stances_stop" : "stances_draft"); };
  const draft = async () => {
    const mine = new AbortController(), now = texts();
    request = mine;
    label();
    says.textContent = K.t("stances_drafting");
    let answer;
    try {
      answer = await (await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(Object.fromEntries(SENT.map((name) => [name, now[name] ?? ""]))), cache: "no-store", signal: mine.signal })).json();
    } catch { answer = mine.signal.aborted ? { refused: { code: "drafting_stopped", params: {} } } : { refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
    request = null;
    if (!button.isConnected) return;
    label();
    if (answer.refused?.params?.field === "stances") { says.textContent = ""; fault(K.sentence(answer.refused)); return; }
    if (answer.refused || answer.kept === undefined) { says.textContent = answer.refused ? K.sentence(answer.refused) : K.t("no_server"); return; }
    if (answer.kept) put(answer.text);
    says.textContent = [answer.kept ? K.t("stances_drafted", { n: answer.kept, model: answer.model, tokens: K.number(answer.tokens) }) : K.t("stances_none_drafted", { model: answer.model }), answer.left_out && K.t("stances_left_out", { n: answer.left_out })].filter(Boolean).join(K.gap());
  };
  label();
  const row = K.el("p", { class: "k-drafting-stances" }, button, " ", says);
  row.stop = () => request?.abort();
  return row;
};
