import { createChanged, el, fillSelect, option, symbol } from "../dom";
import { count } from "../format";
import { columnSaid, infoOf } from "../columns";
import type { AlongText } from "../state";
import { type Search, SEARCHES } from "../state/choices";
import type { View } from "../state/view";
import type { ModelInfo, UnitId } from "../types";
import { rSaid, sameUnit } from "../unitline/said";
import { followsOf, MAX_SERIES, OWN, type Series } from "../unitline/series";

/** Which unit follows a number best: what is followed, whose units are searched, and the best ten. */

export interface SearchCallbacks {
  view(patch: Partial<View>): void;
  choose(unit: UnitId): void;
}

export interface UnitSearch {
  node: HTMLElement;
  update(view: View, model: ModelInfo, series: Series, line: AlongText | null): void;
}

const SEARCH_NAMES: Record<Search, string> = { kind: "of this column", all: "of all columns" };

export function createUnitSearch(on: SearchCallbacks): UnitSearch {
  const changed = createChanged();
  const follow = el("select");
  const search = el("select", {}, ...SEARCHES.map((s) => option(s, SEARCH_NAMES[s])));
  const own = el("input", {
    type: "text",
    maxlength: MAX_SERIES,
    "aria-label": "Your own numbers, one for each timestep",
    placeholder: "0, 1, 2, 1, 0",
    autocomplete: "off",
  });
  const problem = el("p", { class: "hint", role: "status" });
  const caution = el("p", { class: "hint" });
  const found = el("ol", { class: "found", "aria-label": "Units that follow best" });
  const node = el(
    "div",
    { class: "search" },
    el("label", {}, "Which unit follows ", follow),
    own,
    el("label", {}, "among the units ", search),
    problem,
    found,
    caution,
  );
  follow.addEventListener("change", () => on.view({ follow: follow.value }));
  search.addEventListener("change", () => on.view({ search: search.value as Search }));
  own.addEventListener("input", () => on.view({ series: own.value }));

  function item({ r, ...unit }: UnitId & { r: number }, model: ModelInfo, now: UnitId | null) {
    const info = infoOf(model, unit);
    const name = info ? `, ${columnSaid(info)}` : "";
    const button = el(
      "button",
      {
        type: "button",
        "aria-pressed": String(sameUnit(unit, now)),
        "aria-label": `unit ${unit.unit + 1}${name}: r ${rSaid(r)}`,
      },
      symbol(info?.symbol ?? unit.kind, unit.layer),
      el("span", {}, `unit ${count(unit.unit + 1)}`),
      el("b", {}, rSaid(r)),
    );
    button.addEventListener("click", () => on.choose(unit));
    return el("li", {}, button);
  }

  return {
    node,
    update(view, model, series, line) {
      fillSelect(follow, followsOf(model, view.classes), view.follow);
      search.value = view.search;
      own.hidden = view.follow !== OWN;
      // What is being typed is left alone.
      if (own.value !== view.series && document.activeElement !== own) own.value = view.series;
      problem.textContent = series.problem ?? "";
      problem.hidden = !series.problem;
      own.setAttribute("aria-invalid", String(series.problem !== null));
      const answer = series.values ? line?.sides[0]?.answer : undefined;
      found.hidden = caution.hidden = !answer?.found.length;
      caution.textContent = `Pearson's r over the timesteps${view.compare === null ? "" : " of A"}. Of many units some follow anything in a short text by chance: try what is found on another text.`;
      if (!changed(answer, view.unit, model)) return;
      const focused = [...found.querySelectorAll("button")].findIndex((b) => b === document.activeElement); // prettier-ignore
      found.replaceChildren(...(answer?.found ?? []).map((one) => item(one, model, view.unit)));
      if (focused >= 0) found.querySelectorAll("button")[focused]?.focus();
    },
  };
}
