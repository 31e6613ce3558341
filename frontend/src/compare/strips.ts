import { create } from "d3";
import { columnSaid } from "../columns";
import { el, symbol } from "../dom";
import { fixed } from "../format";
import type { PairedStep, Parting, Strip } from "../partings";

/** What still tells the texts apart: a strip of bars for each column, and the cells that part most. */

/** Strips that are shown before all of them are asked for. */
export const FEW = 8;
/** Up to so many steps each has its word under the bars. */
const NAMED = 8;
/** From so many on, bars touch: gaps would be narrower than a pixel. */
const CLOSE = 60;

/** What a strip's figures are, for few steps. */
const listedOf = ({ bits }: Strip, steps: readonly PairedStep[]): string =>
  steps.length > NAMED
    ? ""
    : `: ${steps.map(({ label }, n) => `${label} ${fixed(bits[n] ?? 0, 3)}`).join(", ")}`;

/** A bar for each part of the most, as one path: hundreds of steps cost no more than a few. */
function drawBars(parts: readonly number[]): SVGSVGElement {
  const size = [parts.length, 1] as const;
  const svg = create("svg")
    .attr("viewBox", `0 0 ${size.join(" ")}`)
    .attr("preserveAspectRatio", "none")
    .attr("aria-hidden", "true");
  const wide = parts.length > CLOSE ? 1 : 0.86;
  const bar = (part: number, n: number) =>
    `M${n} 1v${(-part).toFixed(4)}h${wide}v${part.toFixed(4)}z`;
  svg.append("path").attr("d", parts.map(bar).join(""));
  return svg.node() as SVGSVGElement;
}

export function drawStrips(
  strips: readonly Strip[],
  steps: readonly PairedStep[],
  choose: (step: PairedStep, strip: Strip) => void,
): HTMLElement[] {
  const most = Math.max(1e-6, ...strips.flatMap(({ bits }) => bits));
  const rows = strips.map((strip) => {
    const { column, bits, mean } = strip;
    const bars = el("div", {
      class: "bars",
      role: "img",
      "aria-label": `${columnSaid(column)}, ${fixed(mean, 3)} bits on average${listedOf(strip, steps)}`,
    });
    bars.append(drawBars(bits.map((value) => value / most)));
    const at = ({ clientX }: MouseEvent): number => {
      const { left, width } = bars.getBoundingClientRect();
      const n = Math.floor(((clientX - left) / (width || 1)) * bits.length);
      return Math.min(bits.length - 1, Math.max(0, n));
    };
    bars.addEventListener("pointermove", (event) => {
      const n = at(event);
      bars.title = `${steps[n]?.label ?? ""}, ${columnSaid(column)}: ${fixed(bits[n] ?? 0, 3)} bits`;
    });
    bars.addEventListener("click", (event) => {
      const step = steps[at(event)];
      if (step) choose(step, strip);
    });
    return el(
      "li",
      {},
      el("span", { class: "name", title: columnSaid(column) }, symbol(column.symbol, column.layer)),
      bars,
      el("q", {}, fixed(mean, 3)),
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
      el("q", {}, fixed(bits, 3)),
    );
    button.addEventListener("click", () => choose(parting));
    return el("li", {}, button);
  });
}
