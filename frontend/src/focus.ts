/** Where the focus goes when what had it is gone: not to the page's start, which is where browsers leave it. */

/** Focuses a control, or what is none: Tab goes on from there. */
export function focusOn(node: HTMLElement): void {
  if (node.tabIndex < 0 && !node.hasAttribute("tabindex")) {
    node.tabIndex = -1;
    // Nothing can be pressed there: the stylesheet draws no ring around it.
    node.dataset.standsIn = "";
    const leave = () => {
      node.removeAttribute("tabindex");
      delete node.dataset.standsIn;
    };
    node.addEventListener("blur", leave, { once: true });
  }
  node.focus({ preventScroll: true });
}

/** Whether nothing has the focus: that is where browsers leave it when what had it is gone. */
export const isNowhere = (): boolean =>
  !document.activeElement || document.activeElement === document.body;

/** Whether a node is there to have the focus. */
export const canHold = (node: HTMLElement): boolean =>
  node.isConnected && !node.closest("[hidden]") && !node.matches(":disabled");

/**
 * Draws anew what may have the focus. If what had it is not there any more, or cannot have it, it goes
 * to what `next` finds; else, or where that is nothing, to the whole.
 *
 * @param next - is given what has the focus before it is drawn; what it answers is asked afterwards.
 */
export function handOn(
  root: HTMLElement,
  draw: () => void,
  next: (had: HTMLElement) => () => HTMLElement | null | undefined,
): void {
  const had = document.activeElement;
  if (!(had instanceof HTMLElement) || !root.contains(had) || had === root) return draw();
  const found = next(had);
  draw();
  if (document.activeElement === had && canHold(had)) return;
  focusOn(canHold(had) ? had : (found() ?? root));
}
