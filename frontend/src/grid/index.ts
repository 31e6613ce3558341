import { select } from "d3";
import { coloursOf } from "../colour/palette";
import { parseHex, WHITE, type Rgb } from "../colour/rgb";
import { type Component, createChanged, el } from "../dom";
import { tokenLabel } from "../format";
import { textWidth } from "../ruler";
import {
  barsShown,
  type Column,
  columnKey,
  columnsOf,
  domainOf,
  FIGURE_WIDTH,
  layerKey,
  measure,
  operandsOf,
  SIZES,
} from "../layout";
import { weakOf } from "../perplexities";
import { rowsOf } from "../spans";
import { DENSITIES, type Density, type State } from "../state";
import type { CellId } from "../types";
import { drawBody } from "./body";
import { drawHead } from "./head";
import { move } from "./keys";
import { createMarks, reveal } from "./marks";
import { createWires } from "./wires";
import type { DrawnCell } from "../drawn";

export interface GridCallbacks {
  /** The pointer is over a cell, or left it. */
  point(cell: CellId | null): void;
  /** A cell is to be opened at once: focus by keyboard. */
  open(cell: CellId | null): void;
  pin(cell: CellId): void;
  /** A cell is to be held open: a tap. */
  hold(cell: CellId): void;
  /** Tab from a cell whose popup is held: answers whether the focus went there. */
  enter(): boolean;
  escape(): void;
  /** Opens a cell's inside. */
  look(cell: CellId): void;
  /** Collapses a layer, or opens it again. */
  layer(key: string): void;
  row(t: number | null): void;
}

/** What an empty cell is painted with; masses dilute toward it. The stylesheet's --cell. */
const groundOf = (dark: boolean): Rgb => (dark ? parseHex("#1e1e1c") : WHITE);

/** How a row's token is set: as in the stylesheet. */
const TOKEN = { size: 13.5, weight: 600 };

const cellOf = (target: EventTarget | null): HTMLTableCellElement | null =>
  target instanceof Element ? target.closest<HTMLTableCellElement>("td.cell") : null;

const idOf = (td: Element): CellId => (select(td).datum() as DrawnCell).id;

