import { select } from "d3";
import type { Bar } from "../describe";
import { needsRim, type Rgb } from "../colour/rgb";
import { el, write } from "../dom";
import { finerProbability } from "../format";
import { lengthOf } from "../scale";
import type { Scale } from "../state/choices";
import { BARS_ASKED } from "../state/view";
import type { Noun } from "../types";

/** The most likely words of a cell: a bar each, on the grid's scale, with its figure. */

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
    const long = list.length > BARS_ASKED;
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
    rows.each(function (d) {
      const [word, line, figure] = this.children as unknown as [HTMLElement, HTMLElement, Element];
      const bar = line.firstElementChild as HTMLElement;
      write(word, d.word);
      word.classList.toggle("asked", d.asked);
      if (word.title !== d.word) word.title = d.word;
      bar.style.width = `${(100 * lengthOf(d.p, domain, scale)).toFixed(2)}%`;
      bar.style.backgroundColor = d.colour;
      bar.classList.toggle("rim", needsRim(d.colour, ground));
      write(figure, finerProbability(d.p));
    });
  }

  return { node, draw };
}
