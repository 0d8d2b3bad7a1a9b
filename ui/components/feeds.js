// Lines from another program: the address, the tokens, and how to feed a file. A token is shown once, here, and goes through no part of the page that keeps anything.
const ADDRESS = "/keepsake/listening";
const ask = async (act, rest = {}) => {
  try {
    const answer = await fetch(ADDRESS, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: act, chat: K.chat, ...rest }), cache: "no-store" });
    return await answer.json();
  } catch { return { refused: { code: "unreachable", params: {}, message: K.t("no_server") } }; }
};
const day = (ms) => K.date(new Date(ms).toISOString());
const copied = (label, text) => K.el("div", { class: "k-copied" },
  K.el("pre", { tabindex: 0, "aria-label": label, text }), K.tool("copy", label, () => K.copyText(text), { class: "k-plain" }));

K.openFeeds = async () => {
  const name = K.el("input", { class: "k-field", type: "text", maxlength: K.house.name_limit, autocomplete: "off", dir: "auto", "aria-label": K.t("listen_token_name"), placeholder: K.t("listen_token_name") });
  const says = K.el("p", { class: "k-fault", role: "alert" });
  const shown = K.el("div", { class: "k-token", role: "status" });
  const list = K.el("ul", { class: "k-tokens" });
  const place = K.el("div");
  const nameOf = (one) => one.name || K.t("listen_token_unnamed");
  const fill = (news) => {
    if (news.refused) { says.textContent = K.sentence(news.refused); return; }
    says.textContent = "";
    const address = `${location.origin}${news.address}`;
    place.replaceChildren(copied(K.t("listen_address"), address));
    list.replaceChildren(...(news.tokens.length ? news.tokens.map((one) => K.el("li", { "data-token": one.id },
      K.el("span", {}, K.el("b", { dir: "auto", text: nameOf(one) }), " ",
        K.el("small", { class: "k-quiet", text: `${K.t("listen_token_made", { day: day(one.made) })} · ${one.used ? K.t("listen_token_used", { day: day(one.used) }) : K.t("listen_token_unused")}` })),
      K.el("button", { class: "k-link", type: "button", text: K.t("listen_token_revoke"), "aria-label": K.t("listen_token_revoke_which", { name: nameOf(one) }),
        onclick: async () => { shown.replaceChildren(); fill(await ask("revoke", { token: one.id })); name.focus(); } })))
      : [K.el("li", { class: "k-quiet", text: K.t("listen_tokens_none") })]));
    if (news.made) shown.replaceChildren(
      K.el("p", { text: K.t("listen_token_shown") }), copied(K.t("listen_token_copy"), news.made),
      K.el("p", { class: "k-quiet", text: K.t("listen_command") }),
      copied(K.t("listen_command"), `KEEPSAKE_LISTEN_TOKEN=${news.made} python -m chat.listen ${address} < lines.jsonl`));
  };
  const make = async () => { const news = await ask("make", { name: name.value.trim() }); fill(news); if (!news.refused) { name.value = ""; shown.querySelector("button")?.focus(); } };
  name.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing && event.keyCode !== 229) { event.preventDefault(); make(); } });
  K.dialog({ name: "feeds", title: K.t("listen_feeds"), body: [
    K.el("p", { class: "k-quiet", text: K.t("listen_feeds_means") }),
    !K.listens() && K.el("p", { class: "k-degraded", role: "note", text: K.t("listen_feeds_off") }),
    K.el("h3", { text: K.t("listen_address") }), place,
    K.el("h3", { text: K.t("listen_tokens") }), list, shown, says,
    K.el("div", { class: "k-choices k-make-token" }, name, K.el("button", { class: "k-button k-firmly", type: "button", "data-choice": "make", text: K.t("listen_token_make"), onclick: make }))] });
  fill(await ask("list"));
};
