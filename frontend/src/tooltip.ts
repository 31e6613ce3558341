import { select } from "d3";
import { coloursOf } from "./colour/palette";
import { type Component, el, symbol } from "./dom";
import { type Bar, type CellFacts, factLines, factsOf, whereOf } from "./describe";
import { mathRuns, percent } from "./format";
import { columnKey, columnsOf, domainOf } from "./layout";
import { sameCell, type State } from "./state";
import type { CellId, Trace } from "./types";

export interface TooltipCallbacks {
  close(): void;
  pin(cell: CellId): void;
}

/** Where the popup is a sheet at the foot of the screen; the stylesheet's breakpoint. */
export const SHEET = "(max-width: 640px)";
const GAP = 9;

function equation(text: string): HTMLElement {
  const node = el("span", { class: "math" });
  for (const run of mathRuns(text))
    node.append(run.level === "base" ? run.text : el(run.level, {}, run.text));
  return node;
}

/** The one popup that every cell shares. It follows hover and focus, and never takes the focus. */
export function createTooltip(root: HTMLElement, on: TooltipCallbacks): Component<State> {
  let open: CellId | null = null;
  const title = el("h3");
  const pin = el("button", { type: "button", class: "quiet-button pin-button" }, "Pin");
  const close = el("button", { type: "button", class: "quiet-button close" }, "Close");
  const where = el("p");
  const bars = el("div", { class: "rows" });
  const stack = el("div", { class: "stack" });
  const facts = el("dl");
  root.replaceChildren(title, where, bars, stack, facts, el("div", { class: "sheet" }, pin, close));
  pin.addEventListener("click", () => open && on.pin(open));
  close.addEventListener("click", () => on.close());

  function drawBars(list: readonly Bar[], domain: number): void {
    const rows = select(bars)
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
      .style("width", (d) => `max(1px, ${(100 * Math.min(1, d.p / domain)).toFixed(2)}%)`)
      .style("background-color", (d) => d.colour);
    rows.select("q").text((d) => percent(d.p));
  }

  function drawStack(f: CellFacts, state: State, trace: Trace): void {
    const colours = state.model
      ? coloursOf(trace.classes, state.model.palettes, state.view)
      : new Map<string, string>();
    const names = new Map(state.model?.classes.map((c) => [c.id, c.name]));
    const parts = trace.classes
      .map((id, k) => ({ id, p: f.mass[k] ?? 0, colour: colours.get(id) ?? "#888888" }))
      .filter((d) => d.p > 0)
      .sort((a, b) => b.p - a.p);
    select(stack)
      .selectAll<HTMLElement, (typeof parts)[number]>("i")
      .data(parts, (d) => d.id)
      .join("i")
      .style("width", (d) => `${(100 * d.p).toFixed(2)}%`)
      .style("background-color", (d) => d.colour)
      .attr("title", (d) => `${names.get(d.id) ?? d.id} ${percent(d.p)}`)
      .order();
  }

  function drawFacts(f: CellFacts, trace: Trace): void {
    const list = factLines(f, trace);
    facts.replaceChildren(...list.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
  }

  function place(): void {
    if (window.matchMedia?.(SHEET).matches) {
      root.style.left = root.style.top = "";
      return;
    }
    const cell = document.querySelector("td.cell.on");
    if (!cell) return;
    const [c, p] = [cell.getBoundingClientRect(), root.getBoundingClientRect()];
    const below = c.bottom + GAP + p.height <= window.innerHeight;
    const above = c.top - GAP - p.height >= 0;
    const beside = !below && !above;
    let left = c.left + c.width / 2 - p.width / 2;
    if (beside)
      left = c.right + GAP + p.width <= window.innerWidth ? c.right + GAP : c.left - GAP - p.width;
    const top = below ? c.bottom + GAP : above ? c.top - GAP - p.height : GAP;
    root.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - p.width - GAP))}px`;
    root.style.top = `${Math.max(GAP, top)}px`;
  }

  return {
    update(state) {
      const { trace, model, view, hover } = state;
      const f =
        trace && model && hover
          ? factsOf(trace, model, coloursOf(trace.classes, model.palettes, view), hover)
          : null;
      root.hidden = !f;
      open = f?.cell ?? null;
      if (!f || !trace || !model) return;
      const columns = columnsOf(model, trace.columns, view);
      const column = columns.find((c) => columnKey(c) === columnKey(f.cell));
      title.replaceChildren(
        el("span", {}, `${f.token} · ${f.name}`),
        symbol(f.symbol, f.cell.layer),
      );
      const place_ = `timestep ${f.cell.t + 1}, ${whereOf(f.cell)} · `;
      where.replaceChildren(place_, equation(column?.equation ?? f.equation));
      drawBars(f.bars, domainOf(trace, columns, view.scale) ?? f.bars[0]?.p ?? 1);
      drawStack(f, state, trace);
      drawFacts(f, trace);
      pin.textContent = view.pins.some((p) => sameCell(p, f.cell)) ? "Unpin" : "Pin";
      place();
    },
  };
}
