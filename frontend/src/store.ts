import type { State } from "./state";

/** One place for the state; whoever draws is told once per frame, with the newest. */
export interface Store {
  get(): State;
  set(patch: Partial<State>): void;
  subscribe(listener: (state: State) => void): void;
}

export function createStore(
  initial: State,
  schedule: (run: () => void) => void = (run) => requestAnimationFrame(run),
): Store {
  let state = initial;
  let waiting = false;
  const listeners: ((state: State) => void)[] = [];
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      if (waiting) return;
      waiting = true;
      schedule(() => {
        waiting = false;
        for (const listener of listeners) listener(state);
      });
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
