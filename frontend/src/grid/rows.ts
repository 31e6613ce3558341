import { type GridRow, lineKey } from "../alignment";
import { el } from "../dom";

/**
 * The rows of the grid, in blocks: a block out of sight is neither styled nor laid out nor painted, and
 * a few dozen of them are quickly looked over in each frame of scrolling, where hundreds of rows are not.
 */
export interface RowPool {
  /** In order. */
  all: readonly HTMLTableRowElement[];
  /** As many rows as lines: those that stay are kept, new ones are empty but for their ends. */
  place(lines: readonly GridRow[]): void;
  /** The cells of a row, without its ends; none while it is not drawn. */
  cells(row: HTMLTableRowElement | undefined): HTMLTableCellElement[];
}

const BLOCK = 16;

function empty(): HTMLTableRowElement {
  return el(
    "tr",
    { role: "row" },
    el("th", { scope: "row", role: "rowheader" }),
    el("td", { class: "came", role: "gridcell" }),
  );
}

/** Puts rows into a block in this order; what else is there is another block's, which fetches it. */
function fill(block: HTMLTableSectionElement, rows: readonly HTMLTableRowElement[]): void {
  let next = block.firstElementChild;
  for (const row of rows)
    if (row === next) next = next.nextElementSibling;
    else block.insertBefore(row, next);
}

/** `come` and `gone` are told of a block that was made or taken away. */
export function createRows(
  table: HTMLTableElement,
  come: (block: HTMLTableSectionElement) => void,
  gone: (block: HTMLTableSectionElement) => void,
): RowPool {
  const known = new Map<string, HTMLTableRowElement>();
  const blocks: HTMLTableSectionElement[] = [];
  return {
    all: [],
    place(lines) {
      const keys = new Set(lines.map(lineKey));
      for (const [key, row] of known) {
        if (keys.has(key)) continue;
        row.remove();
        known.delete(key);
      }
      this.all = lines.map((line) => {
        const key = lineKey(line);
        const row = known.get(key) ?? empty();
        known.set(key, row);
        return row;
      });
      const count = Math.ceil(lines.length / BLOCK);
      while (blocks.length < count) {
        const block = el("tbody", { role: "rowgroup" });
        blocks.push(block);
        table.append(block);
        come(block);
      }
      blocks.forEach((block, at) => fill(block, this.all.slice(at * BLOCK, (at + 1) * BLOCK)));
      for (const block of blocks.splice(count)) {
        block.remove();
        gone(block);
      }
      const heads = table.tHead?.rows.length ?? 0;
      const number = (node: Element, name: string, value: number) => {
        if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
      };
      number(table, "aria-rowcount", heads + lines.length);
      this.all.forEach((row, at) => number(row, "aria-rowindex", heads + at + 1));
    },
    cells: (row) => (row ? [...row.cells].slice(1, -1) : []),
  };
}
