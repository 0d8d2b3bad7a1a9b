// What is longer than its place says so: `data-cut` names the ends (`start`, `end`) beyond which something stands, and the style shows them.
const look = (node) => {
  const ends = [node.scrollTop > 1 && "start", node.scrollTop + node.clientHeight < node.scrollHeight - 1 && "end"].filter(Boolean).join(" ");
  if (ends) node.dataset.cut = ends; else delete node.dataset.cut;
};
// node: what scrolls. It is looked at as it scrolls, changes its size or gets other content, once a frame at most.
K.edges = (node) => {
  let due = 0;
  const soon = () => { due ||= requestAnimationFrame(() => { due = 0; look(node); }); };
  node.addEventListener("scroll", soon, { passive: true });
  new ResizeObserver(soon).observe(node);
  new MutationObserver(soon).observe(node, { childList: true, subtree: true, attributes: true, attributeFilter: ["open", "hidden"] });
  return node;
};
