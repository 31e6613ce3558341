import { NO_COLOUR } from "../colour/rgb";
import { select } from "d3";
import { answeredClasses } from "../colour/own";
import { type CellFacts, outsideOf, overAll } from "../describe";
import { el } from "../dom";
import { percent } from "../format";
import type { ModelInfo, Trace } from "../types";

/** The class masses of a cell as one stacked bar; what lies outside the top words is hatched. */

export interface Stack {
  node: HTMLElement;
  draw(f: CellFacts, trace: Trace, model: ModelInfo, colours: ReadonlyMap<string, string>): void;
}

interface Part {
  id: string;
  name: string;
  p: number;
  colour: string;
}

export function createStack(): Stack {
  const node = el("div", { class: "stack", role: "img" });
  return {
    node,
    draw(f, trace, model, colours) {
      const names = new Map(answeredClasses(model, trace).map((c) => [c.id, c.name]));
      const parts: Part[] = trace.classes
        .map((id, k) => ({
          id,
          name: names.get(id) ?? id,
          p: f.mass[k] ?? 0,
          colour: colours.get(id) ?? NO_COLOUR,
        }))
        .filter((part) => part.p > 0)
        .sort((a, b) => b.p - a.p);
      const told = ({ name, p }: Pick<Part, "name" | "p">) => `${name} ${percent(p)}`;
      const outside = { name: outsideOf(trace, model, true), p: f.outside };
      const all = overAll(trace, model);
      node.setAttribute("aria-label", [...parts, ...(all ? [] : [outside])].map(told).join(", "));
      node.title = all ? "" : `hatched: ${told(outside)}`;
      select(node)
        .selectAll<HTMLElement, Part>("i")
        .data(parts, (d) => d.id)
        .join("i")
        .style("width", (d) => `${(100 * d.p).toFixed(2)}%`)
        .style("background-color", (d) => d.colour)
        .attr("title", told)
        .order();
    },
  };
}
