import { type Component, createChanged, el } from "./dom";
import type { State } from "./state";

export interface EmptyCallbacks {
  text(text: string): void;
}

/** Nothing typed yet: an invitation, with the examples at hand. */
export function createEmpty(root: HTMLElement, on: EmptyCallbacks): Component<State> {
  const changed = createChanged();
  return {
    update({ model, view, problem }) {
      root.hidden = !model || view.text.trim() !== "" || problem !== null;
      if (!changed(model)) return;
      root.replaceChildren(
        el("h2", {}, "Type a sentence to see what every hidden state means."),
        el("p", {}, "Or begin with one of these:"),
        el(
          "ul",
          {},
          ...(model?.examples ?? []).map((example) => {
            const button = el("button", { type: "button" }, example.text);
            button.addEventListener("click", () => on.text(example.text));
            return el("li", {}, button, el("small", {}, example.shows));
          }),
        ),
      );
    },
  };
}
