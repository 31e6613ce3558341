import { type GridRow, lineKey, linesOf, shownOf } from "../alignment";
import { type Component, createChanged, el } from "../dom";
import type { Paint } from "../drawn";
import { handOn } from "../focus";
import { tokenLabel } from "../format";
import { move } from "../keys";
import { columnKey, columnsOf, layerKey } from "../columns";
import { barsShown, cameOf, MARK, TOKEN } from "../measures";
import { domainIn, paintOf, secondOf } from "../paint";
import { weakOf } from "../perplexities";
import { textWidth } from "../ruler";
import { isAwaited, type State } from "../state";
import { DENSITIES } from "../state/choices";
import { type ModelInfo, type Trace, unitOf } from "../types";
import { createBars } from "./bars";
import { drawCells } from "./body";
import { createChanges } from "./changes";
import { drawEnds } from "./ends";
import { createFind, type Laid } from "./find";
import { createFit } from "./fit";
import { createHands, type GridCallbacks } from "./hands";
import { drawHead } from "./head";
import { createKept } from "./kept";
import { createMarked } from "./marked";
import { createPending } from "../pending";
import { seenIn } from "../pending/sight";
import { createRows } from "./rows";
import { createWires } from "./wires";

export type { GridCallbacks } from "./hands";

/** So many rows of the first text are drawn at once: more than are seen. */
const FIRST = 20;

