// A dialogue as it is read and chosen from: built once, afterwards only the messages that change are touched.
A.dialogue = (turns, { toggled = () => {}, range = () => {} } = {}) => {
  const boxes = new Map();
  const texts = new Map(turns.map((turn) => [turn.n, turn.text]));
  let at = 0;
  const box = A.el("div", { id: "a-dialogue", tabindex: "-1" });
  // Turns lie in sheets of a few: what is off the screen is neither styled nor laid out, whichever view is shown. Of a sheet that was not seen yet its height is
  // told from its letters; in the skim view every row is as high as any other, so it is known.
  const SHEET = 16, WIDE = 74;
  let round = null, sheet = null, held = 0, tall = 0, heads = 0;
  const measure = () => { for (const [name, value] of sheet ? [["full", tall], ["rows", held], ["heads", heads]] : []) sheet.style.setProperty(`--${name}`, value); };
  for (const turn of turns) {
    if (!sheet || (held >= SHEET && turn.round !== round)) { measure(); sheet = A.el("div", { class: "sheet-of-turns" }); box.append(sheet); held = tall = heads = 0; }
    if (turn.round !== round) heads += 1;
    held += 1;
    tall += 1 + turn.text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / WIDE)), 0);
    if (turn.round !== round) sheet.append(A.el("h3", { class: "round", "data-round": turn.round, text: A.t("round_n", { n: turn.round }) }));
    round = turn.round;
    const made = A.el("article", { class: `turn ${turn.role}`, id: `turn-${turn.n}`, "data-n": turn.n, tabindex: "-1" },
      A.el("span", { class: "number", text: turn.n, "aria-hidden": "true" }), A.el("b", { class: "name", text: turn.name, dir: "auto" }), A.el("p", { class: "text", text: turn.text, dir: "auto" }), A.el("span", { class: "marks" }));
    boxes.set(turn.n, made);
    sheet.append(made);
  }
  measure();
  box.addEventListener("click", (event) => {
    const found = event.target.closest(".turn");
    if (!found || !getSelection().isCollapsed) return;
    const n = Number(found.dataset.n);
    if (event.shiftKey && at) range(at, n); else toggled(n);
    view.go(n, { scroll: false });
  });
  const view = {
    box, boxes, texts,
    get at() { return at; },
    go(n, { scroll = true, focus = true } = {}) {
      const to = boxes.get(Math.max(1, Math.min(turns.length, n)));
      if (!to) return;
      boxes.get(at)?.classList.remove("here");
      at = Number(to.dataset.n);
      to.classList.add("here");
      if (focus) to.focus({ preventScroll: true });
      if (scroll) to.scrollIntoView({ block: scroll === "centre" ? "center" : "nearest" });
    },
    round(n) { const head = box.querySelector(`[data-round="${n}"]`); const first = head?.nextElementSibling; if (first) { view.go(Number(first.dataset.n), { scroll: "centre" }); } },
    // name: a class that these messages have and no other.
    mark(name, wanted) {
      const now = new Set(wanted);
      for (const found of box.querySelectorAll(`.turn.${name}`)) if (!now.has(Number(found.dataset.n))) found.classList.remove(name);
      for (const n of now) boxes.get(n)?.classList.add(name);
    },
    // quotes: by message, places in code points. kind: of the highlight.
    words(quotes, kind = "quoted") {
      for (const found of box.querySelectorAll("p.text.lit")) { found.textContent = texts.get(Number(found.parentElement.dataset.n)); found.classList.remove("lit"); }
      const by = new Map();
      for (const quote of quotes) by.set(quote.turn, [...(by.get(quote.turn) ?? []), quote]);
      for (const [n, list] of by) {
        const text = texts.get(n), place = boxes.get(n)?.querySelector("p.text");
        if (!place) continue;
        const pieces = [];
        let done = 0;
        for (const quote of list.sort((x, y) => x.start - y.start)) {
          const from = Math.max(done, A.units(text, quote.start)), to = A.units(text, quote.end);
          if (to <= from) continue;
          pieces.push(text.slice(done, from), A.el("mark", { class: quote.kind ?? kind, text: text.slice(from, to) }));
          done = to;
        }
        place.replaceChildren(...pieces, text.slice(done));
        place.classList.add("lit");
      }
    },
    badges(counts) {
      for (const found of box.querySelectorAll(".marks.some")) if (!counts.has(Number(found.parentElement.dataset.n))) { found.textContent = ""; found.classList.remove("some"); }
      for (const [n, count] of counts) { const place = boxes.get(n)?.querySelector(".marks"); if (place) { place.textContent = "●".repeat(Math.min(3, count)); place.classList.add("some"); } }
    },
    // The words a mouse or finger has chosen within one message.
    chosen() {
      const selection = getSelection();
      if (selection.isCollapsed || !selection.rangeCount) return null;
      const range = selection.getRangeAt(0), place = range.startContainer.parentElement?.closest("p.text");
      if (!place || !box.contains(place) || range.endContainer.parentElement?.closest("p.text") !== place) return null;
      const before = document.createRange();
      before.setStart(place, 0);
      before.setEnd(range.startContainer, range.startOffset);
      const n = Number(place.parentElement.dataset.n), text = texts.get(n);
      const start = A.points(text, before.toString().length), end = start + Array.from(range.toString()).length;
      return end > start ? A.quoteOf(n, text, start, end) : null;
    },
  };
  return view;
};
A.quoteOf = (turn, text, start, end) => ({ turn, start, end, text: Array.from(text).slice(start, end).join("") });
// Beginnings and ends of sentences and words, in code points, as the reader's language divides them.
A.pieces = (text, granularity) => {
  const cut = new Intl.Segmenter(undefined, { granularity });
  return Array.from(cut.segment(text), (piece) => ({ start: A.points(text, piece.index), end: A.points(text, piece.index + piece.segment.trimEnd().length), word: piece.isWordLike !== false })).filter((piece) => piece.end > piece.start);
};
// By keyboard: a sentence at a time, its end word by word.
A.quoter = (view, done) => {
  const turn = view.at, text = view.texts.get(turn), sentences = A.pieces(text, "sentence"), words = A.pieces(text, "word").filter((piece) => piece.word);
  let place = 0, { start, end } = sentences[0] ?? { start: 0, end: Array.from(text).length };
  const draw = () => view.words([{ ...A.quoteOf(turn, text, start, end), kind: "quoting" }]);
  draw();
  A.toast(A.t("quoting"));
  const finish = (found) => { document.getElementById("a-toasts").replaceChildren(); done(found); };
  return (key) => {
    const sentence = (by) => { place = Math.max(0, Math.min(sentences.length - 1, place + by)); ({ start, end } = sentences[place]); draw(); };
    const grow = (by) => { const ends = words.filter((w) => w.start >= start).map((w) => w.end); const now = ends.findIndex((e) => e >= end); end = ends[Math.max(0, Math.min(ends.length - 1, (now < 0 ? ends.length - 1 : now) + by))] ?? end; draw(); };
    const shrink = (by) => { const starts = words.filter((w) => w.end <= end).map((w) => w.start); const now = starts.findIndex((s) => s >= start); start = starts[Math.max(0, Math.min(starts.length - 1, now + by))] ?? start; draw(); };
    if (key === "ArrowRight") sentence(1);
    else if (key === "ArrowLeft") sentence(-1);
    else if (key === "Shift+ArrowRight") grow(1);
    else if (key === "Shift+ArrowLeft") grow(-1);
    else if (key === "Alt+ArrowRight") shrink(1);
    else if (key === "Alt+ArrowLeft") shrink(-1);
    else if (key === "Enter" || key === "Q") finish(A.quoteOf(turn, text, start, end));
    else if (key === "Escape") finish(null);
  };
};
