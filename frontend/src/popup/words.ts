import { select } from "d3";
import type { Bar } from "../describe";
import { el } from "../dom";
import { percent } from "../format";

/** The most likely words of a cell: a bar each, on the grid's scale, with exact figures. */

export interface Words {
  node: HTMLElement;
  draw(list: readonly Bar[], domain: number): void;
}

export function createWords(): Words {
  const node = el("div", { class: "rows" });

  function draw(list: readonly Bar[], domain: number): void {
    const long = list.length > 10;
    node.classList.toggle("long", long);
    // What scrolls can be scrolled with the keyboard.
    if (long) {
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", `The ${list.length} most likely words`);
    } else for (const name of ["tabindex", "role", "aria-label"]) node.removeAttribute(name);
    const rows = select(node)
      .selectAll<HTMLDivElement, Bar>("div.r")
      .data(list)
      .join((enter) => {
        const r = enter.append("div").attr("class", "r");
        r.append("span");
        r.append("i").append("s");
        r.append("q");
        return r;
      });
    rows
      .select("span")
      .text((d) => d.word)
      .classed("asked", (d) => d.asked)
      .attr("title", (d) => d.word);
    rows
      .select("s")
      .style("width", (d) => `max(1px, ${(100 * Math.min(1, d.p / domain)).toFixed(2)}%)`)
      .style("background-color", (d) => d.colour);
    rows.select("q").text((d) => percent(d.p));
  }

  return { node, draw };
}
