import { type Component, createChanged, el, fillSelect } from "../dom";
import { handOn } from "../focus";
import { inUnits } from "../format";
import { columnsOf } from "../columns";
import { readsAhead } from "../operands";
import {
  alikeSaid,
  cellsOf,
  changesSaid,
  chosenSteps,
  distanceName,
  findingOf,
  isAlike,
  OUTLINED,
  type Parting,
  pairsOf,
  partingsOf,
  stripsOf,
} from "../partings";
import type { State } from "../state";
import { type Distance, DISTANCES } from "../state/choices";
import { type CellId, unitOf } from "../types";
import { createMatrix } from "./matrix";
import { drawList, drawStrips, FEW } from "./strips";

export interface CompareCallbacks {
  distance(distance: Distance): void;
  /** Shows a cell in the grid. */
  find(cell: CellId): void;
}

/** Where two texts part: the finding in a sentence, the grid of divergences, strips and a list. */
export function createCompare(root: HTMLElement, on: CompareCallbacks): Component<State> {
  const changed = createChanged();
  const looks = createChanged();
  let all = false;
  let last: State | null = null;
  const find = (parting: Parting) => on.find(cellsOf(parting)[0]);
  const distance = el("select", { class: "button" });
  const said = el("p", { class: "said" });
  const finding = el("p", { class: "finding", role: "status" });
  const matrix = createMatrix((step, column) => find({ step, column, bits: 0 }));
  const strips = el("div", { class: "still" });
  const more = el("button", { type: "button", class: "quiet-button" });
  const list = el("ol", { class: "parted" });
  const hint = el("p", { class: "hint" });
  const ranked = el("label", {}, "ranked: ", distance);
  const side = el(
    "div",
    { class: "side" },
    el("h3", {}, "What still tells them apart", more),
    strips,
  );
  const parting = el(
    "div",
    { class: "parting" },
    el("div", { class: "all" }, matrix.node, hint),
    side,
  );
  const most = el("h3", {}, "The cells that differ most");
  root.replaceChildren(
    el("h2", {}, el("span", { id: "compare-title" }, "Where they part"), ranked),
    said,
    finding,
    parting,
    most,
    list,
  );
  distance.addEventListener("change", () => on.distance(Number(distance.value) as Distance));
  more.addEventListener("click", () => {
    all = !all;
    if (last) drawSide(last);
  });

  function drawSide({ comparison, model, view }: State): void {
    if (!comparison || !model) return;
    const columns = columnsOf(model, comparison.columns, view);
    const chosen = chosenSteps(pairsOf(comparison), view.distance);
    const told = stripsOf(comparison, chosen.steps, columns);
    const cells = partingsOf(comparison, chosen.steps, columns, OUTLINED);
    const unit = unitOf(model);
    const ahead = readsAhead(comparison.columns);
    const alike = isAlike(comparison);
    finding.textContent =
      alikeSaid(comparison, unit) || findingOf(comparison, told, chosen.distance, unit);
    // Nothing is drawn of nothing.
    ranked.hidden = parting.hidden = alike;
    side.hidden = most.hidden = list.hidden = !cells.length;
    strips.replaceChildren(
      ...drawStrips(all ? told : told.slice(0, FEW), chosen.steps, (step, { column }) =>
        find({ step, column, bits: 0 }),
      ),
    );
    more.textContent = all ? `the first ${FEW}` : `all ${told.length}`;
    more.hidden = told.length <= FEW;
    // To the cell that stands there now, or the last.
    handOn(
      list,
      () => list.replaceChildren(...drawList(cells, find)),
      (had) => {
        const at = [...list.children].findIndex((item) => item.contains(had));
        return () => (list.children[at] ?? list.lastElementChild)?.querySelector("button");
      },
    );
    hint.textContent =
      "Jensen–Shannon divergence of the two texts' predictions, in bits: 0 is the same, 1 has nothing in common. " +
      "The shade follows its square root; blank is under 0.0005." +
      (cells.length
        ? ` In the grid below, the ${cells.length} cells listed here are outlined in both texts.`
        : "") +
      (cells.length && chosen.distance < view.distance
        ? inUnits(
            ` No word is that far ${ahead ? "from" : "after"} a difference; ranked instead: ${distanceName(chosen.distance, ahead)}.`,
            unit,
          )
        : "");
  }

  return {
    update(state) {
      const { comparison, model, view, dark, printing, pairing, unpaired, problem } = state;
      root.hidden = view.compare === null || !comparison || !model;
      root.classList.toggle("stale", pairing || unpaired !== null || problem !== null);
      if (root.hidden || !comparison || !model) return;
      const { hide, hide_layers } = view;
      last = state;
      if (changed(comparison, model, hide, hide_layers, dark, view.distance)) {
        const ahead = readsAhead(comparison.columns);
        fillSelect(
          distance,
          DISTANCES.map(
            (d) => [String(d), inUnits(distanceName(d, ahead), unitOf(model))] as const,
          ),
          String(view.distance),
        );
        said.textContent = changesSaid(comparison, unitOf(model));
        const columns = columnsOf(model, comparison.columns, view);
        // Another distance ranks anew, and leaves the matrix as it is.
        if (looks(comparison, model, hide, hide_layers, dark))
          matrix.draw(comparison, pairsOf(comparison), columns, dark);
        drawSide(state);
      }
      if (printing) matrix.all();
    },
  };
}
