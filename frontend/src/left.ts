/**
 * The view that a page was left with, for its reload: the browser asks for the address as it was before
 * the page was told that it goes, and what was typed in the last moments is not in that one.
 */

const KEY = "unrolled.left";

/** The page is being left. */
export function leave(): void {
  try {
    sessionStorage.setItem(KEY, location.hash);
  } catch {
    // Where storage is refused, the address is as it was.
  }
}

/** The fragment that the page was left with, where it was reloaded since; "" else. */
export function left(): string {
  try {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const fragment = sessionStorage.getItem(KEY) ?? "";
    sessionStorage.removeItem(KEY);
    return entry?.type === "reload" ? fragment : "";
  } catch {
    return "";
  }
}
