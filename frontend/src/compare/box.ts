import { createArea } from "../area";
import { isBlank } from "../blank";
import { type Component, createChanged, el } from "../dom";
import { handOn } from "../focus";
import type { State } from "../state";

export interface SecondCallbacks {
  /** The second text as it is typed. */
  text(text: string): void;
  /** Opens the comparison with a second text; null closes it. */
  compare(text: string | null): void;
  swap(): void;
  retry(): void;
  /** The comparison was closed: the focus goes back to what opened it. */
  closed(): void;
}

export interface Second extends Component<State> {
  /** Opens the field: with what stood there before, or with the first text, to change a word of it. */
  open(first: string): void;
}

/** The second text's box. Closed, it remembers what was typed. */
export function createSecond(root: HTMLElement, on: SecondCallbacks): Second {
  const changed = createChanged();
  /** What stood there when it was closed. */
  let kept = "";
  let focus = false;
  const box = el("textarea", {
    id: "text-second",
    rows: 1,
    dir: "auto",
    "aria-label": "Second text, to compare with the first",
    "aria-describedby": "second-problem",
    placeholder: "Type a second sentence",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  const button = (label: string, name: string, act: () => void) => {
    const node = el("button", { type: "button", class: "button", title: name }, label);
    node.setAttribute("aria-label", name);
    node.addEventListener("click", act);
    return node;
  };
  const swap = button("⇅ Swap", "Swap the two texts", () => on.swap());
  const close = button("×", "Close the comparison", () => {
    kept = box.value;
    on.compare(null);
    on.closed();
  });
  const letter = el("b", { class: "letter", "aria-hidden": "true" }, "B");
  const problem = el("div", { id: "second-problem", role: "alert" });
  const retry = el("button", { type: "button", class: "quiet-button" }, "Try now");
  retry.addEventListener("click", () => on.retry());
  root.replaceChildren(el("div", { class: "box" }, letter, box, swap, close), problem);
  const area = createArea(box, (text) => on.text(text));

  return {
    open(first) {
      focus = true;
      on.compare(isBlank(kept) ? first : kept);
    },
    update({ view, unpaired }) {
      root.hidden = view.compare === null;
      if (view.compare === null) return;
      area.show(view.compare);
      if (focus) {
        focus = false;
        box.focus();
        box.select();
      }
      if (!changed(unpaired)) return;
      box.setAttribute("aria-invalid", String(unpaired?.ofText ?? false));
      handOn(
        problem,
        () =>
          problem.replaceChildren(
            ...(unpaired
              ? [
                  el(
                    "div",
                    { class: "notice problem" },
                    el("b", {}, unpaired.message),
                    ` ${unpaired.advice} `,
                    unpaired.retrying ? retry : null,
                  ),
                ]
              : []),
          ),
        () => () => problem,
      );
    },
  };
}
