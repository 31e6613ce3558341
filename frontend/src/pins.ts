import { markOf } from "./alignment";
import { coloursOf } from "./colour/palette";
import { type Component, createChanged, el, symbol } from "./dom";
import { factsOf } from "./describe";
import { handOn } from "./focus";
import { percent, probability, tokenLabel } from "./format";
import { isolated } from "./isolate";
import { columnSaid, infoOf } from "./columns";
import type { State } from "./state";
import { MAX_PINS } from "./state/cells";
import { isShown } from "./showing";
import { traceOf } from "./state/sides";
import type { CellId } from "./types";

export interface PinsCallbacks {
  remove(cell: CellId): void;
  open(cell: CellId | null): void;
  /** Shows the cell in the grid, with its popup. */
  find(cell: CellId): void;
  /** Brings back the pins that went. */
  restore(): void;
}

/** Cells kept by a click, with what each says in a line. */
export function createPins(root: HTMLElement, on: PinsCallbacks): Component<State> {
  const changed = createChanged();
  const number = el("small");
  const list = el("ul", { class: "pins" });
  const hint = el("p", { class: "hint" }, "Click a cell to keep it here.");
  const undo = el("button", { type: "button", class: "quiet-button" }, "Undo");
  const gone = el("span");
  const told = el("p", { class: "hint", role: "status" }, gone, undo);
  undo.addEventListener("click", () => on.restore());
  root.replaceChildren(el("h2", {}, "Pinned", number), list, told, hint);

  return {
    update(state) {
      const { model, trace, second, comparison, view, dropped } = state;
      const { hide, hide_layers, rows } = view;
      const grid = [comparison, hide, hide_layers, rows];
      if (!changed(model, trace, second, view.pins, view.palette, view.colours, dropped, ...grid)) return; // prettier-ignore
      root.hidden = !model || !trace || trace.tokens.length === 0;
      if (!model || !trace) return;
      const named = (cell: CellId): string => {
        const token = traceOf(state, cell)?.tokens[cell.t];
        const info = infoOf(model, cell);
        return `${token ? isolated(tokenLabel(token)) : `timestep ${cell.t + 1}`} · ${info ? columnSaid(info) : cell.kind}`;
      };
      number.textContent = view.pins.length ? `${view.pins.length} of ${MAX_PINS}` : "";
      hint.hidden = view.pins.length > 0;
      root.classList.toggle("none", !view.pins.length);
      const colours = coloursOf(trace.classes, model.palettes, view);
      const draw = () => {
        const [first] = dropped;
        told.hidden = !first;
        gone.textContent = !first
          ? ""
          : view.pins.length
            ? `At most ${MAX_PINS} are kept: ${named(first)} gave way. `
            : dropped.length === 1
              ? `${named(first)} was unpinned. `
              : `All ${dropped.length} were unpinned. `;
        list.replaceChildren(
          ...view.pins.map((cell) => {
            const of = traceOf(state, cell);
            const facts = of && factsOf(of, model, colours, cell);
            const info = infoOf(model, cell);
            const name = info ? info.name.toLowerCase() : cell.kind;
            const remove = el("button", { type: "button", class: "quiet-button remove" }, "×");
            remove.setAttribute("aria-label", `Unpin ${facts?.token ?? "timestep"} ${name}`);
            remove.addEventListener("click", () => on.remove(cell));
            const first = facts?.bars[0];
            const item = el(
              "li",
              {},
              el(
                "button",
                { type: "button", class: "find", title: "Show it in the grid" },
                // Which text it is of, as soon as there are two.
                second || cell.second ? `${markOf(cell.second)} ` : null,
                el("b", {}, facts?.token ?? `timestep ${cell.t + 1}`),
                " · ",
                symbol(info?.symbol ?? cell.kind, cell.layer),
                ` ${name}`,
              ),
              el(
                "small",
                {},
                facts && first
                  ? `${percent(facts.rectangle.p)} ${facts.strongest} · ${isolated(first.word)} ${probability(first.p)}${isShown(state, cell) ? "" : " · hidden in the grid"}`
                  : `not in ${cell.second ? "the second" : "this"} text`,
              ),
              remove,
            );
            item.addEventListener("click", ({ target }) => {
              if (facts && !(target instanceof Element && target.closest(".quiet-button")))
                on.find(cell);
            });
            item.addEventListener("pointerenter", () => facts && on.open(cell));
            item.addEventListener("pointerleave", () => on.open(null));
            item.addEventListener("focusin", () => facts && on.open(cell));
            item.addEventListener("focusout", () => on.open(null));
            return item;
          }),
        );
      };
      handOn(root, draw, (had) => {
        // To the pin that stands there now, or the last, or to the sentence that there is none.
        const at = [...list.children].findIndex((item) => item.contains(had));
        const kind = had.matches(".remove") ? ".remove" : ".find";
        return () =>
          (list.children[at] ?? list.lastElementChild)?.querySelector<HTMLElement>(kind) ?? hint;
      });
    },
  };
}
