import type { Theme } from "./state/choices";

/** Follows the system until a person chooses; the choice is part of the view. */
export interface ThemeControl {
  /** Puts the choice on the document and answers whether it is dark now. */
  apply(choice: Theme | ""): boolean;
}

export function createTheme(systemChanged: () => void): ThemeControl {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", systemChanged);
  return {
    apply(choice) {
      if (choice) document.documentElement.dataset.theme = choice;
      else delete document.documentElement.dataset.theme;
      return choice ? choice === "dark" : system.matches;
    },
  };
}