export function createGrid(root: HTMLElement, on: GridCallbacks): Component<State> {
  const head = el("thead", { role: "rowgroup" });
  const body = el("tbody", { role: "rowgroup" });
  const table = el(
    "table",
    { role: "grid", "aria-label": "Hidden states: timesteps down, kinds across" },
    head,
    body,
  );
  const none = el(
    "p",
    { class: "none", hidden: true },
    "All columns are hidden: show some again in View.",
  );
  root.replaceChildren(table, none);

  let columns: Column[] = [];
  let rowsDrawn: unknown[] = [];
  let rows: number[] = [];
  let density: Density = "bars";
  let bars = 0;
  let longest = 0;
  let tabStop: HTMLElement | null = null;
  let touch = false;
  const mark = createMarks();
  const wires = createWires(table);
  const columnChanged = createChanged();
  const headChanged = createChanged();
  const paintChanged = createChanged();
  const traceChanged = createChanged();
  const marksChanged = createChanged();
  const fitChanged = createChanged();
  const chosenChanged = createChanged();
  const rowsChanged = createChanged();

  const at = (cell: CellId): HTMLTableCellElement | undefined => {
    const column = columns.findIndex((c) => columnKey(c) === columnKey(cell));
    const tr = body.rows[cell.t];
    return column < 0 || tr?.hidden ? undefined : tr?.cells[column + 1];
  };

  /** One cell can be reached with Tab; the arrows do the rest. */
  function setTabStop(td: HTMLElement | undefined): void {
    if (tabStop === td || !td) return;
    tabStop?.setAttribute("tabindex", "-1");
    td.setAttribute("tabindex", "0");
    tabStop = td;
  }

  let pointed: HTMLElement | undefined;
  let read: HTMLElement[] = [];
  const wire = () => wires.draw(read, pointed ?? null);

  /** Whether columns lie beyond the right edge: it says so. */
  function edge(): void {
    const beyond = root.scrollWidth - root.clientWidth - root.scrollLeft > 2;
    root.classList.toggle("beyond", beyond);
  }
  root.addEventListener("scroll", edge, { passive: true });

  function fit(): void {
    const { cell, token } = measure(root.clientWidth || 1100, columns, longest, density);
    const { bar, font } = SIZES[density];
    table.style.setProperty("--bar-height", `${bar}px`);
    table.style.setProperty("--bar-font", `${font}px`);
    table.classList.toggle("narrow", cell < FIGURE_WIDTH);
    table.style.setProperty("--bars", String(bars));
    table.style.setProperty("--cell-width", `${cell}px`);
    table.style.setProperty("--token-width", `${token}px`);
    edge();
    wire();
  }

  table.addEventListener("pointerdown", (event) => (touch = event.pointerType === "touch"));
  body.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const td = cellOf(event.target);
    on.point(td ? idOf(td) : null);
    const tr = event.target instanceof Element ? event.target.closest("tr") : null;
    on.row(tr ? tr.rowIndex - head.rows.length : null);
  });
  body.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    on.point(null);
    on.row(null);
  });
  body.addEventListener("click", (event) => {
    const td = cellOf(event.target);
    if (!td) return;
    setTabStop(td);
    if (touch) on.hold(idOf(td));
    else on.pin(idOf(td));
  });
  body.addEventListener("focusin", (event) => {
    const td = cellOf(event.target);
    if (!td) return;
    setTabStop(td);
    if (td.matches(":focus-visible")) on.open(idOf(td));
  });
  body.addEventListener("focusout", () => on.point(null));
  body.addEventListener("keydown", (event) => {
    const td = cellOf(event.target);
    if (!td) return;
    if (event.key === "Enter" || event.key === " ") on.pin(idOf(td));
    else if (event.key === "Escape") on.escape();
    else if (event.key.toLowerCase() === "i" && !event.ctrlKey && !event.metaKey && !event.altKey)
      on.look(idOf(td));
    else if (event.key === "Tab") {
      if (event.shiftKey || !on.enter()) return;
    } else {
      const from = { row: rows.indexOf(idOf(td).t), column: td.cellIndex - 1 };
      const control = event.ctrlKey || event.metaKey;
      const to = move(event.key, control, from, rows.length, columns.length);
      if (!to) return;
      const next = body.rows[rows[to.row] ?? 0]?.cells[to.column + 1];
      setTabStop(next);
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    event.preventDefault();
  });

  /** The head of a column and its cells, top to bottom. */
  function columnOf(key: string | null): HTMLElement[] {
    const index = columns.findIndex((column) => column.key === key);
    if (index < 0) return [];
    return [head.rows[1], ...body.rows].flatMap((tr) => tr?.cells[index + 1] ?? []);
  }

  head.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button) on.layer(button.value);
  });

  if (typeof ResizeObserver !== "undefined") new ResizeObserver(fit).observe(root);

  return {
    update({ trace, model, view, dark, busy, problem, hover, row, column }) {
      root.hidden = !trace || trace.tokens.length === 0;
      root.classList.toggle("stale", problem !== null || busy);
      if (!trace || !model || root.hidden) {
        body.replaceChildren();
        rowsDrawn = [];
        return;
      }
      const { hide, hide_layers, labels } = view;
      const { fingerprint, semantic } = trace;
      if (headChanged(model, fingerprint, semantic, labels, hide, hide_layers)) {
        columns = columnsOf(model, trace.columns, view);
        const layers = new Set(model.columns.map(layerKey));
        const hidden = hide_layers.filter((key) => layers.has(key));
        drawHead(head, columns, semantic, labels, weakOf(model, semantic), hidden);
      }
      const rowsChange = rowsChanged(trace.tokens.length, view.rows);
      if (rowsChange) rows = rowsOf(trace.tokens.length, view.rows);
      const domain = domainOf(trace, rows, columns, view.scale);
      const [palette, colours] = [view.palette, view.colours];
      bars = barsShown(view);
      const { scale, show } = view;
      const repaint = paintChanged(
        columns,
        palette,
        colours,
        bars,
        show,
        domain,
        scale,
        dark,
        model,
      );
      density = view.density;
      for (const d of DENSITIES) table.classList.toggle(d, d === density);
      if (traceChanged(trace) || repaint) {
        longest = Math.max(...trace.tokens.map((t) => textWidth(tokenLabel(t), TOKEN)));
        drawBody(
          body,
          {
            trace,
            model,
            columns,
            colours: coloursOf(trace.classes, model.palettes, view),
            bars,
            show,
            domain,
            scale,
            ground: groundOf(dark),
            ink: parseHex(dark ? "#ecebe6" : "#1d1d1b"),
          },
          // The rows that an answer did not send are the same objects as before: nothing to do.
          (t) => repaint || rowsDrawn[t] !== trace.rows.top_ids[t],
          (t) => rowsDrawn[t] !== trace.rows.top_ids[t],
        );
        rowsDrawn = [...trace.rows.top_ids];
      }
      table.hidden = columns.length === 0;
      none.hidden = !table.hidden;
      if (fitChanged(columns, longest, density, bars)) fit();
      const shown = new Set(rows);
      [...body.rows].forEach((tr, t) => {
        if (tr.hidden === shown.has(t)) tr.hidden = !tr.hidden;
      });
      if (!tabStop?.isConnected || tabStop.closest("tr")?.hidden)
        setTabStop(body.rows[rows[0] ?? 0]?.cells[1]);
      const { pins, inside } = view;
      if (marksChanged(trace, columns, rows, hover, row, pins, inside, bars, density)) {
        mark("pin", pins.map(at));
        mark("looked", [inside ? at(inside) : undefined]);
        // The cell that is looked into stays lit, with its operands, while none is pointed at.
        const lit = hover ?? inside;
        pointed = lit ? at(lit) : undefined;
        read = lit ? operandsOf(trace, model, lit).flatMap((cell) => at(cell) ?? []) : [];
        mark("on", [pointed]);
        mark("operand", read);
        wire();
        mark("row", row === null ? [] : [body.rows[row]]);
      }
      if (chosenChanged(trace, columns, column)) {
        const cells = columnOf(column);
        mark("chosen", cells);
        if (columnChanged(column)) reveal(root, cells);
      }
    },
  };
}
