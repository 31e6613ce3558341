import { select } from "d3";
import {
  comparable,
  domainOn,
  type Line,
  lineKey,
  linesOf,
  partnerOf,
  rowOf,
  shownOf,
} from "../alignment";
import { coloursOf } from "../colour/palette";
import { parseHex, WHITE, type Rgb } from "../colour/rgb";
import { type Component, createChanged, createProperties, el } from "../dom";
import { tokenLabel } from "../format";
import { textWidth } from "../ruler";
import {
  barsShown,
  type Column,
  columnKey,
  columnsOf,
  FIGURE_WIDTH,
  layerKey,
  measure,
  operandsOf,
  outputExtra,
  PAPER,
  SIZES,
  widthOf,
} from "../layout";
import { weakOf } from "../perplexities";
import { comparisonOf, outlinedOf } from "../partings";
import { DENSITIES, type Density, type RowId, type State, traceOf } from "../state";
import type { CellId } from "../types";
import { drawBody } from "./body";
import { drawHead } from "./head";
import { move } from "../keys";
import { createMarks, reveal } from "./marks";
import { createWires } from "./wires";
import type { DrawnCell, Paint } from "../drawn";

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
  row(row: RowId | null): void;
}

/** What an empty cell is painted with; masses dilute toward it. The stylesheet's --cell. */
const groundOf = (dark: boolean): Rgb => (dark ? parseHex("#1e1e1c") : WHITE);

/** How a row's token is set: as in the stylesheet. */
const TOKEN = { size: 13.5, weight: 600 };

