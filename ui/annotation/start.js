// Which view is shown follows from the address; the reader's language is the one chosen on the page of conversations, and the other way round.
(() => {
  const asked = new URLSearchParams(location.search);
  try {
    const chosen = localStorage.getItem("keepsake.language");
    if (asked.get("language") === A.language) localStorage.setItem("keepsake.language", A.language);
    else if (["en", "zh"].includes(chosen) && chosen !== A.language && !asked.has("language")) {
      asked.set("language", chosen);
      location.replace(`${location.pathname}?${asked}${location.hash}`);
      return;
    }
  } catch { /* a browser that keeps nothing has nothing to remember */ }
  const other = document.getElementById("a-language");
  other.addEventListener("click", () => { other.href = other.getAttribute("href").replace(/#.*$/, "") + location.hash; });
  const show = () => {
    A.leaving?.();
    A.leaving = null;
    A.keys = null;
    A.trouble("");
    A.kept("");
    for (const box of document.querySelectorAll("dialog")) box.remove();
    const [name, id] = location.hash.slice(1).split("=");
    let place = null;
    try { place = decodeURIComponent(id ?? ""); } catch { /* an address that was cut or mistyped */ }
    return place !== null && Object.hasOwn(A.views, name) ? A.views[name](place) : A.views.home("");
  };
  // One view after the other, and of those that wait only the last: one that is still being fetched never covers one that was asked for after it.
  let wanted = 0, shown = Promise.resolve();
  const open = () => {
    const mine = ++wanted;
    A.keys = null;
    shown = shown.then(() => (mine === wanted ? show() : null)).catch((error) => console.error(error));
  };
  window.addEventListener("hashchange", open);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || A.composing(event) || document.querySelector("dialog[open]")) return;
    A.keys?.(event);
  });
  open();
})();
