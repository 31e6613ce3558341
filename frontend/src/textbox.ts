import { type Component, createChanged, el } from "./dom";
import type { State } from "./state";
import type { Example } from "./types";

export interface TextboxCallbacks {
  text(text: string): void;
}

/** From this many characters on the text is set smaller: the grid must stay in sight. */
const LONG = 180;

/** The one text box, and the examples. What was typed is never lost or overwritten while typing. */
export function createTextbox(root: HTMLElement, on: TextboxCallbacks): Component<State> {
  const changed = createChanged();
  const box = el("textarea", {
    id: "text",
    rows: 1,
    "aria-label": "Text that the network reads",
    "aria-describedby": "banner",
    placeholder: "Type a sentence",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  const summary = el("summary", { class: "button" }, "Examples");
  const list = el("div", { class: "menu" });
  const examples = el("details", { class: "examples" }, summary, list);
  root.append(box, examples);

  let composing = false;
  const emit = () => {
    grow();
    // Half a character of an input method is not a text yet.
    if (!composing) on.text(box.value);
  };
  /** As tall as its text: `field-sizing` does it in newer browsers, this in the others. */
  function grow(): void {
    box.classList.toggle("long", box.value.length > LONG);
    box.style.height = "auto";
    if (box.scrollHeight) box.style.height = `${box.scrollHeight}px`;
  }
  box.addEventListener("input", emit);
  box.addEventListener("compositionstart", () => (composing = true));
  box.addEventListener("compositionend", () => {
    composing = false;
    emit();
  });
  const shut = (focus: boolean) => {
    examples.open = false;
    if (focus) summary.focus();
  };
  examples.addEventListener("keydown", (event) => event.key === "Escape" && shut(true));
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !examples.contains(event.target)) shut(false);
  });
  window.addEventListener("resize", grow);

  function item(example: Example): HTMLElement {
    const button = el(
      "button",
      { type: "button" },
      el("span", {}, example.text),
      el("small", {}, example.shows),
    );
    button.addEventListener("click", () => {
      shut(true);
      on.text(example.text);
    });
    return button;
  }

  return {
    update({ view, model, problem }) {
      box.setAttribute("aria-invalid", String(problem?.ofText ?? false));
      if (!composing && box.value !== view.text) {
        box.value = view.text;
        grow();
      }
      if (!changed(model)) return;
      examples.hidden = !model?.examples.length;
      list.replaceChildren(...(model?.examples ?? []).map(item));
    },
  };
}
