import { select } from "d3";
import type { Bar } from "../describe";
import { needsRim, type Rgb } from "../colour/rgb";
import { el } from "../dom";
import { LITTLE, percent } from "../format";
import { lengthOf } from "../layout";
import type { Scale } from "../state/choices";
import type { Noun } from "../types";

/** The most likely words of a cell: a bar each, on the grid's scale, with exact figures. */

/** On what the bars are drawn: the probability of a full one, and how lengths go with it. */
export interface BarsOn {
  domain: number;
  scale: Scale;
  ground: Rgb;
  noun: Noun;
}

export interface Words {
  node: HTMLElement;
  draw(list: readonly Bar[], on: BarsOn): void;
}

export function createWords(): Words {
  const node = el("div", { class: "rows" });

  function draw(list: readonly Bar[], { domain, scale, ground, noun }: BarsOn): void {
    const long = list.length > 10;
    node.classList.toggle("long", long);
    // What scrolls can be scrolled with the keyboard.
    if (long) {
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", `The ${list.length} most likely ${noun}s`);
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
      .style("width", (d) => `${(100 * lengthOf(d.p, domain, scale)).toFixed(2)}%`)
      .style("background-color", (d) => d.colour)
      .classed("rim", (d) => needsRim(d.colour, ground));
    // Every word has some probability: one that float32 cannot hold is little, not none.
    rows.select("q").text((d) => (d.p ? percent(d.p) : LITTLE));
  }

  return { node, draw };
}
