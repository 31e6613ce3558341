import type { View } from "./state/view";
import { serialise } from "./url";

/**
 * The view in the address, and which of its changes the browser's Back takes back: another text or
 * another model. What is typed without a long pause is one text.
 */
export interface Address {
  /** Writes the view, soon: browsers refuse more than some hundred changes in a short time. */
  write(delay?: number): void;
  /** Nothing more is written of what was there: the address says another view. */
  leave(): void;
  /** The view is what the address says. */
  read(): void;
}

/** Milliseconds after which typing goes on with another text. */
export const PAUSE = 4000;

export function createAddress(view: () => View): Address {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typed = -Infinity;
  const stepOf = ({ text, compare, model }: View) => ({ model, text: `${text}\n${compare ?? ""}` });
  let entry = stepOf(view());

  function put(): void {
    const fragment = `#${serialise(view())}`;
    if (fragment === location.hash) return;
    const step = stepOf(view());
    const retyped = step.text !== entry.text;
    const same = step.model === entry.model && (!retyped || Date.now() - typed < PAUSE);
    if (retyped) typed = Date.now();
    entry = step;
    if (same) history.replaceState(null, "", fragment);
    else history.pushState(null, "", fragment);
  }

  return {
    write(delay = 250) {
      clearTimeout(timer);
      timer = setTimeout(put, delay);
    },
    leave: () => clearTimeout(timer),
    read() {
      typed = -Infinity;
      entry = stepOf(view());
    },
  };
}
