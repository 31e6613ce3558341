import type { Store } from "./store";

/**
 * Paper is white, whatever the screen is: what is worked out for a dark page is drawn again for it, at
 * once, since a printer waits for no frame. `paint` says how dark the screen is.
 */
export function watchPrinting(store: Store, paint: () => void): void {
  window.addEventListener("beforeprint", () => {
    store.set({ printing: true, dark: false });
    store.flush();
  });
  window.addEventListener("afterprint", () => {
    store.set({ printing: false });
    paint();
  });
}
