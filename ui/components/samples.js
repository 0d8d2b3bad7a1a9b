// The sample stories: which there are, how far their memory is, and one click to add or remove each. Beside it, when the tour begins by itself.
const LOOK_MS = 2500;
const SETTLE_MS = 900;    // the page comes to rest before the tour begins by itself
let open = null;
let timer = null;
let begin = null;
let stories = [];
let asked = null;         // the list for which it was looked how far they are
const look = () => trigger("look", { chat: K.chat, marks: K.marks });
const order = (operation, rest, then) => trigger("sample", { operation, chat: K.chat, marks: K.marks, ...rest, token: K.asking(then) });
const percent = (part) => new Intl.NumberFormat(K.locale(), { style: "percent" }).format(part);
const part = (story) => (story.total ? story.done / story.total : 0);
const busy = () => stories.some((story) => story.building);

// While a sample's memory is built: in the list in place of its last line, above the sheets of memory, and in those that are empty yet.
const SHEETS = ["story", "persona", "insights", "topics", "memories", "fading"];
const inWork = (chat) => (chat?.sample ? stories.find((one) => one.chat_id === chat.id && one.building) : null);
const far = (story) => K.t("sample_building", { part: percent(part(story)) });
const place = K.el("div", { class: "k-sample-work", role: "note", hidden: true });
let told = null;          // whose sheets say that they are being filled
K.sampleWork = (chat) => {
  const story = inWork(chat);
  return story ? K.el("span", { class: "k-wraps", text: far(story) }) : null;
};
K.samplePlace = () => place;
K.noneYet = (sentence) => (inWork(K.here()) ? K.t("sample_fills") : sentence);
const drawWork = () => {
  const story = inWork(K.here());
  place.hidden = !story;
  place.replaceChildren(...(story ? [K.el("progress", { max: 1, value: part(story), "aria-label": K.t("sample_building", { part: "" }) }), K.el("span", { text: far(story) })] : []));
  if ((story?.chat_id ?? null) === told) return;
  told = story?.chat_id ?? null;
  K.redraw(...SHEETS);
};
K.sampleBadge = (chat) => chat.sample && K.el("span", { class: "k-badge k-sample", title: K.t("sample_means"), text: K.t("sample") });

const again = (story) => ({ label: K.t("sample_again"), act: () => add(story) });
const add = (story) => order("add", { name: story.key }, (done) => { if (done) open?.close(); });
K.removeSample = (chat) => order("remove", { of: chat.id }, (done, what) => {
  if (!done) return;
  const name = chat.title || chat.character;
  const story = stories.find((one) => one.title === chat.title);
  if (what === "binned") K.toast(K.t("did_sample_binned", { name }), { label: K.t("undo"), act: () => K.arrange("restore", { of: chat.id, open: "yes" }) });
  else K.toast(K.t("did_sample_removed", { name }), story && again(story));
});

const row = (story) => {
  const chat = K.shelf?.chats.find((one) => one.id === story.chat_id);
  return K.el("li", { class: "k-story-sample", "data-sample": story.key },
    K.avatar(story.character, "m", null),
    K.el("div", {},
      K.el("p", {}, K.el("b", { lang: story.language, text: story.title }), " ", K.el("span", { class: "k-quiet", text: [K.t(`speaks_${story.language}`), K.t("chat_rounds", { n: story.rounds })].join(" · ") })),
      K.el("p", { lang: story.language, text: story.about }),
      K.el("p", { class: "k-quiet k-sample-state", role: "status" },
        story.building && K.el("progress", { max: 1, value: part(story), "aria-label": K.t("sample_building", { part: "" }) }),
        story.chat_id ? (story.building ? K.t("sample_building", { part: percent(part(story)) }) : K.t(story.failed ? "sample_failed" : "sample_built")) : ""),
      K.el("span", { class: "k-row-tools" },
        chat
          ? [K.el("button", { class: "k-button", type: "button", "data-deed": "open", text: K.t("sample_open"), onclick: () => add(story) }),
              K.el("button", { class: "k-link", type: "button", "data-deed": "remove", text: K.t("sample_remove"), onclick: () => K.removeSample(chat) })]
          : K.el("button", { class: "k-button k-firmly", type: "button", "data-deed": "add", text: K.t("sample_add"), onclick: (event) => { event.target.disabled = true; event.target.textContent = K.t("sample_adding"); add(story); } }))));
};
const fill = () => {
  if (!open) return;
  const [focused, story] = [document.activeElement?.dataset?.deed, document.activeElement?.closest?.("[data-sample]")?.dataset.sample];
  open.content.replaceChildren(K.el("p", { text: K.t("samples_means") }), K.el("ul", { class: "k-story-samples" }, stories.map(row)));
  if (story) (open.content.querySelector(`[data-sample="${story}"] [data-deed="${focused}"]`) ?? open.content.querySelector(`[data-sample="${story}"] [data-deed]`))?.focus();
};
K.openSamples = () => {
  open = K.dialog({ name: "samples", title: K.t("samples"), body: [K.el("p", { text: K.t("samples_means") })], closed: () => { open = null; } });
  fill();
  look();
};

// An answer that says nothing new never comes, so it is looked on and on while there is work.
const rest = () => {
  if (busy() === (timer !== null)) return;
  clearInterval(timer);
  timer = busy() ? setInterval(() => { if (!document.hidden) look(); }, LOOK_MS) : null;
};
const perhaps = () => {
  clearTimeout(begin);
  if (K.tourSeen() || !K.here()?.sample) return;
  begin = setTimeout(() => { if (!K.tourSeen() && K.here()?.sample && !K.dialogOpen() && document.querySelector("#k-transcript .k-message")) K.startTour(); }, SETTLE_MS);
};
K.samplesLook = () => {
  const there = K.shelf?.chats.filter((chat) => chat.sample).map((chat) => chat.id).join() ?? "";
  if (there && there !== asked) look();
  asked = there;
  drawWork();
  perhaps();
};

K.surface("samples", { element, props, watch }, (root, value) => {
  if (value?.stories && value.stories !== stories) {
    stories = value.stories;
    K.redraw("shelf");
    rest();
  }
  fill();
  drawWork();
  perhaps();
});
