import type { View } from "./state/view";
import { serialise } from "./url";

/**
 * The view in the address, and which of its changes the browser's Back takes back: another text or
 * another model. What is typed without a long pause is one text; a text that is put there is another.
 */
export interface Address {
  /**
   * Writes the view, soon: browsers refuse more than some hundred changes in a short time. However fast
   * one types, what stood there `SOON` ago is written, so that a reload brings it back.
   */
  write(delay?: number): void;
  /** Writes at once what was to be written soon. */
  flush(): void;
  /** The texts are about to change, and not by typing: what stands there is to be kept. */
  jump(): void;
  /** Nothing more is written of what was there: the address says another view. */
  leave(): void;
  /** The view is what the address says. */
  read(): void;
}

/** Milliseconds after which typing goes on with another text. */
export const PAUSE = 4000;
/** Milliseconds from one change of the address to the next: Safari bears a hundred in half a minute. */
export const SOON = 350;

export function createAddress(view: () => View): Address {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When what is to be written is written. */
  let due = Infinity;
  let jumped = false;
  let typed = -Infinity;
  const stepOf = ({ text, compare, model }: View) => ({ model, text: `${text}\n${compare ?? ""}` });
  let entry = stepOf(view());

  function write(): void {
    const fragment = `#${serialise(view())}`;
    const put = jumped;
    due = Infinity;
    jumped = false;
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

  function flush(): void {
    clearTimeout(timer);
    if (due < Infinity) write();
  }

  return {
    flush,
    write(delay = SOON) {
      const at = Date.now() + delay;
      if (at >= due) return;
      clearTimeout(timer);
      due = at;
      timer = setTimeout(write, delay);
    },
    jump() {
      flush();
      jumped = true;
    },
    leave() {
      clearTimeout(timer);
      due = Infinity;
      jumped = false;
    },
    read() {
      typed = -Infinity;
      entry = stepOf(view());
    },
  };
}
