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
  return { now: () => now, show };
})();
