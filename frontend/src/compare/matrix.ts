import { groundOf } from "../colour/ground";
import { css, dilute, inkOn } from "../colour/rgb";
import { el, symbol } from "../dom";
import { handOn } from "../focus";
import { isBrowsers, move } from "../keys";
import { type Column, columnSaid, groupsOf } from "../columns";
import { GAPS } from "../measures";
import { createPending } from "../pending";
import { aloneSaid, figure, mostIn, type PairedStep, inkShare, stepLabel } from "../partings"; // prettier-ignore
import type { Comparison } from "../types";

/**
 * The grid of divergences: a row for each step of the alignment, a column for each kind. Of long texts
 * the first rows are drawn at once and the others in turns, as those of the grid are.
 */

export interface Matrix {
  node: HTMLElement;
  draw(
    comparison: Comparison,
    pairs: readonly PairedStep[],
    columns: readonly Column[],
    dark: boolean,
  ): void;
  /** Draws what was put off: paper shows all. */
  all(): void;
}

/** So many rows are drawn at once: more than are seen. */
const FIRST = 32;

/** Rows in a block: one that is out of sight is left alone. */
const BLOCK = 16;

const gapOf = (column: Column) => (column.gap ? `gap-${column.gap}` : "");

export function createMatrix(choose: (step: PairedStep, column: Column) => void): Matrix {
  const head = el("thead", { role: "rowgroup" });
  const table = el(
    "table",
    {
      role: "grid",
      "aria-label": "Divergence of the two texts, in bits: steps down, kinds across",
    },
    head,
  );
  const node = el("div", { class: "matrix" }, table);
  let stop: HTMLElement | null = null;
  /** What each cell was drawn of. */
  let chosen = new WeakMap<Element, [PairedStep, Column]>();
  /** The rows that are pairs, in order. */
  let paired: HTMLTableRowElement[] = [];
  const pending = createPending(node, () => {});

  const cells = (tr: HTMLTableRowElement | undefined) =>
    tr ? [...tr.querySelectorAll<HTMLElement>("td.bits")] : [];
  function setTabStop(td: HTMLElement | undefined): void {
    if (!td) return;
    stop?.setAttribute("tabindex", "-1");
    td.setAttribute("tabindex", "0");
    stop = td;
  }
  const pick = (target: EventTarget | null) => {
    const td = target instanceof Element ? target.closest<HTMLElement>("td.bits") : null;
    const found = td && chosen.get(td);
    if (!found) return;
    setTabStop(td);
    choose(...found);
  };
  table.addEventListener("click", ({ target }) => pick(target));
  table.addEventListener("keydown", (event) => {
    const td = event.target as HTMLTableCellElement;
    const tr = td.closest("tr");
    const row = tr ? paired.indexOf(tr) : -1;
    if (row < 0) return;
    if (event.key === "Enter" || event.key === " ") pick(td);
    else {
      const here = cells(paired[row]);
      const at = { row, column: here.indexOf(td) };
      const to = isBrowsers(event) ? null : move(event.key, event.ctrlKey, at, paired.length, here.length); // prettier-ignore
      if (!to) return;
      pending.now(paired[to.row]);
      const next = cells(paired[to.row])[to.column];
      if (!next) return;
      setTabStop(next);
      next.focus({ preventScroll: true });
      next.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    }
    event.preventDefault();
  });

  function drawHead(columns: readonly Column[]): void {
    let at = 0;
    const groups = groupsOf(columns).map((group) => {
      const first = columns[at];
      const gaps = columns.slice(at, at + group.span).reduce((sum, c) => sum + GAPS[c.gap], 0);
      at += group.span;
      const th = el(
        "th",
        {
          scope: "colgroup",
          role: "columnheader",
          colspan: group.span,
          class: (first && gapOf(first)) || null,
        },
        el("span", {}, group.name),
      );
      th.style.setProperty("--span", String(group.span));
      th.style.setProperty("--group-gaps", `${gaps}px`);
      return th;
    });
    head.replaceChildren(
      el("tr", { class: "groups", role: "row" }, el("td", { class: "corner" }), ...groups),
      el(
        "tr",
        { class: "kinds", role: "row" },
        el("th", { class: "corner", scope: "col", role: "columnheader" }, el("small", {}, "bits")),
        ...columns.map((column) =>
          el(
            "th",
            {
              scope: "col",
              role: "columnheader",
              class: gapOf(column) || null,
              title: columnSaid(column),
              "aria-label": columnSaid(column),
            },
            symbol(column.symbol, column.layer),
          ),
        ),
      ),
    );
  }

  /** The cell that stands where one stood: of the same column, in the same row or the last. */
  function standIn(had: Element): () => HTMLElement | undefined {
    const tr = had.closest("tr");
    const row = tr ? paired.indexOf(tr) : -1;
    const key = chosen.get(had)?.[1].key;
    return () => {
      const now = paired[Math.min(row, paired.length - 1)];
      pending.now(now);
      const found = cells(now);
      const td = found.find((cell) => chosen.get(cell)?.[1].key === key) ?? found[0];
      setTabStop(td);
      return td;
    };
  }

  function draw(
    comparison: Comparison,
    pairs: readonly PairedStep[],
    columns: readonly Column[],
    dark: boolean,
  ): void {
    drawHead(columns);
    table.style.setProperty("--columns", String(columns.length));
    const gaps = columns.reduce((sum, column) => sum + GAPS[column.gap], 0);
    table.style.setProperty("--gaps", `${gaps}px`);
    const { ink, ground } = groundOf(dark);
    const most = mostIn(comparison, columns);
    const byStep = new Map(pairs.map((pair) => [pair.at, pair]));
    chosen = new WeakMap();
    const drawn = (step: PairedStep, column: Column): HTMLElement => {
      const bits = comparison.divergence[step.at]?.[column.index] ?? 0;
      const shade = dilute(ink, inkShare(bits, most), ground);
      const td = el(
        "td",
        {
          class: ["bits", gapOf(column)].filter(Boolean).join(" "),
          role: "gridcell",
          tabindex: -1,
          title: `${step.label}, ${columnSaid(column)}: ${bits.toFixed(6)} bits`,
        },
        el("i", {}, figure(bits)),
      );
      const face = td.firstElementChild as HTMLElement;
      face.style.backgroundColor = css(shade);
      face.style.color = inkOn(shade);
      chosen.set(td, [step, column]);
      return td;
    };
    const rows = comparison.alignment.map(([first, , op], at) => {
      const label = el("th", { scope: "row", role: "rowheader" }, stepLabel(comparison, at));
      label.title = label.textContent;
      if (op !== "same") label.classList.add("differs");
      const tr = el("tr", { role: "row", "aria-rowindex": at + head.rows.length + 1 }, label);
      if (!byStep.has(at))
        tr.append(
          el("td", { class: "alone", role: "gridcell", colspan: columns.length }, aloneSaid(first)),
        );
      return tr;
    });
    for (const block of [...table.tBodies]) {
      pending.gone(block);
      block.remove();
    }
    for (let at = 0; at < rows.length; at += BLOCK) {
      const block = el("tbody", { role: "rowgroup" }, ...rows.slice(at, at + BLOCK));
      table.append(block);
      pending.come(block);
    }
    table.setAttribute("aria-rowcount", String(head.rows.length + rows.length));
    rows.forEach((tr, at) => {
      const step = byStep.get(at);
      if (!step) return;
      pending.put(tr, at < FIRST, () => {
        tr.append(...columns.map((column) => drawn(step, column)));
      });
    });
    paired = rows.filter((_, at) => byStep.has(at));
    pending.go();
    stop = null;
    pending.now(paired[0]);
    setTabStop(cells(paired[0])[0]);
  }

  return {
    node,
    draw: (...of) => handOn(table, () => draw(...of), standIn),
    all: () => pending.all(),
  };
}
