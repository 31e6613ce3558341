import { el, symbol } from "../dom";
import { equationAt, perplexity } from "../format";
import { widthOf } from "../figure/text";
import { type Column, columnTitle, type Group, groupsOf, layerKey, layerName } from "../columns";
import { GAPS } from "../measures";
import { notesOf, weakness } from "../perplexities";
import type { Labels } from "../state/choices";
import { nounOf, ofLabels, saysItself, type Semantic, type Unit } from "../types";

/** The sticky head of the grid: layers with their rule, then symbols or names with perplexities. */

/** The head's two rows stay; what is in them is set anew, for it changes seldom. */
function row(head: HTMLTableSectionElement, name: string): HTMLTableRowElement {
  const found = head.querySelector<HTMLTableRowElement>(`tr.${name}`);
  if (found) return found;
  const made = el("tr", { class: name, role: "row" });
  head.append(made);
  return made;
}

function nameOf(
  column: Column,
  semantic: Semantic,
  figure: string | null,
  excess: number | undefined,
  unit: Unit,
): string {
  if (column.layer === null && !saysItself(semantic))
    return `${column.name}: always the network's own prediction of the next ${unit}`;
  return `${columnTitle(column)}; perplexity ${figure ?? "not measured"}${
    excess === undefined ? "" : `; ${weakness(excess, nounOf(semantic, unit))}`
  }`;
}

/** A name, and how large its letters can be for the longest word: a part of the column's width. */
function named(name: string): HTMLElement {
  const node = el("span", { class: "name" }, name);
  // A line may end after a hyphen.
  const longest = Math.max(...name.split(/ |(?<=-)/u).map((part) => widthOf(part, 1)));
  node.style.setProperty("--letter", (1 / longest).toFixed(4));
  return node;
}

/** A layer stands over its columns: as wide as they and the gaps between them. */
function wide(node: HTMLElement, columns: readonly Column[]): HTMLElement {
  const gaps = columns.reduce((sum, column) => sum + GAPS[column.gap], 0);
  node.style.setProperty("--span", String(columns.length));
  node.style.setProperty("--gaps", `${gaps}px`);
  return node;
}

const layerButton = (key: string, label: string, does: string) =>
  el("button", { type: "button", value: key, "aria-label": does, title: does }, label);

const hideButton = (key: string) => layerButton(key, "−", `Hide ${layerName(key)}`);

export function drawHead(
  node: HTMLTableSectionElement,
  columns: readonly Column[],
  semantic: Semantic,
  labels: Labels,
  weak: ReadonlyMap<string, number>,
  hidden: readonly string[],
  unit: Unit,
): void {
  const notes = notesOf(columns, weak, semantic, unit);
  const groups: (Group & { columns: readonly Column[]; first: Column | undefined })[] = [];
  let at = 0;
  for (const group of groupsOf(columns)) {
    const own = columns.slice(at, at + group.span);
    groups.push({ ...group, columns: own, first: own[0] });
    at += group.span;
  }

  row(node, "groups").replaceChildren(
    el(
      "td",
      { class: "corner" },
      // What is collapsed is brought back from here.
      ...hidden.map((key) => layerButton(key, `+ ${layerName(key)}`, `Show ${layerName(key)}`)),
    ),
    ...groups.map((g) =>
      wide(
        el(
          "th",
          {
            scope: "colgroup",
            role: "columnheader",
            colspan: g.span,
            class:
              [g.first?.gap && `gap-${g.first.gap}`, g.first?.layer === null && "y"]
                .filter(Boolean)
                .join(" ") || null,
          },
          el(
            "span",
            {},
            g.name,
            // Both directions of a layer are hidden by one button.
            g.first && groups.find((o) => o.first?.layer === g.first?.layer) === g
              ? hideButton(layerKey(g.first))
              : null,
          ),
        ),
        g.columns,
      ),
    ),
    el("td", { class: "came" }),
  );

  row(node, "kinds").replaceChildren(
    el(
      "th",
      { scope: "col", role: "columnheader", class: "corner" },
      el("small", {}, "perplexity"),
    ),
    ...columns.map((column) => {
      const value = column.perplexity[semantic];
      const figure = typeof value === "number" ? perplexity(value) : null;
      const excess = weak.get(column.key);
      const name = nameOf(column, semantic, figure, excess, unit);
      return el(
        "th",
        {
          scope: "col",
          role: "columnheader",
          class: [column.gap && `gap-${column.gap}`, column.layer === null && "y"]
            .filter(Boolean)
            .join(" "),
          title: `${name}\n${equationAt(column)}`,
          "aria-label": name,
        },
        labels === "name" ? named(column.name) : symbol(column.symbol, column.layer),
        el("small", {}, figure ?? "–"),
        notes.size ? el("em", {}, notes.get(column.key) ?? "") : null,
      );
    }),
    el(
      "th",
      { scope: "col", role: "columnheader", class: "came" },
      el("span", {}, ofLabels({ semantic }) ? "" : "came next"),
    ),
  );
}
