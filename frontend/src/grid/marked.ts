import { partnerOf } from "../alignment";
import { createChanged } from "../dom";
import { barsShown } from "../measures";
import { operandsOf } from "../operands";
import { comparisonOf, outlinedOf } from "../partings";
import type { State } from "../state";
import { traceOf } from "../state/sides";
import type { Find, Laid } from "./find";
import { createMarks, reveal } from "./marks";
import type { Wires } from "./wires";

/** Which cells stand out in a state, and the wires from operands to the cell that they make. */
export interface Marked {
  /** `turn` counts the drawings of rows that were put off: their cells were not there to be marked. */
  draw(state: State, turn: number): void;
  /** Draws the wires anew, since the cells stand elsewhere. */
  wire: () => void;
  /** Draws them if others are marked. */
  settle: () => void;
}

export function createMarked(
  root: HTMLElement,
  wires: Wires,
  find: Find,
  laid: Readonly<Laid>,
): Marked {
  const mark = createMarks();
  const marksChanged = createChanged();
  const partedChanged = createChanged();
  const chosenChanged = createChanged();
  const columnChanged = createChanged();
  let pointed: HTMLElement | undefined;
  let read: HTMLElement[] = [];
  /** The wires are of cells that were marked before. */
  let stale = false;
  const wire = () => {
    stale = false;
    wires.draw(read, pointed ?? null);
  };

  return {
    draw(state, turn) {
      const { model, view, hover, row, column } = state;
      const { pins, inside, density } = view;
      const { lines, columns, shown } = laid;
      if (!model) return;
      const bars = barsShown(view);
      if (marksChanged(lines, columns, shown, hover, row, pins, inside, bars, density, turn)) {
        mark("pin", pins.map(find.drawn));
        mark("looked", [inside ? find.at(inside) : undefined]);
        // The cell that is looked into stays lit, with its operands, while none is pointed at.
        const lit = hover ?? inside;
        pointed = lit ? find.at(lit) : undefined;
        const of = lit && traceOf(state, lit);
        read = of && lit ? operandsOf(of, model, lit).flatMap((cell) => find.at(cell) ?? []) : [];
        mark("on", [pointed]);
        mark("partner", [hover ? find.at(partnerOf(lines, hover)) : undefined]);
        mark("operand", read);
        stale = true;
        mark("row", row === null ? [] : [find.row(row)]);
      }
      if (partedChanged(lines, columns, shown, view.distance, turn)) {
        const told = comparisonOf(state);
        mark("parted", (told ? outlinedOf(told, columns, view.distance) : []).map(find.drawn));
      }
      if (chosenChanged(lines, columns, column, column === null ? 0 : turn)) {
        const cells = find.column(column);
        mark("chosen", cells);
        if (columnChanged(column)) reveal(root, cells);
      }
    },
    wire,
    settle: () => stale && wire(),
  };
}
