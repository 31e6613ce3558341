import { el, symbol } from "../dom";
import { nameOf, type PairedStep, type Parting, type Strip } from "../partings";

/** What still tells the texts apart: a strip of bars for each column, and the cells that part most. */

/** Strips that are shown before all of them are asked for. */
export const FEW = 8;
/** Up to so many steps each has its word under the bars. */
const NAMED = 8;

const percentOf = (part: number) => `${(100 * part).toFixed(2)}%`;

export function drawStrips(
  strips: readonly Strip[],
  steps: readonly PairedStep[],
  choose: (step: PairedStep, strip: Strip) => void,
): HTMLElement[] {
  const most = Math.max(1e-6, ...strips.flatMap(({ bits }) => bits));
  const rows = strips.map((strip) => {
    const { column, bits, mean } = strip;
    const bars = bits.map((value, n) => {
      const bar = el("i", {});
      bar.style.height = percentOf(value / most);
      const step = steps[n];
      const slot = el(
        "span",
        { title: `${step?.label ?? ""}, ${nameOf(column)}: ${value.toFixed(3)} bits` },
        bar,
      );
      if (step) slot.addEventListener("click", () => choose(step, strip));
      return slot;
    });
    const told = steps.map(({ label }, n) => `${label} ${(bits[n] ?? 0).toFixed(3)}`);
    const listed = told.length > NAMED ? "" : `: ${told.join(", ")}`;
    return el(
      "li",
      {},
      el("span", { class: "name", title: nameOf(column) }, symbol(column.symbol, column.layer)),
      el(
        "div",
        {
          class: "bars",
          role: "img",
          "aria-label": `${nameOf(column)}, ${mean.toFixed(3)} bits on average${listed}`,
        },
        ...bars,
      ),
      el("q", {}, mean.toFixed(3)),
    );
  });
  const [first, last] = [steps[0], steps.at(-1)];
  const words =
    steps.length <= NAMED
      ? steps.map(({ label }) => el("span", { title: label }, label))
      : [el("span", {}, first?.label ?? ""), el("span", { class: "last" }, last?.label ?? "")];
  return [
    el("ol", { class: "strips" }, ...rows),
    el(
      "div",
      { class: "words", "aria-hidden": "true" },
      el("span"),
      el("div", { class: "bars" }, ...words),
      el("small", {}, "mean"),
    ),
  ];
}

export function drawList(
  partings: readonly Parting[],
  choose: (parting: Parting) => void,
): HTMLElement[] {
  return partings.map((parting) => {
    const { step, column, bits } = parting;
    const button = el(
      "button",
      { type: "button", title: "Show it in the grid" },
      el(
        "span",
        {},
        el("b", {}, step.label),
        " · ",
        symbol(column.symbol, column.layer),
        ` ${column.name.toLowerCase()}`,
      ),
      el("q", {}, bits.toFixed(3)),
    );
    button.addEventListener("click", () => choose(parting));
    return el("li", {}, button);
  });
}