/** What the letter of a text takes beside the timestep's number. */
const MARK = 13;

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
  let lines: Line[] = [];
  /** The lines in view, by index, and where each stands. */
  let shown: number[] = [];
  let places = new Map<string, number>();
  /** Of each line what its cells were drawn from, and its ends. */
  let drawn = new Map<string, { ids: unknown; bits: string; ends: string }>();
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
  const marksChanged = createChanged();
  const fitChanged = createChanged();
  const chosenChanged = createChanged();
  const linesChanged = createChanged();
  const partedChanged = createChanged();

  const at = (cell: CellId | null): HTMLTableCellElement | undefined => {
    if (!cell) return undefined;
    const column = columns.findIndex((c) => columnKey(c) === columnKey(cell));
    const tr = body.rows[places.get(lineKey(cell)) ?? -1];
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

  /**
   * Whether columns lie beyond an edge: the right one says so, and only then anything has to stick.
   * What sticks is a layer of its own, three in each row: many to put together while scrolling.
   */
  function edge(): void {
    const over = root.scrollWidth - root.clientWidth;
    root.classList.toggle("wide", over > 0);
    root.classList.toggle("beyond", over - root.scrollLeft > 2);
  }
  let left = 0;
  root.addEventListener(
    "scroll",
    () => {
      // Down the rows nothing changes at the edges, and asking how wide they are takes a layout.
      if (root.scrollLeft !== left) edge();
      left = root.scrollLeft;
    },
    { passive: true },
  );

  /** Asking for a width lays out all that has changed: it is asked for when it may be another. */
  let available = 0;
  const property = createProperties(table);
  function fit(): void {
    available ||= root.clientWidth;
    const { cell, token } = measure(available || 1100, columns, longest, density);
    const { bar, font } = SIZES[density];
    table.classList.toggle("narrow", cell < FIGURE_WIDTH);
    property("--bar-height", `${bar}px`);
    property("--bar-font", `${font}px`);
    property("--bars", String(bars));
    property("--cell-width", `${cell}px`);
    property("--y-full", (cell / (cell + outputExtra(density))).toFixed(4));
    property("--token-width", `${token}px`);
    const paper = measure(PAPER, columns, longest, density);
    property("--paper-cell", `${paper.cell}px`);
    property("--paper-width", String(widthOf(paper, columns, density)));
  }

  table.addEventListener("pointerdown", (event) => (touch = event.pointerType === "touch"));
  body.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const td = cellOf(event.target);
    on.point(td ? idOf(td) : null);
    const tr = event.target instanceof Element ? event.target.closest("tr") : null;
    const line = tr ? lines[tr.rowIndex - head.rows.length] : undefined;
    on.row(line ? rowOf(line) : null);
  });
  body.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    on.point(null);
    on.row(null);
  });
  body.addEventListener("click", (event) => {
    const td = cellOf(event.target);
    if (!td) {
      // A token that is cut is told in full by a press: a finger has no hover to read its title by.
      const cut = event.target instanceof Element ? event.target.closest("tbody th") : null;
      cut?.classList.toggle("full");
      return;
    }
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
      const place = places.get(lineKey(idOf(td))) ?? -1;
      const from = { row: shown.indexOf(place), column: td.cellIndex - 1 };
      const control = event.ctrlKey || event.metaKey;
      const to = move(event.key, control, from, shown.length, columns.length);
      if (!to) return;
      const next = body.rows[shown[to.row] ?? 0]?.cells[to.column + 1];
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

  // It answers after the layout of a frame, so nothing is laid out for its sake.
  if (typeof ResizeObserver !== "undefined") {
    const resized = new ResizeObserver(() => {
      if (available !== root.clientWidth) {
        available = root.clientWidth;
        fit();
      }
      edge();
      wire();
    });
    resized.observe(root);
    resized.observe(table);
  }

  return {
    update(state) {
      const { trace, model, view, dark, busy, problem, hover, row, column, comparison } = state;
      root.hidden = !trace || trace.tokens.length === 0;
      root.classList.toggle("stale", problem !== null || busy);
      if (!trace || !model || root.hidden) {
        body.replaceChildren();
        drawn = new Map();
        return;
      }
      const second = state.second && comparable(trace, state.second) ? state.second : null;
      const { hide, hide_layers, labels } = view;
      const { fingerprint, semantic } = trace;
      if (headChanged(model, fingerprint, semantic, labels, hide, hide_layers)) {
        columns = columnsOf(model, trace.columns, view);
        const layers = new Set(model.columns.map(layerKey));
        const hidden = hide_layers.filter((key) => layers.has(key));
        drawHead(head, columns, semantic, labels, weakOf(model, semantic), hidden);
      }
      const realigned = linesChanged(trace, second, comparison, view.rows);
      if (realigned) {
        lines = linesOf(trace, second, comparison);
        shown = shownOf(lines, view.rows);
        places = new Map(lines.map((line, at) => [lineKey(line), at]));
        table.classList.toggle("paired", second !== null);
      }
      const inView = shown.flatMap((at) => lines[at] ?? []);
      const domain = domainOn(trace, inView, columns, view.scale, second);
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
      if (realigned || repaint) {
        const tokens = [...trace.tokens, ...(second?.tokens ?? [])];
        longest =
          Math.max(...tokens.map((t) => textWidth(tokenLabel(t), TOKEN))) + (second ? MARK : 0);
        const paint: Paint = {
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
        };
        const other: Paint = second ? { ...paint, trace: second, second: true } : paint;
        const of = (line: Line) => (line.second ? other : paint);
        // The rows that an answer did not send are the same objects as before: nothing to do.
        const now = new Map(
          lines.map((line) => {
            const ids = of(line).trace.rows.top_ids[line.t];
            const { step } = line;
            const bits = step?.bits?.join() ?? "";
            const ends = step ? `${step.op} ${step.first !== null} ${step.second !== null}` : "";
            return [lineKey(line), { ids, bits, ends }];
          }),
        );
        const before = drawn;
        const had = (line: Line) => {
          const key = lineKey(line);
          return { is: now.get(key), was: before.get(key) };
        };
        const changed = (line: Line, by: "bits" | "ends") => {
          const { is, was } = had(line);
          return is?.ids !== was?.ids || is?.[by] !== was?.[by];
        };
        drawBody(
          body,
          lines,
          of,
          (line) => repaint || changed(line, "bits"),
          (line) => changed(line, "ends"),
        );
        drawn = now;
      }
      table.hidden = columns.length === 0;
      none.hidden = !table.hidden;
      if (fitChanged(columns, longest, density, bars)) fit();
      const seen = new Set(shown);
      [...body.rows].forEach((tr, at) => {
        if (tr.hidden === seen.has(at)) tr.hidden = !tr.hidden;
      });
      if (!tabStop?.isConnected || tabStop.closest("tr")?.hidden)
        setTabStop(body.rows[shown[0] ?? 0]?.cells[1]);
      const { pins, inside } = view;
      if (marksChanged(lines, columns, shown, hover, row, pins, inside, bars, density)) {
        mark("pin", pins.map(at));
        mark("looked", [inside ? at(inside) : undefined]);
        // The cell that is looked into stays lit, with its operands, while none is pointed at.
        const lit = hover ?? inside;
        pointed = lit ? at(lit) : undefined;
        const of = lit && traceOf(state, lit);
        read = of && lit ? operandsOf(of, model, lit).flatMap((cell) => at(cell) ?? []) : [];
        mark("on", [pointed]);
        mark("partner", [hover ? at(partnerOf(lines, hover)) : undefined]);
        mark("operand", read);
        wire();
        mark("row", row === null ? [] : [body.rows[places.get(lineKey(row)) ?? -1]]);
      }
      if (partedChanged(lines, columns, shown, view.distance)) {
        const told = comparisonOf(state);
        mark("parted", (told ? outlinedOf(told, columns, view.distance) : []).map(at));
      }
      if (chosenChanged(lines, columns, column)) {
        const cells = columnOf(column);
        mark("chosen", cells);
        if (columnChanged(column)) reveal(root, cells);
      }
    },
  };
}
