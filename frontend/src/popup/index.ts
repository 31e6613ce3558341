import { coloursOf } from "../colour/palette";
import { groundOf } from "../colour/ground";
import { factLines, factsOf, whereOf } from "../describe";
import { type Component, createChanged, el, math, symbol, write } from "../dom";
import { canHold } from "../focus";
import { placePopup } from "../geometry";
import { domainIn } from "../paint";
import { partingAt } from "../partings";
import { isSheet } from "../sheet";
import type { State } from "../state";
import { sameCell } from "../state/cells";
import { traceOf } from "../state/sides";
import { BARS_ASKED } from "../state/view";
import type { CellId } from "../types";
import { createFacts } from "./facts";
import { createStack } from "./stack";
import { createWords } from "./words";

export interface PopupCallbacks {
  close(): void;
  pin(cell: CellId): void;
  /** Opens the cell's inside. */
  look(cell: CellId): void;
  /** Lists as many words as there are, or the usual ten again. */
  more(cell: CellId, more: boolean): void;
}

export interface Popup extends Component<State> {
  /** Puts the focus in, if there is something to press; answers whether. */
  focus(): boolean;
}

/**
 * The one popup that every cell shares. It follows hover and focus and cannot be touched then, so
 * that it never stands between pointer and grid; held by a click or a tap, it has buttons.
 */
export function createPopup(root: HTMLElement, on: PopupCallbacks): Popup {
  let open: CellId | null = null;
  let long = false;
  /** It is about another cell than before. */
  let moved = false;
  const name = el("span");
  const title = el("h3", {}, name);
  const place = el("span");
  const where = el("p", {}, place);
  const symbolChanged = createChanged();
  const equationChanged = createChanged();
  const words = createWords();
  const told = el("p", { class: "told-more", role: "status" });
  const stack = createStack();
  const facts = createFacts();
  const button = (label: string, act: () => void) => {
    const node = el("button", { type: "button", class: "quiet-button" }, label);
    node.addEventListener("click", act);
    return node;
  };
  const more = button("", () => open && on.more(open, !long));
  const pin = button("Pin", () => open && on.pin(open));
  const inside = button("Inside", () => open && on.look(open));
  inside.title = "Look inside the cell: the vectors in its equation (key I)";
  const close = button("Close", leave);
  const actions = el("div", { class: "actions" }, more, inside, pin, close);
  root.replaceChildren(title, where, words.node, told, stack.node, facts.node, actions);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
    if (event.key === "Tab") pass(event);
  });

  const cellOn = () => document.querySelector<HTMLElement>("td.cell.on");

  /** It stands far from its cell in the page: past either of its ends the focus is back there. */
  function pass(event: KeyboardEvent): void {
    const stops = [words.node, ...actions.querySelectorAll("button")].filter(
      (node) => node.tabIndex >= 0 && canHold(node),
    );
    const cell = cellOn();
    if (!cell || event.target !== stops.at(event.shiftKey ? 0 : -1)) return;
    event.preventDefault();
    cell.focus({ preventScroll: true });
  }

  /** Back to the cell; the focus there must not open again what is closed. */
  function leave(): void {
    cellOn()?.focus({ preventScroll: true });
    on.close();
  }

  /** A sheet must not hide the cell that it is about: the page gets room under its end to scroll. */
  function uncover(cell: Element): void {
    const hidden = cell.getBoundingClientRect().bottom + 8 - root.getBoundingClientRect().top;
    document.body.style.paddingBottom = `${root.offsetHeight}px`;
    if (hidden > 0) window.scrollBy(0, hidden);
  }

  function stand(): void {
    const cell = cellOn();
    if (!cell) {
      // Its row or column was hidden just now.
      root.hidden = true;
      return;
    }
    if (isSheet()) {
      root.style.transform = "";
      if (moved) uncover(cell);
      return;
    }
    const seen = [...document.querySelectorAll("td.cell.operand")];
    const at = placePopup(
      cell.getBoundingClientRect(),
      root.getBoundingClientRect(),
      seen.map((td) => td.getBoundingClientRect()),
      { width: window.innerWidth, height: window.innerHeight },
      cell.closest("tr")?.getBoundingClientRect(),
    );
    // Moved so, it is laid out where it was; between two pixels its letters would be blurred.
    root.style.transform = `translate(${Math.round(at.left)}px, ${Math.round(at.top)}px)`;
  }

  return {
    focus() {
      if (root.hidden || !root.classList.contains("held")) return false;
      // A small vocabulary has no more words to list: that button is hidden, and cannot be focused.
      const first = [...actions.querySelectorAll("button")].find((b) => !b.hidden);
      first?.focus();
      return first !== undefined && document.activeElement === first;
    },
    update(state) {
      const { model, view, hover, held } = state;
      const trace = hover && traceOf(state, hover);
      const asked = hover && state.more?.of === trace && state.more.t === hover.t;
      const longer = asked ? state.more : null;
      const colours = trace && model ? coloursOf(trace.classes, model.palettes, view) : new Map();
      const parting = hover && partingAt(state, hover);
      const f =
        trace && model && hover
          ? factsOf(trace, model, colours, hover, longer?.row ?? null, parting)
          : null;
      root.hidden = !f;
      root.classList.toggle("held", held);
      moved = !sameCell(open, f?.cell ?? null);
      open = f?.cell ?? null;
      if (!f) document.body.style.paddingBottom = "";
      if (!f || !trace || !model) return;
      write(name, `${f.token} · ${f.name}`);
      if (symbolChanged(f.symbol, f.cell.layer))
        title.replaceChildren(name, symbol(f.symbol, f.cell.layer));
      const text = f.cell.second ? " of the second text" : "";
      write(place, `timestep ${f.cell.t + 1}${text}, ${whereOf(f.cell)}`);
      if (equationChanged(f.equation)) where.replaceChildren(place, math(f.equation));
      const domain = domainIn(state) ?? f.bars[0]?.p ?? 1;
      words.draw(f.bars, {
        domain,
        scale: view.scale,
        ground: groundOf(state.dark).ground,
        noun: f.noun,
      });
      stack.draw(f, trace, model, colours);
      facts.draw(factLines(f, trace), f.outsideSaid);
      long = longer !== null;
      write(told, longer?.problem ?? (longer && !longer.row ? "Reading…" : ""));
      write(more, `${long ? BARS_ASKED : model.limits.bars} ${f.noun}s`);
      more.hidden = model.limits.bars <= BARS_ASKED;
      write(pin, view.pins.some((p) => sameCell(p, f.cell)) ? "Unpin" : "Pin");
    },
    settle() {
      if (!root.hidden) stand();
    },
  };
}
