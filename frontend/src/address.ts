import type { View } from "./state/view";
import { serialise } from "./url";

/**
 * The view in the address, and which of its changes the browser's Back takes back: another text or
 * another model. What is typed without a long pause is one text; a text that is put there is another.
 */
export interface Address {
  /** Writes the view, soon: browsers refuse more than some hundred changes in a short time. */
  write(delay?: number): void;
  /** The texts are about to change, and not by typing: what stands there is to be kept. */
  jump(): void;
  /** Nothing more is written of what was there: the address says another view. */
  leave(): void;
  /** The view is what the address says. */
  read(): void;
}

/** Milliseconds after which typing goes on with another text. */
export const PAUSE = 4000;

export function createAddress(view: () => View): Address {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = false;
  let jumped = false;
  let typed = -Infinity;
  const stepOf = ({ text, compare, model }: View) => ({ model, text: `${text}\n${compare ?? ""}` });
  let entry = stepOf(view());

  function write(): void {
    const fragment = `#${serialise(view())}`;
    const put = jumped;
    waiting = jumped = false;
    if (fragment === location.hash) return;
    const step = stepOf(view());
    const other = step.text !== entry.text;
    const retyped = other && !put && Date.now() - typed < PAUSE;
    const same = step.model === entry.model && (!other || retyped);
    // What is typed over a text that was put there is another.
    if (other) typed = put ? -Infinity : Date.now();
    entry = step;
    if (same) history.replaceState(null, "", fragment);
    else history.pushState(null, "", fragment);
  }

  return {
    write(delay = 250) {
      clearTimeout(timer);
      waiting = true;
      timer = setTimeout(write, delay);
    },
    jump() {
      clearTimeout(timer);
      if (waiting) write();
      jumped = true;
    },
    leave() {
      clearTimeout(timer);
      waiting = jumped = false;
    },
    read() {
      typed = -Infinity;
      entry = stepOf(view());
    },
  };
}
