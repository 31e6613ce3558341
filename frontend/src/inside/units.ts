import { el, symbol } from "../dom";
import { count } from "../format";
import { type Part, unitSaid } from "./reading";

/** One unit after the other, by pointer or by keyboard: a slider over the order, and its figures. */

export interface Units {
  slider: HTMLElement;
  reading: HTMLElement;
  /** The order, and what is read of a unit. The unit that is read stays, wherever it moves. */
  set(order: readonly number[], read: (unit: number) => readonly Part[]): void;
  /** Reads the unit at a place. */
  at(place: number): void;
}

const HINT = "Point at a strip, or move along it with the arrow keys, to read a unit.";

/** `point` is told the place in the order that is read, or null when none is; `along` the unit that
 * is to be drawn along the text. */
export function createUnits(
  point: (place: number | null) => void,
  along: (unit: number) => void,
): Units {
  const range = el("input", {
    type: "range",
    min: 1,
    step: 1,
    value: 1,
    "aria-label": "Unit, in the order of the strips",
  });
  const slider = el("div", { class: "slider" }, range);
  const reading = el("p", { class: "reading" });
  let order: readonly number[] = [];
  let read: (unit: number) => readonly Part[] = () => [];
  let unit: number | null = null;
  const whole = el("button", { type: "button", class: "quiet-button" }, "along the text");
  whole.addEventListener("click", () => unit !== null && along(unit));

  function draw(): void {
    const place = unit === null ? -1 : order.indexOf(unit);
    range.disabled = !order.length;
    range.max = String(Math.max(1, order.length));
    range.value = String(Math.max(0, place) + 1);
    if (unit === null || place < 0) {
      range.setAttribute("aria-valuetext", "no unit is read yet");
      reading.replaceChildren(el("span", { class: "quiet" }, HINT));
      point(null);
      return;
    }
    const parts = read(unit);
    range.setAttribute("aria-valuetext", unitSaid(unit, place + 1, parts));
    reading.replaceChildren(
      el("b", {}, `unit ${count(unit + 1)}`),
      ...parts.map(({ before, symbol: name, layer, value }) =>
        el("span", {}, before && `${before} `, symbol(name, layer), ` ${value}`),
      ),
      whole,
    );
    point(place);
  }

  range.addEventListener("input", () => {
    unit = order[Number(range.value) - 1] ?? null;
    draw();
  });
  // The slider stands at the first unit before any is read: to reach it is to read it.
  range.addEventListener("focus", () => {
    if (!range.matches(":focus-visible") || unit !== null) return;
    unit = order[0] ?? null;
    draw();
  });

  return {
    slider,
    reading,
    set(newOrder, newRead) {
      order = newOrder;
      read = newRead;
      draw();
    },
    at(place) {
      if (order[place] === undefined || order[place] === unit) return;
      unit = order[place] ?? null;
      draw();
    },
  };
}
