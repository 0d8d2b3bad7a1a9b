// What a browser can tell of a page from inside: when it was there, long tasks, shifts, how long an input waits. Runs ahead of everything else.
window.probe = (() => {
  const probe = { shown: null, tasks: [], shifts: [], events: [], gaps: [] };
  const observe = (type, take, options = {}) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe("longtask", (entry) => probe.tasks.push([entry.startTime, entry.duration]));
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) probe.shifts.push([entry.startTime, entry.value]); });
  observe("event", (entry) => { if (entry.interactionId) probe.events.push([entry.startTime, entry.duration]); }, { durationThreshold: 16 });
  // A conversation is there when its newest message stands in view and the box takes text.
  const there = (chat) => {
    const box = document.getElementById("k-text");
    const last = document.querySelector("#k-transcript .k-messages")?.lastElementChild;
    if (!box || box.readOnly || !last || !box.getClientRects().length || (chat && window.keepsake?.chat !== chat)) return false;
    const at = last.getBoundingClientRect();
    return at.height > 0 && at.top < window.innerHeight && at.bottom > 0;
  };
  let before = null;
  const frame = (now) => {
    if (before !== null && now - before > 50) probe.gaps.push([before, now - before]);
    before = now;
    if (probe.shown === null && there()) probe.shown = performance.now();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  // Milliseconds until `ready` holds, looked at in every frame.
  probe.until = (ready, most = 30000) => new Promise((tell) => {
    const from = performance.now();
    const look = () => (ready() || performance.now() - from > most ? tell(performance.now() - from) : requestAnimationFrame(look));
    look();
  });
  probe.goTo = (chat) => { document.querySelector(`.k-chat[data-chat="${chat}"]`).click(); return probe.until(() => there(chat)); };
  probe.clear = () => { for (const list of [probe.tasks, probe.shifts, probe.events, probe.gaps]) list.length = 0; };
  probe.told = () => ({ tasks: probe.tasks, shifts: probe.shifts, events: probe.events, gaps: probe.gaps, nodes: document.getElementsByTagName("*").length });
  return probe;
})();
