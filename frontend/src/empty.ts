import { isBlank } from "./blank";
import { type Component, createChanged, el } from "./dom";
import { handOn } from "./focus";
import { exampleGroups } from "./examples";
import type { State } from "./state";
import type { Example } from "./types";

export interface EmptyCallbacks {
  example(example: Example): void;
}

/** Nothing typed yet: an invitation, with the examples at hand. */
export function createEmpty(root: HTMLElement, on: EmptyCallbacks): Component<State> {
  const changed = createChanged();

  function item(example: Example): HTMLElement {
    const button = el(
      "button",
      { type: "button" },
      el("bdi", {}, example.text),
      example.compare ? el("span", {}, el("i", {}, "with "), example.compare) : null,
    );
    button.addEventListener("click", () => on.example(example));
    return el("li", {}, button, el("small", {}, example.shows));
  }

  return {
    update({ model, view, problem }) {
      handOn(
        root,
        () => (root.hidden = !model || !isBlank(view.text) || problem !== null),
        () => () => root.parentElement,
      );
      if (!changed(model)) return;
      root.replaceChildren(
        el("h2", {}, "Type a sentence to see what every hidden state means."),
        model?.examples.length ? el("p", {}, "Or begin with one of these:") : "",
        ...exampleGroups(model?.examples ?? []).flatMap((group) => [
          ...(group.name ? [el("h3", {}, group.name)] : []),
          el("ul", {}, ...group.examples.map(item)),
        ]),
      );
    },
  };
}
