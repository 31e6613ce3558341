import { coloursOf } from "../colour/palette";
import { parseHex, WHITE } from "../colour/rgb";
import { type Component, createChanged, el, math } from "../dom";
import type { Paint } from "../drawn";
import { equationAt, tokenLabel } from "../format";
import { columnKey, columnsOf, domainOf, infoOf } from "../layout";
import { rowsOf as timestepsOf } from "../spans";
import { ORDERS, type Order, sameCell, sideOf, type State } from "../state";
import type { CellId, Inside } from "../types";
import { marginOf, unitsIn, vectorOf } from "./order";
import { orderSaid, readUnit, said, stripsSaid } from "./reading";
import { createRow, type DrawnRow, HEIGHT } from "./row";
import { type Form, formOf, largerIn, type Row, rowsOf } from "./rows";
import { placeAt, scaleOf, type Slot, slotsOf, stripOf } from "./strips";
import { createUnits } from "./units";

export interface InsideCallbacks {
  close(): void;
  /** Goes into an operand. */
  look(cell: CellId): void;
  order(order: Order): void;
  retry(): void;
}

export interface InsidePanel extends Component<State> {
  /** The focus goes in with the next drawing. */
  focus(): void;
}

/** Where nothing can be measured. */
const ROOM = 600;
/** How many words of an encoding are told. */
const WORDS = 3;

