import { type Component, createChanged } from "./dom";
import { captionOf } from "./figure";
import { answers } from "./question";
import type { State } from "./state";

/** What paper says of the grid, since it has no switches that would. */
export function createPrinted(root: HTMLElement): Component<State> {
  const changed = createChanged();
  return {
    update({ printing, trace, model, view, second, comparison }) {
      if (!changed(printing)) return;
      const shown = printing && trace?.tokens.length && model && answers(trace, view, model);
      const compared = view.compare && second && comparison ? { second, comparison } : null;
      root.textContent = shown
        ? captionOf({ trace, compared, model, view, dark: false, width: 0 })
        : "";
    },
  };
}
