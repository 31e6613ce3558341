/** The pace of the one shared popup: it waits before it opens, and forgives a short absence. */

export interface Hover<T> {
  over(target: T): void;
  out(): void;
  /** Opens or closes at once: keyboard and tap. */
  now(target: T | null): void;
}

export function createHover<T>(
  show: (target: T | null) => void,
  delays = { open: 150, close: 80 },
): Hover<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let open = false;
  const set = (target: T | null) => {
    open = target !== null;
    show(target);
  };
  const after = (ms: number, target: T | null) => {
    clearTimeout(timer);
    timer = setTimeout(() => set(target), ms);
  };
  return {
    // An open popup moves from cell to cell faster than it opens, yet not on every cell brushed.
    over: (target) => after(open ? delays.close : delays.open, target),
    out: () => after(delays.close, null),
    now(target) {
      clearTimeout(timer);
      set(target);
    },
  };
}