/** A vector by itself, to be sorted by nothing else. */
const alone = (values: readonly number[]) => ({ values: [...values], operands: [], won: null });

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
  const summary = el("p", { class: "said" });
  const problem = el("div", { role: "alert" });
  const retry = el("button", { type: "button", class: "quiet-button" }, "Try again");
  const list = el("div", { class: "vectors" });
  const hint = el("p", { class: "hint" });
  let drawn: DrawnRow[] = [];
  let slots: Slot[] = [];
  let units: number[] = [];
  let wanted = false;
  let latest: {
    answer: Inside | null;
    rows: Row[];
    order: Order;
    column: string;
    form: Form;
  } | null = null;

  const unit = createUnits((place) => {
    const slot = slots.find(({ from, to }) => place !== null && from <= place && place < to);
    for (const row of drawn) row.point(row.row.aligned ? (slot ?? null) : null);
  });
  root.setAttribute("aria-labelledby", title.id);
  root.replaceChildren(
    el("div", { class: "top" }, title, equation, orders, close),
    summary,
    problem,
    list,
    el("div", { class: "vector under-strips" }, el("div"), unit.slider, el("div")),
    unit.reading,
    hint,
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
  const point = (event: PointerEvent) => {
    const plot = event.target instanceof Element ? event.target.closest(".plot-of") : null;
    if (!plot || !units.length) return;
    const { left, width } = plot.getBoundingClientRect();
    unit.at(placeAt(event.clientX - left, units.length, width));
  };
  list.addEventListener("pointermove", point);
  list.addEventListener("pointerdown", point);

  /** The strips, for the room there is. */
  function drawStrips(): void {
    if (!latest) return;
    const { answer, rows, order, form } = latest;
    const width = Math.floor(list.querySelector(".plot-of")?.clientWidth || ROOM);
    const count = answer ? vectorOf(answer).length : 0;
    units = answer ? unitsIn(order, answer) : [];
    slots = count ? slotsOf(count, width) : [];
    const vectors = rows.flatMap((row) => (row.values ? [row.values] : []));
    const scale = scaleOf(vectors);
    const larger = largerIn(answer && marginOf(answer), rows);
    drawn.forEach((shown, i) => {
      const row = rows[i] ?? shown.row;
      const { values } = row;
      const { marks = null, units: more = null } = larger[i] ?? {};
      if (!values || !answer) return shown.draw(row, null, width, null);
      // What is not unit by unit the cell's stands in an order of its own.
      const by = order === "unit" ? order : "value";
      const own = row.aligned ? units : unitsIn(by, { ...answer, ...alone(values) });
      const strip = stripOf(row.aligned ? slots : slotsOf(values.length, width), {
        values: own.map((u) => values[u] ?? 0),
        marks: marks ? own.map((u) => marks[u] ?? false) : null,
        height: HEIGHT,
        scale,
      });
      shown.draw(row, strip, width, more);
    });
    unit.set(units, (u) => readUnit(u, rows, answer?.bias ?? null));
    hint.textContent = answer
      ? `${stripsSaid(count, width, scale, form)} ${orderSaid(order, form)}`
      : "";
  }

  if (typeof ResizeObserver !== "undefined") new ResizeObserver(drawStrips).observe(list);

  function drawHead(state: State, cell: CellId): void {
    const { trace, model, view, dark } = state;
    const info = model && infoOf(model, cell);
    const token = trace?.tokens[cell.t];
    const where = cell.layer ? `, layer ${cell.layer}` : "";
    title.replaceChildren(
      ...(token && info
        ? [`${tokenLabel(token)} · ${info.name}${where}${cell.second ? " of the second text" : ""}`]
        : [`Timestep ${cell.t + 1}`]),
    );
    equation.replaceChildren(info ? math(equationAt(info)) : "");
    if (!trace || !model || !token || !info) {
      drawn = [];
      list.replaceChildren();
      return;
    }
    const shown = columnsOf(model, trace.columns, view);
    const timesteps = timestepsOf(trace.tokens.length, view.rows);
    const paint: Paint = {
      trace,
      model,
      columns: columnsOf(model, trace.columns, { hide: [], hide_layers: [] }),
      colours: coloursOf(trace.classes, model.palettes, view),
      bars: WORDS,
      show: "class",
      // Bars are as long as in the grid: on the scale of what it shows.
      domain: domainOf(trace, timesteps, shown, view.scale),
      scale: view.scale,
      ground: dark ? parseHex("#1e1e1c") : WHITE,
      ink: parseHex(dark ? "#ecebe6" : "#1d1d1b"),
    };
    drawn = rowsOf(trace, model, cell, null).map((row) =>
      createRow(row, paint, info.symbol, (into) => on.look(into)),
    );
    list.replaceChildren(...drawn.map(({ node }) => node));
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
      const { palette, colours, scale, hide, hide_layers } = view;
      const seen = [
        trace,
        model,
        cell,
        dark,
        palette,
        colours,
        scale,
        hide,
        hide_layers,
        view.rows,
      ];
      const fresh = headChanged(...seen);
      if (fresh) drawHead(state, cell);
      const moved = cellChanged(cell);
      if (bodyChanged(look, view.order) || fresh) {
        const token = trace.tokens[cell.t];
        // While a word is typed the last figures stay, dimmed: nothing flickers.
        const column = columnKey(cell);
        const waits = !look?.answer && !look?.problem;
        const old = waits && latest?.column === column ? latest.answer : null;
        const answer = look?.answer ?? old;
        root.classList.toggle("stale", !!old);
        const rows = token ? rowsOf(trace, model, cell, answer) : [];
        latest = {
          answer: rows.length ? answer : null,
          rows,
          order: view.order,
          column,
          form,
        };
        for (const button of orders.querySelectorAll("button"))
          button.setAttribute("aria-pressed", String(button.value === view.order));
        summary.textContent = !token
          ? `This text has no timestep ${cell.t + 1}: it has ${trace.tokens.length}.`
          : answer
            ? said(form, token, rows, answer)
            : look?.problem
              ? ""
              : "Reading…";
        problem.replaceChildren(
          ...(look?.problem
            ? [el("p", { class: "notice problem" }, el("b", {}, look.problem), " ", retry)]
            : []),
        );
        drawStrips();
      }
      if (moved) uncover();
      if (!wanted) return;
      wanted = false;
      title.focus({ preventScroll: true });
    },
  };
}
