// Role-play text as nodes: paragraphs, **strong**, *gestures*, （gestures as Chinese players write them）, "speech". No links, no images, no markup from the text, ever.
// Each pattern forbids its own delimiters inside, so that a text of nothing but openers costs linear time.
window.keepsake.prose ??= (() => {
  const K = window.keepsake;
  const marks = () => /\*\*(?=\S)([^*\n]*[^*\s])\*\*|\*(?=\S)([^*\n]*[^*\s])\*|("[^"\n]+"|“[^“”\n]+”|「[^「」\n]+」|『[^『』\n]+』)|(（[^（）\n]+(?:）|$))/gu;
  const inline = (text, inside = "") => {
    const nodes = [];
    let from = 0;
    for (const found of text.matchAll(marks())) {
      if (found.index > from) nodes.push(document.createTextNode(text.slice(from, found.index)));
      from = found.index + found[0].length;
      if (found[1] !== undefined) nodes.push(K.el("strong", {}, inline(found[1], inside)));
      else if (found[2] !== undefined) nodes.push(K.el("em", {}, inline(found[2], inside)));
      else if (found[4] !== undefined) {   // the brackets are the reader's to see; one still open is one already
        const end = found[4].endsWith("）") ? -1 : undefined;
        nodes.push(K.el("em", {}, "（", ...inline(found[4].slice(1, end), inside), end ? "）" : ""));
      }
      else if (inside === "speech") nodes.push(document.createTextNode(found[3]));
      else {
        const [open, close] = [found[3][0], found[3].at(-1)];
        nodes.push(K.el("span", { class: "k-speech" }, open, inline(found[3].slice(1, -1), "speech"), close));
      }
    }
    if (from < text.length) nodes.push(document.createTextNode(text.slice(from)));
    return nodes;
  };
  // One paragraph, for where room is short: every line of the text, empty ones left out.
  K.lines = (text) => text.split(/[\r\n]+/).filter((line) => line.trim()).flatMap((line, number) => [number ? document.createElement("br") : "", ...inline(line)]);
  // A part of a text, on one line or more. It may hold one end alone of what is set apart: asterisks that lost their other end are left out.
  // text: or pieces of it, each with whether it is marked.
  const [FROM, TO] = ["\uFDD0", "\uFDD1"];   // no text has these: Unicode keeps them for programs
  K.excerpt = (text) => {
    const pieces = typeof text === "string" ? [[text, false]] : text;
    const whole = pieces.map(([piece, marked]) => { const own = piece.replace(/[\uFDD0\uFDD1]/g, ""); return marked ? FROM + own + TO : own; }).join("");
    let marked = false;
    const set = (node) => {
      if (node.nodeType !== Node.TEXT_NODE) { node.replaceChildren(...[...node.childNodes].flatMap(set)); return [node]; }
      return node.data.replace(/\*+(?=[^\s*])|(?<=[^\s*])\*+/gu, "").split(/([\uFDD0\uFDD1])/u).flatMap((part) => {
        if (part === FROM || part === TO) { marked = part === FROM; return []; }
        return part ? [marked ? K.el("mark", { text: part }) : document.createTextNode(part)] : [];
      });
    };
    return K.lines(whole).flatMap((node) => (typeof node === "string" ? [] : set(node)));
  };
  const parts = (text) => text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n+/).filter((part) => part.trim()).map((part) => part.replace(/^\n+|\s+$/g, ""));
  // A gesture that is still being written is one already: its words do not change their look, and so their place, when it ends.
  const finished = (line) => ((line.match(/\*/g) ?? []).length % 2 && /\*[^*\s][^*]*$/.test(line) ? `${line.trimEnd()}*` : line);
  const paragraphOf = (part, grows = false) => {
    const paragraph = K.el("p", { dir: "auto" });
    part.split("\n").forEach((line, number, lines) => {
      if (number) paragraph.append(document.createElement("br"));
      paragraph.append(...inline(grows && number === lines.length - 1 ? finished(line) : line));
    });
    return paragraph;
  };
  // A text that grows: only the paragraphs that read otherwise are made anew. drawn: the paragraphs that stand in the node; the new ones are given back.
  K.growProse = (node, drawn, text) => {
    const now = parts(text);
    now.forEach((part, at) => {
      const grows = at === now.length - 1;
      if (part === drawn[at] && node.children[at] && (grows || at < drawn.length - 1)) return;
      if (node.children[at]) node.children[at].replaceWith(paragraphOf(part, grows));
      else node.append(paragraphOf(part, grows));
    });
    while (node.children.length > now.length) node.lastElementChild.remove();
    return now;
  };
  return (text) => parts(text).map((part) => paragraphOf(part));
})();
