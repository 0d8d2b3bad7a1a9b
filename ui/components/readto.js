// How far memory has read: a hairline in the gap below the last message of that round, which takes no room, so that nothing moves while memory is at work.
let drawn = null;           // {node, of}
K.readTo = 0;
K.showReadTo = (messages, nodeOf) => {
  const at = messages.findLastIndex((m) => m.round <= K.readTo);
  const below = at >= 0 && messages[at + 1];
  const of = K.readTo > 0 && below ? nodeOf(messages[at].id) : null;
  if (!of) { drawn?.node.remove(); drawn = null; return; }
  const node = drawn?.node ?? K.el("p", { class: "k-read-to", role: "note" }, K.icon("mark"), K.el("span", {}));
  node.lastChild.textContent = K.t("read_to");
  node.title = K.t("read_to_means");
  if (node.parentElement !== of) of.append(node);
  drawn = { node, of };
};
// The way there, beside what is said of the work that is left; before: what is done first. Each place is kept and filled anew.
const places = [];
const fill = ({ node, before }) => {
  const says = `${K.language} ${K.readTo}`;
  if (node.dataset.says === says) return;
  node.dataset.says = says;
  node.replaceChildren(K.readTo > 0
    ? K.el("button", { class: "k-link k-to-read", type: "button", text: K.t("read_to_round", { n: K.readTo }), onclick: () => { before(); K.jump(K.readTo); } })
    : K.el("span", { class: "k-quiet", text: K.t("read_to_none") }));
};
K.readPlace = (before = () => {}) => {
  const place = { node: K.el("p", { class: "k-queue-read" }), before };
  places.push(place);
  fill(place);
  return place.node;
};
K.readNews = () => places.forEach(fill);