export function createGrid(root: HTMLElement, on: GridCallbacks): Component<State> {
  const head = el("thead", { role: "rowgroup" });
  const table = el(
    "table",
    { role: "grid", "aria-label": "Hidden states: timesteps down, kinds across" },
    head,
  );
  const none = el(
    "p",
    { class: "none", hidden: true },
    "All columns are hidden: show some again in View.",
  );
  root.replaceChildren(table, none);

  const laid: Laid = { columns: [], lines: [], shown: [], places: new Map() };
  let longest = 0;
  let last: State | null = null;
  /** Counts the rows' drawings that were put off: what is marked in them was not there before. */
  let turn = 0;
  const pending = createPending(root, () => {
    turn += 1;
    if (!last) return;
    marked.draw(last, turn);
    marked.settle();
  });
  const rows = createRows(
    table,
    (block) => pending.come(block),
    (block) => pending.gone(block),
  );
  const changes = createChanges();
  const find = createFind(head, rows, pending, laid);
  const marked = createMarked(root, createWires(table), find, laid);
  const headChanged = createChanged();
  const paintChanged = createChanged();
  const fitChanged = createChanged();
  const linesChanged = createChanged();

  const bars = createBars(table);
  let widths = { screen: 0, paper: 0 };
  const fitBars = () => {
    if (!last) return;
    const cell = last.printing ? widths.paper : widths.screen;
    bars.fit({ cell, density: last.view.density });
  };
  const fit = createFit(root, table, marked.wire, (screen, paper) => {
    widths = { screen, paper };
    fitBars();
  });
  let came = 0;

  const hands = createHands(table, on, {
    line: (tr) => laid.lines[tr.rowIndex - head.rows.length],
    next(cell, key, control) {
      const { columns, shown, places } = laid;
      const row = shown.indexOf(places.get(lineKey(cell)) ?? -1);
      const column = columns.findIndex((c) => columnKey(c) === columnKey(cell));
      const to = move(key, control, { row, column }, shown.length, columns.length);
      const tr = to ? rows.all[shown[to.row] ?? 0] : undefined;
      pending.now(tr);
      return (to && rows.cells(tr)[to.column]) ?? null;
    },
  });

  const kept = createKept(table, find.at, () => hands.stop());

  /** Draws the rows that changed: those that are seen at once. */
  function drawRows(
    state: State,
    model: ModelInfo,
    trace: Trace,
    second: Trace | null,
    domain: number | null,
    all: boolean,
  ): void {
    const { view, dark } = state;
    const { columns, lines, shown } = laid;
    const paint = paintOf({ trace, model, view, dark }, { columns, domain });
    const other: Paint = second ? { ...paint, trace: second, second: true } : paint;
    const of = (line: GridRow) => (line.second ? other : paint);
    // Asked before the rows change: then what is new in them has not to be laid out for it.
    const seen = seenIn(root, table.tBodies, shown.length) ?? ((place: number) => place < FIRST);
    rows.place(lines);
    const changed = changes.of(lines, (line) => of(line).trace);
    const order = new Map(shown.map((index, place) => [index, place]));
    lines.forEach((line, index) => {
      const tr = rows.all[index];
      const change = changed[index];
      if (!tr || !change) return;
      if (change.ends) drawEnds(tr, of(line).trace, line, unitOf(model));
      const place = order.get(index);
      const first = place !== undefined && seen(place);
      if (all || change.cells) pending.put(tr, first, () => drawCells(tr, of(line), line, bars));
      else if (first) pending.now(tr);
    });
  }

  return {
    update(state) {
      const { trace, model, view, dark, busy, problem, comparison } = state;
      const inert = last !== null && isAwaited(state);
      // Browsers take the focus from what is inert, and from a row that is taken away.
      const focusable = !root.inert;
      if (inert && focusable) kept.note();
      root.inert = inert;
      // It flickers less than an empty page, and is dimmed as soon as it takes time.
      root.classList.toggle("stale", problem !== null || busy);
      if (root.inert) return;
      root.hidden = !trace || trace.tokens.length === 0;
      if (!trace || !model || root.hidden) {
        rows.place([]);
        changes.forget();
        last = null;
        return;
      }
      last = state;
      const second = secondOf(state);
      const { hide, hide_layers, labels, density, scale, show } = view;
      const { fingerprint, semantic } = trace;
      if (headChanged(model, fingerprint, semantic, labels, hide, hide_layers)) {
        laid.columns = columnsOf(model, trace.columns, view);
        const layers = new Set(model.columns.map(layerKey));
        const hidden = hide_layers.filter((key) => layers.has(key));
        const weak = weakOf(model, semantic);
        handOn(
          head,
          () => drawHead(head, laid.columns, semantic, labels, weak, hidden, unitOf(model)),
          // From the button that hides a layer to the one that shows it, and back.
          (had) => () =>
            had instanceof HTMLButtonElement
              ? [...head.querySelectorAll("button")].find(({ value }) => value === had.value)
              : null,
        );
        came = cameOf(trace);
        table.classList.toggle("of-labels", came === 0);
        table.setAttribute("aria-colcount", String(laid.columns.length + (came ? 2 : 1)));
      }
      const realigned = linesChanged(trace, second, comparison, view.rows);
      if (realigned) {
        if (focusable) kept.note();
        const lines = linesOf(trace, second, comparison);
        laid.lines = lines;
        laid.shown = shownOf(lines, view.rows);
        laid.places = new Map(lines.map((line, index) => [lineKey(line), index]));
        table.classList.toggle("paired", second !== null);
      }
      const { columns, shown } = laid;
      const domain = domainIn(state);
      const shownBars = barsShown(view);
      const { palette, colours } = view;
      const looks = [columns, palette, colours, shownBars, show, domain, scale, dark, model];
      const repaint = paintChanged(...looks);
      for (const d of DENSITIES) table.classList.toggle(d, d === density);
      if (realigned) {
        const tokens = [...trace.tokens, ...(second?.tokens ?? [])];
        longest =
          Math.max(...tokens.map((t) => textWidth(tokenLabel(t), TOKEN))) + (second ? MARK : 0);
      }
      if (fitChanged(columns, longest, density, shownBars, came))
        fit({ columns, longest, density, bars: shownBars, came });
      fitBars();
      if (realigned || repaint) drawRows(state, model, trace, second, domain, repaint);
      none.hidden = columns.length > 0;
      handOn(
        table,
        () => (table.hidden = !none.hidden),
        () => () => none,
      );
      const seen = new Set(shown);
      rows.all.forEach((tr, index) => {
        if (tr.hidden === seen.has(index)) tr.hidden = !tr.hidden;
      });
      if (state.printing) pending.all();
      else pending.go();
      const stop = hands.stop();
      if (!stop?.isConnected || stop.closest("tr")?.hidden) {
        const tr = rows.all[shown[0] ?? 0];
        pending.now(tr);
        hands.setStop(rows.cells(tr)[0]);
      }
      kept.give();
      marked.draw(state, turn);
    },
    settle: () => marked.settle(),
  };
}
