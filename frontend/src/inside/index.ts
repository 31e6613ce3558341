import { WHITE } from "../colour/rgb";
import { type Component, createChanged, el, math, saveButtons } from "../dom";
import type { Paint } from "../drawn";
import { equationAt, tokenLabel } from "../format";
import { handOn } from "../focus";
import { columnsOf, columnTitle, infoOf } from "../columns";
import { domainIn, paintOf } from "../paint";
import type { State } from "../state";
import { sameCell } from "../state/cells";
import { ORDERS, type Order } from "../state/choices";
import { sideOf } from "../state/sides";
import { type CellId, nounOf, type UnitId, unitOf } from "../types";
import { said } from "./reading";
import { formOf, rowsOf } from "./rows";
import type { Figure } from "../figure/sheet";
import type { Figures } from "./lay";
import { drawInside } from "./picture";
import { createVectors } from "./vectors";

export interface InsideCallbacks {
  close(): void;
  /** Goes into an operand. */
  look(cell: CellId): void;
  order(order: Order): void;
  /** Draws a unit along the text. */
  along(unit: UnitId): void;
  retry(): void;
  /** Saves the panel as a picture, under a name of these words; answers what to tell. */
  save(kind: "svg" | "png", figure: Figure, name: string): Promise<string>;
}

export interface InsidePanel extends Component<State> {
  /** The focus goes in with the next drawing. */
  focus(): void;
}

/** How many words of an encoding are told. */
const WORDS = 3;

/** The inside of a cell: its equation with the vectors in it, each a strip on one scale. */
export function createInside(root: HTMLElement, on: InsideCallbacks): InsidePanel {
  const headChanged = createChanged();
  const bodyChanged = createChanged();
  const cellChanged = createChanged();
  const title = el("h2", { id: "inside-title", tabindex: -1 });
  const equation = el("p", { class: "equation" });
  const orders = el("div", {
    class: "segments",
    role: "group",
    "aria-label": "Order of the units",
  });
  const close = el("button", { type: "button", class: "button" }, "Close");
  const told = el("span", { class: "told-here", role: "status" });
  const saves = saveButtons(["svg", "png"] as const, (kind) => void save(kind));
  const summary = el("p", { class: "said" });
  const problem = el("div", { role: "alert" });
  const retry = el("button", { type: "button", class: "quiet-button" }, "Try again");
  const vectors = createVectors(
    (cell) => on.look(cell),
    (unit) => on.along(unit),
  );
  let wanted = false;
  let latest: (Figures & { cell: CellId }) | null = null;
  let painted: { paint: Paint; text: string; equation: string; owner: string } | null = null;

  async function save(kind: "svg" | "png"): Promise<void> {
    if (!latest?.answer || !painted) return;
    const dark = painted.paint.ground !== WHITE;
    const words = { title: title.textContent, said: summary.textContent };
    const figure = drawInside({ ...latest, ...painted, ...words, dark });
    told.textContent = await on.save(kind, figure, `inside ${words.title}`);
  }

  root.setAttribute("aria-labelledby", title.id);
  root.replaceChildren(
    el("div", { class: "top" }, title, equation, orders, told, ...saves, close),
    summary,
    problem,
    ...vectors.nodes,
  );
  for (const order of ORDERS) {
    const button = el("button", { type: "button", value: order }, order);
    button.addEventListener("click", () => on.order(order));
    orders.append(button);
  }
  close.addEventListener("click", () => on.close());
  retry.addEventListener("click", () => on.retry());
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    on.close();
  });
  /** @param domain - bars are as long as in the grid: on the scale of what it shows. */
  function drawHead(state: State, cell: CellId, domain: number | null): void {
    const { trace, model, view, dark } = state;
    const info = model && infoOf(model, cell);
    const token = trace?.tokens[cell.t];
    title.replaceChildren(
      ...(token && info
        ? [`${tokenLabel(token)} · ${columnTitle(info)}${cell.second ? " of the second text" : ""}`]
        : [`Timestep ${cell.t + 1}`]),
    );
    equation.replaceChildren(info ? math(equationAt(info)) : "");
    if (!trace || !model || !token || !info) {
      vectors.clear();
      return;
    }
    const columns = columnsOf(model, trace.columns, { hide: [], hide_layers: [] });
    const seen = { trace, model, view, dark };
    const paint = paintOf(seen, { columns, bars: WORDS, show: "class", domain });
    vectors.set(rowsOf(trace, model, cell, null), paint, info.symbol);
    painted = { paint, text: view.text, equation: equationAt(info), owner: info.symbol };
  }

  /** The dock must not hide the cell that it is about. */
  function uncover(): void {
    const cell = document.querySelector("td.cell.looked");
    const across = cell?.getBoundingClientRect();
    const grid = cell?.closest("#grid")?.getBoundingClientRect();
    if (across && grid && (across.left < grid.left || across.right > grid.right))
      cell?.scrollIntoView?.({ block: "nearest", inline: "center" });
    const hidden = cell && cell.getBoundingClientRect().bottom - root.getBoundingClientRect().top;
    if (hidden && hidden > -8) window.scrollBy(0, hidden + 8);
  }

  return {
    focus: () => (wanted = true),
    update(newest) {
      const state = sideOf(newest, newest.view.inside);
      const { trace, model, view, dark } = state;
      const cell = trace && model ? view.inside : null;
      // A frame long the last cell's figures are there.
      const look = sameCell(cell, state.look?.cell ?? null) ? state.look : null;
      root.hidden = !cell;
      const info = model && cell && infoOf(model, cell);
      const form = info ? formOf(info) : "output";
      root.dataset.form = info ? form : "";
      document.body.classList.toggle("looking", !!cell);
      if (!cell || !trace || !model) return;
      const { palette, colours, scale } = view;
      const domain = domainIn(newest);
      const seen = [trace, model, cell, dark, palette, colours, scale, domain];
      const fresh = headChanged(...seen);
      if (fresh) drawHead(state, cell, domain);
      const moved = cellChanged(cell);
      if (bodyChanged(look, view.order) || fresh) {
        const token = trace.tokens[cell.t];
        // While a word is typed the cell's last figures stay, dimmed: nothing flickers.
        const waits = !look?.answer && !look?.problem;
        const last = latest && sameCell(latest.cell, cell) ? latest.answer : null;
        const old = waits && last?.fingerprint === trace.fingerprint ? last : null;
        const answer = look?.answer ?? old;
        root.classList.toggle("stale", !!old);
        root.setAttribute("aria-busy", String(!!old));
        const rows = token ? rowsOf(trace, model, cell, answer) : [];
        latest = {
          answer: rows.length ? answer : null,
          rows,
          order: view.order,
          cell,
          form,
        };
        told.textContent = "";
        for (const button of saves) button.disabled = !latest.answer || waits;
        for (const button of orders.querySelectorAll("button"))
          button.setAttribute("aria-pressed", String(button.value === view.order));
        summary.textContent = !token
          ? `This text has no timestep ${cell.t + 1}: it has ${trace.tokens.length}.`
          : answer
            ? said(form, token, rows, answer, nounOf(trace.semantic, unitOf(model)))
            : look?.problem
              ? ""
              : "Reading…";
        handOn(
          problem,
          () =>
            problem.replaceChildren(
              ...(look?.problem
                ? [el("p", { class: "notice problem" }, el("b", {}, look.problem), " ", retry)]
                : []),
            ),
          () => () => problem,
        );
        vectors.draw(latest);
      }
      if (moved) uncover();
      if (!wanted) return;
      wanted = false;
      title.focus({ preventScroll: true });
    },
  };
}
