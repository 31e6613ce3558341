import { type Component, createChanged, el, fillSelect, saveButtons } from "../dom";
import { count } from "../format";
import { columnKey, columnTitle } from "../columns";
import { UNIT_FILES, type UnitFileKind } from "../files";
import { handOn } from "../focus";
import type { AlongText, State } from "../state";
import type { RowId } from "../state/cells";
import type { View } from "../state/view";
import type { ModelInfo, UnitId } from "../types";
import { sidesNow } from "../unitline/asked";
import { lineSaid, pointSaid, sidesOf, vectorsOf } from "../unitline/said";
import { seriesOf } from "../unitline/series";
import { createUnitChart } from "./chart";
import { createUnitSearch } from "./search";

export interface UnitCallbacks {
  view(patch: Partial<View>): void;
  row(row: RowId | null): void;
  close(): void;
  retry(): void;
  /** Saves the line, which stands `room` wide; answers what to tell. */
  save(kind: UnitFileKind, room: number): Promise<string>;
}

/** One unit's value along the text, as a line over the tokens, and the search for one that follows. */
export function createUnit(root: HTMLElement, on: UnitCallbacks): Component<State> {
  const changed = createChanged();
  const marked = createChanged();
  const kind = el("select");
  const number = el("input", { type: "number", min: 1, step: 1, inputmode: "numeric" });
  const of = el("span", { class: "quiet" });
  const close = el("button", { type: "button", class: "button" }, "Close");
  const said = el("p", { class: "said" });
  const reading = el("p", { class: "reading", "aria-live": "polite" });
  const problem = el("div", { role: "alert" });
  const retry = el("button", { type: "button", class: "quiet-button" }, "Try again");
  const told = el("span", { class: "told-here", role: "status" });
  const saves = saveButtons(UNIT_FILES, (kind) => void save(kind));
  const title = el("h2", { id: "unit-title" }, "One unit along the text");
  let latest: { state: State; model: ModelInfo; line: AlongText | null } | null = null;

  const chart = createUnitChart(
    (row) => on.row(row),
    () => draw(),
  );
  const choose = (unit: UnitId) => on.view({ unit });
  const search = createUnitSearch({ view: (patch) => on.view(patch), choose });
  root.setAttribute("aria-labelledby", title.id);
  root.replaceChildren(
    el(
      "div",
      { class: "top" },
      title,
      el("label", {}, "kind ", kind),
      el("label", {}, "unit ", number, of),
      told,
      ...saves,
      close,
    ),
    said,
    problem,
    chart.node,
    reading,
    search.node,
  );
  close.addEventListener("click", () => on.close());
  retry.addEventListener("click", () => on.retry());
  kind.addEventListener("change", () => {
    const unit = latest?.state.view.unit;
    const info = latest && vectorsOf(latest.model).find((c) => columnKey(c) === kind.value);
    if (unit && info) choose({ kind: info.kind, layer: info.layer, unit: unit.unit });
  });
  number.addEventListener("input", () => {
    const unit = latest?.state.view.unit;
    const wanted = Number(number.value);
    if (unit && Number.isInteger(wanted) && wanted >= 1) choose({ ...unit, unit: wanted - 1 });
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    on.close();
  });

  async function save(kind: UnitFileKind): Promise<void> {
    told.textContent = await on.save(kind, chart.width());
  }

  function draw(): void {
    if (!latest) return;
    const { state, model, line } = latest;
    chart.node.hidden = !line?.sides.length;
    if (!line?.sides.length) return;
    said.textContent = lineSaid(line, model, chart.draw(sidesOf(line)));
    mark(state.row);
  }

  function mark(row: RowId | null): void {
    if (!latest) return;
    const sides = latest.line?.sides ?? [];
    const side = row && sides.find(({ second }) => second === !!row.second);
    const told = side ? pointSaid(side, row.t, sides.length > 1) : "";
    chart.mark(row, told);
    reading.textContent = told || "Point at the line, or move along it with the arrow keys, to read a value."; // prettier-ignore
    reading.classList.toggle("quiet", !told);
  }

  return {
    update(state) {
      const { view, model, trace, line } = state;
      const { unit } = view;
      root.hidden = !unit || !model || !trace?.tokens.length;
      if (!unit || !model || !trace?.tokens.length) {
        latest = null;
        changed(null);
        return;
      }
      fillSelect(
        kind,
        vectorsOf(model).map(
          (c) => [columnKey(c), `${c.symbol} · ${columnTitle(c).toLowerCase()}`] as const,
        ),
        columnKey(unit),
      );
      if (document.activeElement !== number) number.value = String(unit.unit + 1);
      const answer = line?.sides[0]?.answer;
      const known = answer && line && columnKey(line.unit) === columnKey(unit);
      if (known) number.max = String(answer.units);
      of.textContent = known ? ` of ${count(answer.units)}` : "";
      const series = seriesOf(trace, model, view);
      search.update(view, model, series, line);
      // What answers something else stays under its own name, dimmed, until the answer is there.
      const now = sidesNow(line, state);
      const old = !!line?.sides.length && now?.length !== line.sides.length;
      root.classList.toggle("stale", old);
      root.setAttribute("aria-busy", String(old));
      if (changed(line, model)) {
        latest = { state, model, line };
        told.textContent = "";
        const refused = line?.problem;
        handOn(
          problem,
          () =>
            problem.replaceChildren(
              ...(refused
                ? [
                    el(
                      "p",
                      { class: "notice problem" },
                      el("b", {}, refused),
                      " ",
                      line?.again ? retry : null,
                    ),
                  ]
                : []),
            ),
          () => () => problem,
        );
        if (!line?.sides.length) said.textContent = refused ? "" : "Reading…";
        draw();
        marked(state.row);
      } else {
        if (latest) latest = { ...latest, state };
        if (marked(state.row)) mark(state.row);
      }
    },
  };
}
