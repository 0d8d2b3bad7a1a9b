// What sessions were about: each topic with what was told of it last, and below it what earlier sessions told.
const told = (one) => ({ ...one, kind: "topic" });
const rounds = (one) => one.rounds.flatMap((round, at) => (at ? [" ", K.roundLink(round, round)] : [K.roundLink(round, round)]));
const telling = (one) =>
  K.el("li", { class: `k-telling${one.excluded ? " k-left-out" : ""}`, "data-memory": one.id },
    K.el("header", {}, K.el("time", { datetime: one.at, text: K.date(one.at) }), K.el("span", { class: "k-told-in" }, rounds(one)), K.memoryDots(told(one))),
    K.el("p", { class: "k-badges" }, K.memoryBadges(one)),
    K.el("blockquote", { dir: "auto", lang: K.here()?.language ?? null, text: one.text }));
const topic = (tellings, heading) => {
  const [newest, ...earlier] = tellings;
  return K.el("li", { class: "k-topic" },
    K.el("h3", { dir: "auto", lang: K.here()?.language ?? null, text: heading }),
    K.el("p", { class: "k-quiet", dir: "auto", text: K.t("topic_by", { name: newest.who }) }),
    K.el("ol", {}, telling(newest)),
    earlier.length > 0 && K.el("details", { class: "k-before" }, K.el("summary", { text: K.t("topic_earlier", { n: earlier.length }) }), K.el("ol", {}, earlier.map(telling))));
};

K.surface("topics", { element, props, watch }, (root, value) => {
  if (!K.chat || !value) {
    root.replaceChildren(K.chat ? K.el("p", { class: "k-quiet k-empty", text: K.t("loading") }) : K.nothingOpen("topics"));
    return;
  }
  const open = value.open_since > 0;
  const end = K.el("p", { class: "k-session" },
    K.el("span", { class: "k-quiet", text: open ? K.t("session_open", { n: value.open_since }) : K.t("session_closed") }), " ",
    K.el("button", {   // always there, so that the focus is not lost with the session that was ended
      class: "k-button", type: "button", "aria-disabled": String(!open), title: K.t("end_session_means"), text: K.t("end_session"),
      onclick: () => { if (open) trigger("end", { chat: K.chat, marks: K.marks, ...K.view }); else K.toast(K.t("session_closed")); },
    }));
  const none = K.el("p", { class: "k-quiet k-empty", text: K.noneYet(K.t("topics_none", { n: value.idle })) });
  K.refill(root, ...[end, ...K.broughtAlong(value.carried), value.topics.length ? K.el("ol", { class: "k-topics" }, value.topics.map((tellings, at) => topic(tellings, value.headings[at]))) : none,
    value.topics.length > 0 && K.el("p", { class: "k-quiet", text: K.t("topics_mean", { n: value.idle }) })].filter(Boolean));
});
