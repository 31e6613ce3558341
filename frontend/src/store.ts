import type { State } from "./state";

/** One place for the state; whoever draws is told once per frame, with the newest. */
export interface Store {
  get(): State;
  set(patch: Partial<State>): void;
  subscribe(listener: (state: State) => void): void;
  /** Tells at once what waits for the frame. */
  flush(): void;
}

export function createStore(
  initial: State,
  schedule: (run: () => void) => void = (run) => requestAnimationFrame(run),
): Store {
  let state = initial;
  let waiting = false;
  const listeners: ((state: State) => void)[] = [];
  function tell(): void {
    if (!waiting) return;
    waiting = false;
    for (const listener of listeners) listener(state);
  }
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      if (waiting) return;
      waiting = true;
      schedule(tell);
    },
    subscribe: (listener) => void listeners.push(listener),
    flush: tell,
  };
}
