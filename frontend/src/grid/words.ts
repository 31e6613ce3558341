import type { DrawnBar } from "../drawn";

/** The words of a cell: one element with a line for each, over the bars of its row. */

/** Changes a text in place: a new text node, with the same text even, is laid out again. */
export function write(node: HTMLElement, text: string): void {
  const { firstChild } = node;
  if (!(firstChild instanceof Text) || firstChild !== node.lastChild) {
    if (text || firstChild) node.textContent = text;
  } else if (firstChild.data !== text) firstChild.data = text;
}

const isSet = (bar: DrawnBar): boolean => bar.asked || bar.ink !== null;

/** Bold, or in an ink that reads well on its bar. */
function wordOf(bar: DrawnBar): HTMLElement | string {
  if (!isSet(bar)) return bar.word;
  const word = document.createElement("span");
  word.textContent = bar.word;
  if (bar.asked) word.className = "asked";
  if (bar.ink) word.style.color = bar.ink;
  return word;
}

/** Writes the words into the cell's second element, which is there only where there are some. */
export function drawWords(td: HTMLElement, bars: readonly DrawnBar[]): void {
  let node = td.getElementsByClassName("words")[0] as HTMLElement | undefined;
  if (!bars.length) return node?.remove();
  if (!node) {
    node = document.createElement("span");
    node.className = "words";
    // What is drawn is named by the cell's sentence.
    node.setAttribute("aria-hidden", "true");
    td.append(node);
  }
  // Only words that may not fit are clipped: each clip costs as much as a cell.
  node.classList.toggle(
    "long",
    bars.some(({ long }) => long),
  );
  const percents = bars.map(({ percent }) => percent ?? "").join("\n");
  if (percents.trim() || node.dataset.p) node.dataset.p = percents;
  if (!bars.some(isSet)) return write(node, bars.map(({ word }) => word).join("\n"));
  node.replaceChildren(...bars.flatMap((bar, at) => [...(at ? ["\n"] : []), wordOf(bar)]));
}
