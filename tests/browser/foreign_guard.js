// Looks for anything that text has become: a script that ran, an element that is not of the page, an address in an attribute. Runs ahead of the page.
window.hacks = [];
window.hacked = (number) => { window.hacks.push(`ran ${number}`); };
window.filled = new Set();   // text fields that the corpus was put into
window.fields = new Set();   // and all that were there
(() => {
  const ours = new Set("a article aside b blockquote br button caption code datalist dd details dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 header hr i img input kbd label legend li main mark nav ol optgroup option p path pre progress q section select small span strong summary svg table tbody td textarea th thead time tr ul circle g line polyline rect text title".split(" "));
  const addresses = ["src", "srcset", "href", "action", "formaction", "style", "srcdoc", "background", "poster", "data", "xlink:href"];
  const pictures = /^(data:image\/svg\+xml|keepsake\/(?:faces|players)\/|\/keepsake\/runs\/files\/[0-9a-f]{32}\/[\w.?=&%-]+$|blob:)/;
  const own = /^(#|\/keepsake\/runs\/files\/[0-9a-f]{32}\/[\w.-]+(\?[\w=&.%-]*)?$)/;   // a place of this page, and a file of a run, which is called after its data
  const look = (node) => {
    if (!(node instanceof Element) || !node.closest("#k-house, dialog, body > main")) return;
    if (!ours.has(node.localName)) window.hacks.push(`element ${node.outerHTML.slice(0, 120)}`);
    for (const { name, value } of node.attributes) {
      if (name.startsWith("on")) window.hacks.push(`handler ${name} ${node.outerHTML.slice(0, 120)}`);
      if (addresses.includes(name) && /hacked|evil|script:/i.test(value) && !(node.localName === "img" && pictures.test(value)) && !(node.localName === "a" && own.test(value))) window.hacks.push(`address ${name}=${value.slice(0, 120)}`);
    }
    if (node.localName === "img" && !pictures.test(node.getAttribute("src") ?? "")) window.hacks.push(`picture ${node.outerHTML.slice(0, 120)}`);
    if (node.matches("textarea, input:not([type]), input[type=text], input[type=search], [contenteditable]")) window.fields.add(nameOf(node));
  };
  const nameOf = (node) => node.dataset.field ?? (node.id || node.getAttribute("name") || node.getAttribute("aria-label") || node.className);
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") look(change.target);
      for (const node of change.addedNodes) if (node instanceof Element) [node, ...node.querySelectorAll("*")].forEach(look);
    }
  }).observe(document, { childList: true, subtree: true, attributes: true });
  document.addEventListener("input", (event) => { if (/hacked|evil|script|#|\d{3}/.test(event.target.value ?? "")) window.filled.add(nameOf(event.target)); }, true);
})();
