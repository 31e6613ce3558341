/** What stands out among the cells: classes that come and go without anything being drawn again. */

export type Mark = "parted" | "partner" | "pin" | "looked" | "on" | "operand" | "row" | "chosen";

/** Answers a function that gives a mark to these nodes, and takes it from those that had it. */
export function createMarks(): (name: Mark, found: readonly (Element | undefined)[]) => void {
  const marked = new Map<Mark, Element[]>();
  return (name, found) => {
    for (const node of marked.get(name) ?? []) node.classList.remove(name);
    const nodes = found.filter((node) => node !== undefined);
    for (const node of nodes) node.classList.add(name);
    marked.set(name, nodes);
  };
}

/** Brings a column into sight in the box that scrolls, and the box on the page. */
export function reveal(box: HTMLElement, column: readonly HTMLElement[]): void {
  const [first] = column;
  if (!first) return;
  const smooth = !window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  const behavior = smooth ? "smooth" : "auto";
  const left = first.offsetLeft + first.offsetWidth / 2 - box.clientWidth / 2;
  box.scrollTo?.({ left: Math.max(0, left), behavior });
  if (box.getBoundingClientRect().top < 0) box.scrollIntoView?.({ block: "start", behavior });
}
