// The reader's language is the one chosen on the page of conversations, and the other way round. Who logs out leaves nothing typed behind in this browser.
"use strict";
(() => {
  const shown = document.documentElement.dataset.language;
  const asked = new URLSearchParams(location.search);
  try {
    const chosen = localStorage.getItem("keepsake.language");
    if (asked.get("language") === shown) localStorage.setItem("keepsake.language", shown);
    else if (chosen && chosen !== shown && !asked.has("language") && document.querySelector(`a[href*="language=${CSS.escape(chosen)}"]`)) {
      asked.set("language", chosen);
      location.replace(`${location.pathname}?${asked}`);
      return;
    }
    if (asked.has("logged_out") || asked.has("account_gone")) {
      for (const key of Object.keys(localStorage)) if (/^keepsake\.(draft\.|prefs)/.test(key)) localStorage.removeItem(key);
      localStorage.setItem("keepsake.who", "");   // other tabs of this browser see it and leave what they show
    }
  } catch { /* a browser that keeps nothing has nothing to forget */ }
  document.addEventListener("submit", (event) => {
    const button = event.submitter ?? event.target.querySelector("button");
    setTimeout(() => { if (button) button.disabled = true; });
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("button:disabled").forEach((button) => { button.disabled = false; }));
})();
