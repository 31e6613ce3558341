import { el, symbol } from "../dom";
import { perplexity } from "../format";
import { type Column, type Group, groupsOf } from "../layout";
import type { Labels } from "../state";
import type { Semantic } from "../types";

/** The sticky head of the grid: layers with their rule, then symbols or names with perplexities. */

/** The head's two rows stay; what is in them is set anew, for it changes seldom. */
function row(head: HTMLTableSectionElement, name: string): HTMLTableRowElement {
  const found = head.querySelector<HTMLTableRowElement>(`tr.${name}`);
  if (found) return found;
  const made = el("tr", { class: name, role: "row" });
  head.append(made);
  return made;
}

function nameOf(column: Column, semantic: Semantic, figure: string | null): string {
  const where = column.layer ? `, layer ${column.layer}` : "";
  if (column.layer === null && semantic !== "next")
    return `${column.name}: always the network's own prediction of the next word`;
  return `${column.name}${where}; held-out perplexity ${figure ?? "not measured"}`;
}

export function drawHead(
  node: HTMLTableSectionElement,
  columns: readonly Column[],
  semantic: Semantic,
  labels: Labels,
): void {
  const groups: (Group & { first: Column | undefined })[] = [];
  let at = 0;
  for (const group of groupsOf(columns)) {
    groups.push({ ...group, first: columns[at] });
    at += group.span;
  }

  row(node, "groups").replaceChildren(
    el("td", { class: "corner" }),
    ...groups.map((g) =>
      el(
        "th",
        {
          scope: "colgroup",
          role: "columnheader",
          colspan: g.span,
          class: g.first?.gap ? `gap-${g.first.gap}` : null,
        },
        el("span", {}, g.name),
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
      const name = nameOf(column, semantic, figure);
      return el(
        "th",
        {
          scope: "col",
          role: "columnheader",
          class: [column.gap && `gap-${column.gap}`, column.layer === null && "y"]
            .filter(Boolean)
            .join(" "),
          title: `${name}\n${column.equation}`,
          "aria-label": name,
        },
        labels === "name"
          ? el("span", { class: "name" }, column.name)
          : symbol(column.symbol, column.layer),
        el("small", {}, figure ?? "–"),
      );
    }),
    el("th", { scope: "col", role: "columnheader", class: "came" }, el("span", {}, "came next")),
  );
}
