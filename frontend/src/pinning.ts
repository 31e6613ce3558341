import { MAX_PINS, sameCell, togglePin } from "./state/cells";
import type { View } from "./state/view";
import type { Store } from "./store";
import type { CellId } from "./types";

/** The pins. The oldest gives way to one too many; it can be brought back, and so can all of them. */
export interface Pinning {
  has: (cell: CellId) => boolean;
  /** Pins a cell, or unpins it. */
  toggle: (cell: CellId) => void;
  clear: () => void;
  /** Brings back what went: the pin that gave way, in place of the one it gave way to, or all. */
  restore: () => void;
}

export function createPinning(store: Store, change: (patch: Partial<View>) => void): Pinning {
  return {
    has: (cell) => store.get().view.pins.some((p) => sameCell(p, cell)),
    toggle(cell) {
      const { pins } = store.get().view;
      const now = togglePin(pins, cell);
      const dropped = pins.filter((p) => !now.some((q) => sameCell(p, q)) && !sameCell(p, cell));
      store.set({ dropped });
      change({ pins: now });
    },
    clear() {
      store.set({ dropped: store.get().view.pins });
      change({ pins: [] });
    },
    restore() {
      const { dropped, view } = store.get();
      store.set({ dropped: [] });
      change({ pins: [...dropped, ...view.pins].slice(0, MAX_PINS) });
    },
  };
}
