// Light or dark, as was chosen on the page of conversations; without a choice as the system has it. Every page runs this ahead of everything else.
window.keepsakeTheme ??= (() => {
  const KEY = "keepsake.theme", CHOICES = ["light", "dark"];
  let now = "system";
  const show = (theme) => {
    now = CHOICES.includes(theme) ? theme : "system";
    if (now === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
  };
  try { show(localStorage.getItem(KEY)); } catch { /* a private window */ }
  window.addEventListener("storage", (event) => { if (event.key === KEY) { show(event.newValue); window.keepsake?.redraw("shelf"); } });   // chosen in another tab
  // On the pages beside that of conversations, a list to choose from.
  document.addEventListener("DOMContentLoaded", () => {
    const box = document.querySelector("select[data-theme-choice]");
    if (!box) return;
    box.value = now;
    box.addEventListener("change", () => {
      show(box.value);
      try { localStorage.setItem(KEY, now); } catch { /* a private window: as long as the page is open */ }
    });
    window.addEventListener("storage", () => { box.value = now; });
  });
  return { now: () => now, show };
})();
