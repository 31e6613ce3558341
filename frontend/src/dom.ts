import { hasArrow, mathRuns } from "./format";

/** The few helpers with which components build their elements. Text only: nothing becomes markup. */

export interface Component<S> {
  update(state: S): void;
  /**
   * Measures what was drawn, and puts what depends on it where it belongs. After all components have
   * drawn: each measure between their drawings would have the page laid out once more.
   */
  settle?(): void;
}

type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | null>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** The same of a drawing: `svg("path", { d })`. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return fill(node, attributes, children);
}

function fill<E extends Element>(node: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : String(value));
  node.append(...children.filter((c) => c !== null));
  return node;
}

/** Changes a text in place: a new text node, with the same text even, is laid out again. */
export function write(node: Element, text: string): void {
  const { firstChild } = node;
  if (!(firstChild instanceof Text) || firstChild !== node.lastChild) {
    if (text || firstChild) node.textContent = text;
  } else if (firstChild.data !== text) firstChild.data = text;
}

/** Answers whether any of the values differs from the last time: what a component draws from. */
export function createChanged(): (...values: unknown[]) => boolean {
  let last: unknown[] | null = null;
  return (...values) => {
    const changed =
      !last || last.length !== values.length || values.some((v, i) => v !== last?.[i]);
    last = values;
    return changed;
  };
}

/** Sets a node's custom properties; the same value again would make all of its descendants stale. */
export function createProperties(node: HTMLElement): (name: string, value: string) => void {
  const set = new Map<string, string>();
  return (name, value) => {
    if (set.get(name) === value) return;
    set.set(name, value);
    node.style.setProperty(name, value);
  };
}

/** An equation in italics, lowered and raised where `_` and `^` say so. */
export function math(equation: string): HTMLElement {
  const node = el("span", { class: "math" });
  for (const { level, text } of mathRuns(equation))
    node.append(level === "base" ? text : el(level, {}, text));
  return node;
}

/** An italic symbol with its layer as superscript, as in the paper: l². */
export function symbol(text: string, layer: number | null): HTMLElement {
  const node = el("i", { class: "math" }, text);
  // An arrow over the letter is wider than it.
  const arrow = hasArrow(text) ? "arrow" : null;
  if (layer) node.append(el("sup", { class: arrow }, String(layer)));
  return node;
}

export function option(value: string, label: string): HTMLOptionElement {
  return el("option", { value }, label);
}

/** Fills a select only when its choices changed: a rebuild would close it under the pointer. */
export function fillSelect(
  select: HTMLSelectElement,
  options: readonly (readonly [string, string])[],
  value: string,
): void {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...options.map(([v, label]) => option(v, label)));
  }
  select.dataset.value = value;
  if (select.value !== value) select.value = value;
}

/** A button for each kind of file that a panel can be saved as. */
export const saveButtons = <K extends string>(
  kinds: readonly K[],
  save: (kind: K) => void,
): HTMLButtonElement[] =>
  kinds.map((kind) => {
    const label = `Save ${kind.toUpperCase()}`;
    const button = el("button", { type: "button", class: "quiet-button" }, label);
    button.addEventListener("click", () => save(kind));
    return button;
  });
