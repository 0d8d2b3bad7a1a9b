// A browser gives a click only to what was both pressed and let go of: drawn anew in between, a button is another one, and the click is lost. So what the server
// says meanwhile waits until the button was let go of. Every page that draws what it is told unasked has this.
window.keepsakePress ??= (() => {
  const PRESSABLE = "a, button, label, summary, select, input, [role=button], [role=tab], [role=option], [role=menuitem], [role=treeitem]";
  const TYPED = "select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])";
  const TAP_MS = 60;     // a finger's click comes a little after it was lifted
  const MOST_MS = 4000;  // whoever holds a button for longer, or lets go of it where no browser sees that, holds nothing up
  let until = 0, timer = 0, waiting = [];
  const end = () => {
    clearTimeout(timer);
    until = 0;
    const all = waiting;
    waiting = [];
    all.forEach((go) => go());
  };
  const endBy = (at) => { clearTimeout(timer); until = at; timer = setTimeout(end, Math.max(0, at - performance.now())); };
  const begin = (target) => { if (target instanceof Element && target.closest(PRESSABLE)) endBy(performance.now() + MOST_MS); };
  const endIn = (ms) => { const at = performance.now() + ms; if (at < until) endBy(at); };
  const on = (name, heard) => window.addEventListener(name, heard, { capture: true, passive: true });
  on("pointerdown", (event) => begin(event.target));
  on("pointerup", () => endIn(TAP_MS));
  on("pointercancel", () => endIn(0));
  on("pointermove", (event) => { if (event.pointerType === "mouse" && !event.buttons) endIn(TAP_MS); });   // let go of outside the window
  on("keydown", (event) => { if (event.key === " " && !event.repeat && !event.target.matches?.(TYPED)) begin(event.target); });
  on("keyup", (event) => { if (event.key === " ") endIn(0); });
  for (const name of ["click", "change"]) on(name, () => endIn(0));
  on("blur", (event) => { if (event.target === window) endIn(0); });
  // free: resolved when nothing is pressed.
  return { held: () => until > 0, free: () => (until ? new Promise((go) => { waiting.push(go); }) : Promise.resolve()) };
})();
