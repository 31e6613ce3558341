import type { Theme } from "./state/choices";

/** Follows the system until a person chooses; the choice is part of the view. */
export interface ThemeControl {
  /** Puts the choice on the document and answers whether it is dark now. */
  apply(choice: Theme | ""): boolean;
}

export function createTheme(systemChanged: () => void): ThemeControl {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  // Who has colours of their own has their ink: ours would be on the wrong ground.
  const forced = window.matchMedia("(forced-colors: active)");
  for (const media of [system, forced]) media.addEventListener("change", systemChanged);
  return {
    apply(choice) {
      if (choice) document.documentElement.dataset.theme = choice;
      else delete document.documentElement.dataset.theme;
      return choice && !forced.matches ? choice === "dark" : system.matches;
    },
  };
}
