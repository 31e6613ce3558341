import { el } from "./dom";

/** A button of the page's head that opens a list of things to do. */
export interface Menu {
  node: HTMLDetailsElement;
  summary: HTMLElement;
  /** What it holds. */
  list: HTMLElement;
  /** A line of it, with what it does in smaller letters. */
  add(label: string, hint: string, act: () => void): HTMLButtonElement;
  /** Puts a control over the lines. */
  head(node: HTMLElement): void;
  shut: (focus: boolean) => void;
}

/** @param of - the classes by which the stylesheet knows it. */
export function createMenu(name: string, of = "examples exporting"): Menu {
  const summary = el("summary", { class: "button" }, name);
  const list = el("div", { class: "menu" });
  const node = el("details", { class: of }, summary, list);
  const shut = (focus: boolean) => {
    node.open = false;
    if (focus) summary.focus();
  };
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    // It is the menu's own: a tour, or a popup, stays.
    event.stopPropagation();
    shut(true);
  });
  // Its right edge is the button's, unless it would be cut off at the left.
  node.addEventListener("toggle", () => {
    list.classList.remove("rightward");
    if (node.open && list.getBoundingClientRect().left < 0) list.classList.add("rightward");
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !node.contains(event.target)) shut(false);
  });
  return {
    node,
    summary,
    list,
    shut,
    head: (control) => list.prepend(control),
    add(label, hint, act) {
      const button = el("button", { type: "button" }, el("span", {}, label), el("small", {}, hint));
      button.addEventListener("click", () => {
        shut(true);
        act();
      });
      list.append(button);
      return button;
    },
  };
}
