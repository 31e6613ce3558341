import { createArea } from "./area";
import { type Component, createChanged, el } from "./dom";
import { exampleGroups } from "./examples";
import { createMenu } from "./menu";
import type { State } from "./state";
import type { Example } from "./types";

export interface TextboxCallbacks {
  text(text: string): void;
  example(example: Example): void;
  /** Opens a second text beside this one. */
  compare(): void;
}

/** The text box, and the examples. What was typed is never lost or overwritten while typing. */
export function createTextbox(root: HTMLElement, on: TextboxCallbacks): Component<State> {
  const changed = createChanged();
  const letter = el("b", { class: "letter", "aria-hidden": "true" }, "A");
  const box = el("textarea", {
    id: "text",
    rows: 1,
    // Hebrew and Arabic begin at the right: the text says it.
    dir: "auto",
    "aria-label": "Text that the network reads",
    "aria-describedby": "banner",
    placeholder: "Type a sentence",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  const compare = el("button", { type: "button", class: "button compare-with" }, "Compare with…");
  const { node: examples, list, shut } = createMenu("Examples", "examples");
  root.append(letter, box, compare, examples);

  const area = createArea(box, (text) => on.text(text));
  compare.addEventListener("click", () => on.compare());

  function item(example: Example): HTMLElement {
    const button = el(
      "button",
      { type: "button" },
      el("span", { dir: "auto" }, example.text),
      example.compare ? el("span", {}, el("i", {}, "with "), example.compare) : null,
      el("small", {}, example.shows),
    );
    button.addEventListener("click", () => {
      shut(true);
      on.example(example);
    });
    return button;
  }

  return {
    update({ view, model, problem }) {
      box.setAttribute("aria-invalid", String(problem?.ofText ?? false));
      area.show(view.text);
      letter.hidden = view.compare === null;
      compare.hidden = !model || view.compare !== null;
      if (!changed(model)) return;
      examples.hidden = !model?.examples.length;
      list.replaceChildren(
        ...exampleGroups(model?.examples ?? []).flatMap((group) => [
          ...(group.name ? [el("h3", {}, group.name)] : []),
          ...group.examples.map(item),
        ]),
      );
    },
  };
}
