import { type Component, createChanged, el, fillSelect } from "../dom";
import type { State } from "../state";
import { MAX_WORD, type Show, SHOW_NAMES, SHOWS } from "../state/choices";
import type { View } from "../state/view";
import { saysItself, saysLabels } from "../types";

/** What the rectangles show, and the word to watch. */
export function createShows(
  root: HTMLElement,
  on: { view(patch: Partial<View>): void },
): Component<State> {
  const changed = createChanged();
  const show = el("select", { class: "button", "aria-label": "rectangles show" });
  const watch = el("input", {
    type: "text",
    "aria-label": "Word to watch",
    placeholder: "a word",
    maxlength: MAX_WORD,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
  });
  const said = el("small", { role: "status" });
  root.append(el("span", {}, "rectangles show"), show, watch, said);

  let focus = false;
  let labels = false;
  show.addEventListener("change", () => {
    focus = show.value === "watch";
    on.view({ show: show.value as Show });
  });
  watch.addEventListener("change", () => {
    const word = watch.value.trim();
    // The first word of several: a cell has a probability for one. A label may have several.
    on.view({ watch: labels ? word : (word.split(/\s/u)[0] ?? "") });
  });

  return {
    update({ view, trace, model }) {
      root.hidden = !model;
      if (!model || !changed(view.show, view.watch, view.semantic, trace, model)) return;
      labels = saysLabels(model);
      const noun = labels ? "label" : "word";
      watch.placeholder = `a ${noun}`;
      watch.setAttribute("aria-label", labels ? "Label to watch" : "Word to watch");
      const names = labels
        ? { ...SHOW_NAMES, class: "the strongest label", watch: "a label's probability" }
        : SHOW_NAMES;
      fillSelect(
        show,
        SHOWS.map((s) => [s, names[s]] as const),
        view.show,
      );
      const watching = view.show === "watch";
      watch.hidden = !watching;
      if (document.activeElement !== watch || !watch.value) watch.value = view.watch;
      if (watching && focus) watch.focus();
      focus = false;
      const answer = watching && view.watch ? trace?.watch : undefined;
      said.textContent = !watching
        ? view.show === "divergence" && !saysItself(view.semantic)
          ? "only for the next word: y predicts no other"
          : ""
        : !view.watch
          ? `type a ${noun}, then Enter`
          : answer && !answer.known
            ? "not in the vocabulary: <unk> is watched"
            : "";
    },
  };
}
