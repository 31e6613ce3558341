import { OWN_LIMITS } from "../colour/own";
import { type Component, createChanged, el, fillSelect } from "../dom";
import { inUnits } from "../format";
import type { State } from "../state";
import { type Show, showNames, SHOWS } from "../state/choices";
import type { View } from "../state/view";
import { saysItself, saysLabels, unitOf } from "../types";

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
    maxlength: OWN_LIMITS.word,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
  });
  const said = el("small", { role: "status" });
  root.append(el("span", {}, "rectangles show"), show, watch, said);

  let focus = false;
  show.addEventListener("change", () => {
    focus = show.value === "watch";
    on.view({ show: show.value as Show });
  });
  watch.addEventListener("change", () => {
    // Of several words there is no probability: that is told of them as they were typed.
    on.view({ watch: watch.value.trim().replace(/\s+/gu, " ") });
  });

  return {
    update({ view, trace, model, unwatched }) {
      root.hidden = !model;
      const { show: shown, watch: word, semantic } = view;
      if (!model || !changed(shown, word, semantic, trace, model, unwatched)) return;
      const labels = saysLabels(model);
      const unit = unitOf(model);
      const noun = labels ? "label" : unit;
      watch.placeholder = `a ${noun}`;
      const watching = labels ? "Label to watch" : inUnits("Word to watch", unit);
      watch.setAttribute("aria-label", watching);
      const names = showNames(labels);
      fillSelect(
        show,
        SHOWS.map((s) => [s, inUnits(names[s], unit)] as const),
        view.show,
      );
      const isWatch = view.show === "watch";
      watch.hidden = !isWatch;
      // What cannot be watched stays as it was typed, to be mended.
      const typing = document.activeElement === watch && watch.value !== "";
      if (!typing && unwatched === null) watch.value = view.watch;
      if (isWatch && focus) watch.focus();
      focus = false;
      const answer = isWatch && view.watch ? trace?.watch : undefined;
      said.textContent = !isWatch
        ? view.show === "divergence" && !saysItself(view.semantic)
          ? `only for the next ${unit}: y predicts no other`
          : ""
        : (unwatched ??
          (!view.watch
            ? `type a ${noun}, then Enter`
            : answer && !answer.known
              ? `not in the vocabulary: ${answer.word} is watched`
              : ""));
    },
  };
}
