import { css, dilute, inkOn, parseHex } from "../colour/rgb";
import { el, symbol } from "../dom";
import { move } from "../keys";
import { type Column, GAPS, groupsOf } from "../layout";
import { aloneSaid, figure, mostIn, nameOf, type PairedStep, shadeOf, stepLabel } from "../partings"; // prettier-ignore
import type { Comparison } from "../types";

/** The grid of divergences: a row for each step of the alignment, a column for each kind. */

export interface Matrix {
  node: HTMLElement;
  draw(
    comparison: Comparison,
    pairs: readonly PairedStep[],
    columns: readonly Column[],
    dark: boolean,
  ): void;
}

/** Ink and ground of a cell: the stylesheet's. */
const INKS = {
  light: { ink: parseHex("#1d1d1b"), ground: parseHex("#ffffff") },
  dark: { ink: parseHex("#ecebe6"), ground: parseHex("#1e1e1c") },
};

const gapOf = (column: Column) => (column.gap ? `gap-${column.gap}` : "");

export function createMatrix(choose: (step: PairedStep, column: Column) => void): Matrix {
  const head = el("thead", { role: "rowgroup" });
  const body = el("tbody", { role: "rowgroup" });
  const table = el(
    "table",
    {
      role: "grid",
      "aria-label": "Divergence of the two texts, in bits: words down, kinds across",
    },
    head,
    body,
  );
  const node = el("div", { class: "matrix" }, table);
  let stop: HTMLElement | null = null;
  let chosen = new Map<Element, [PairedStep, Column]>();

  const cells = () => [...body.rows].map((tr) => [...tr.querySelectorAll<HTMLElement>("td.bits")]);
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
  body.addEventListener("click", ({ target }) => pick(target));
  body.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") pick(event.target);
    else {
      const rows = cells().filter((row) => row.length);
      const row = rows.findIndex((list) => list.includes(event.target as HTMLElement));
      const column = rows[row]?.indexOf(event.target as HTMLElement) ?? -1;
      const control = event.ctrlKey || event.metaKey;
      const to =
        row < 0
          ? null
          : move(event.key, control, { row, column }, rows.length, rows[row]?.length ?? 0);
      const next = to && rows[to.row]?.[to.column];
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
      at += group.span;
      return el(
        "th",
        {
          scope: "colgroup",
          role: "columnheader",
          colspan: group.span,
          class: (first && gapOf(first)) || null,
        },
        el("span", {}, group.name),
      );
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
              title: nameOf(column),
              "aria-label": nameOf(column),
            },
            symbol(column.symbol, column.layer),
          ),
        ),
      ),
    );
  }

  return {
    node,
    draw(comparison, pairs, columns, dark) {
      drawHead(columns);
      table.style.setProperty("--columns", String(columns.length));
      const gaps = columns.reduce((sum, column) => sum + GAPS[column.gap], 0);
      table.style.setProperty("--gaps", `${gaps}px`);
      const { ink, ground } = INKS[dark ? "dark" : "light"];
      const most = mostIn(comparison, columns);
      const byStep = new Map(pairs.map((pair) => [pair.at, pair]));
      chosen = new Map();
      const drawn = (step: PairedStep, column: Column): HTMLElement => {
        const bits = comparison.divergence[step.at]?.[column.index] ?? 0;
        const shade = dilute(ink, shadeOf(bits, most), ground);
        const td = el(
          "td",
          {
            class: ["bits", gapOf(column)].filter(Boolean).join(" "),
            role: "gridcell",
            tabindex: -1,
            title: `${step.label}, ${nameOf(column)}: ${bits.toFixed(6)} bits`,
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
        const step = byStep.get(at);
        const label = el("th", { scope: "row", role: "rowheader" }, stepLabel(comparison, at));
        label.title = label.textContent;
        if (op !== "same") label.classList.add("differs");
        return el(
          "tr",
          { role: "row" },
          label,
          ...(step
            ? columns.map((column) => drawn(step, column))
            : [
                el(
                  "td",
                  { class: "alone", role: "gridcell", colspan: columns.length },
                  aloneSaid(first),
                ),
              ]),
        );
      });
      body.replaceChildren(...rows);
      stop = null;
      setTabStop(cells().find((row) => row.length)?.[0]);
    },
  };
}
