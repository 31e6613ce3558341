import { type Component, createChanged } from "./dom";
import { captionOf } from "./figure";
import { comparisonOf } from "./partings";
import { answers } from "./question";
import type { State } from "./state";

/** What paper says of the grid, since it has no switches that would. */
export function createPrinted(root: HTMLElement): Component<State> {
  const changed = createChanged();
  return {
    update(state) {
      const { printing, trace, model, view, second } = state;
      if (!changed(printing)) return;
      const shown = printing && trace?.tokens.length && model && answers(trace, view, model);
      const comparison = comparisonOf(state);
      const compared = second && comparison ? { second, comparison } : null;
      root.textContent = shown
        ? captionOf({ trace, compared, model, view, dark: false, width: 0 })
        : "";
    },
  };
}
