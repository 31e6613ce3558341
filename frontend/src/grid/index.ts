import { select } from "d3";
import { coloursOf } from "../colour/palette";
import { parseHex, WHITE, type Rgb } from "../colour/rgb";
import { type Component, createChanged, el } from "../dom";
import { tokenLabel } from "../format";
import { type Column, columnKey, columnsOf, domainOf, measure, operandsOf } from "../layout";
import type { State } from "../state";
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
  row(t: number | null): void;
}

/** What an empty cell is painted with; masses dilute toward it. The stylesheet's --cell. */
const groundOf = (dark: boolean): Rgb => (dark ? parseHex("#1e1e1c") : WHITE);

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
  root.replaceChildren(table);

  let columns: Column[] = [];
  let rowsDrawn: unknown[] = [];
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

  const at = (cell: CellId): HTMLTableCellElement | undefined => {
    const column = columns.findIndex((c) => columnKey(c) === columnKey(cell));
    return column < 0 ? undefined : body.rows[cell.t]?.cells[column + 1];
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

  function fit(): void {
    const { cell, token } = measure(root.clientWidth || 1100, columns, longest);
    table.style.setProperty("--cell-width", `${cell}px`);
    table.style.setProperty("--token-width", `${token}px`);
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
    else if (event.key === "Tab") {
      if (event.shiftKey || !on.enter()) return;
    } else {
      const from = { row: idOf(td).t, column: td.cellIndex - 1 };
      const control = event.ctrlKey || event.metaKey;
      const to = move(event.key, control, from, body.rows.length, columns.length);
      if (!to) return;
      const next = body.rows[to.row]?.cells[to.column + 1];
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

  if (typeof ResizeObserver !== "undefined") new ResizeObserver(fit).observe(root);

  return {
    update({ trace, model, view, dark, problem, hover, row, column }) {
      root.hidden = !trace || trace.tokens.length === 0;
      root.classList.toggle("stale", problem !== null);
      if (!trace || !model || root.hidden) {
        body.replaceChildren();
        rowsDrawn = [];
        return;
      }
      const { hide, hide_layers, labels } = view;
      const { fingerprint, semantic } = trace;
      const changed = headChanged(model, fingerprint, semantic, labels, hide, hide_layers);
      if (changed) {
        columns = columnsOf(model, trace.columns, view);
        drawHead(head, columns, trace.semantic, view.labels);
      }
      const domain = domainOf(trace, columns, view.scale);
      const [palette, colours] = [view.palette, view.colours];
      const repaint = paintChanged(columns, palette, colours, view.bars, domain, dark, model);
      if (traceChanged(trace) || repaint) {
        longest = Math.max(...trace.tokens.map((t) => tokenLabel(t).length));
        table.style.setProperty("--bars", String(view.bars));
        drawBody(
          body,
          {
            trace,
            model,
            columns,
            colours: coloursOf(trace.classes, model.palettes, view),
            bars: view.bars,
            domain,
            ground: groundOf(dark),
            ink: parseHex(dark ? "#ecebe6" : "#1d1d1b"),
          },
          // The rows that an answer did not send are the same objects as before: nothing to do.
          (t) => repaint || rowsDrawn[t] !== trace.rows.top_ids[t],
          (t) => rowsDrawn[t] !== trace.rows.top_ids[t],
        );
        rowsDrawn = [...trace.rows.top_ids];
        if (fitChanged(columns, longest)) fit();
        if (!tabStop?.isConnected) setTabStop(body.rows[0]?.cells[1]);
      }
      if (marksChanged(trace, columns, hover, row, view.pins, view.bars)) {
        mark("pin", view.pins.map(at));
        pointed = hover ? at(hover) : undefined;
        read = hover ? operandsOf(trace, model, hover).flatMap((cell) => at(cell) ?? []) : [];
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
