import { coloursOf } from "./colour/palette";
import { type Component, createChanged, el } from "./dom";
import { canHold, focusOn, handOn, isNowhere } from "./focus";
import { type Box, placePopup } from "./geometry";
import { isSheet } from "./sheet";
import type { State } from "./state";
import { SENTENCE, type TourStep, tourSteps } from "./steps";
import { type CellId, hasTour, type Trace } from "./types";

export interface TourCallbacks {
  /** Goes to a step; with null the tour is left. */
  step(index: number | null): void;
  /** Shows the cell that a step is about. */
  show(cell: CellId): void;
  /** Starts it, or with false: it is not offered again. */
  answer(start: boolean): void;
}

/** What is said where the sentence is not read word by word: its steps are about words. */
const UNREAD =
  "The tour goes through a sentence of English, and this model reads something else. Choose a model of words at the top of the page, and take the tour again from the help.";

/** What is said where the cells are asked for something else. */
const ASKED =
  "The tour is about the word that comes next, and here each cell is asked for something else. At the top of the page choose the next word again, or a model that predicts words, and the tour goes on.";

/** Whether an answer is of the tour's sentence, as a model of words reads it or another one. */
const isRead = ({ tokens }: Trace): boolean =>
  tokens.findLast(({ span }) => span)?.span?.[1] === SENTENCE.length;

/** The guided tour: a card beside each cell that it speaks about. */
export function createTour(
  root: HTMLElement,
  offer: HTMLElement,
  on: TourCallbacks,
): Component<State> {
  const changed = createChanged();
  const title = el("h3", { id: "tour-title" });
  const text = el("p", { "aria-live": "polite" });
  const count = el("small");
  const button = (label: string, act: () => void) => {
    const node = el("button", { type: "button", class: "button" }, label);
    node.addEventListener("click", act);
    return node;
  };
  let at = 0;
  /** It was gone through to its end, which asks for a text of one's own. */
  let done = false;
  const back = button("Back", () => on.step(at - 1));
  const next = button("Next", () => {
    done = steps.length > 0 && at + 1 >= steps.length;
    on.step(at + 1 < steps.length ? at + 1 : null);
  });
  const leave = button("Leave", () => on.step(null));
  let steps: TourStep[] = [];
  root.replaceChildren(title, text, el("div", { class: "actions" }, count, leave, back, next));
  offer.replaceChildren(
    el("span", {}, "First time here? Two minutes with the paper's own example. "),
    button("Take the tour", () => on.answer(true)),
    button("No, thanks", () => on.answer(false)),
  );

  let active = false;
  /** What had the focus before the tour; null where nothing had it. */
  let from: HTMLElement | null = null;
  const whole = () => offer.nextElementSibling as HTMLElement | null;
  document.addEventListener("keydown", (event) => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return;
    // Its keys are its own: the help is open over the page.
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") on.step(null);
    // Elsewhere the arrows have their own work.
    else if (!root.contains(document.activeElement)) return;
    else if (event.key === "ArrowRight") next.click();
    else if (event.key === "ArrowLeft" && at > 0) back.click();
    else return;
    event.preventDefault();
  });

  function place(): void {
    const cell = document.querySelector("td.cell.on");
    if (!cell || isSheet()) {
      root.style.left = root.style.top = "";
      return;
    }
    const boxOf = (node: Element): Box => node.getBoundingClientRect();
    const operands = [...document.querySelectorAll("td.cell.operand")].map(boxOf);
    const row = cell.closest("tr");
    const screen = { width: window.innerWidth, height: window.innerHeight };
    const spot = placePopup(boxOf(cell), boxOf(root), operands, screen, boxOf(row ?? cell));
    root.style.left = `${spot.left}px`;
    root.style.top = `${spot.top}px`;
  }

  return {
    update(state) {
      const { tour, offered, trace, model, view, hover } = state;
      handOn(
        offer,
        () => (offer.hidden = !offered || tour !== null || !hasTour(model)),
        () => whole,
      );
      const started = tour !== null && !active;
      const ended = tour === null && active;
      // Whoever has left the card for another control works there: in the text box, for one.
      const holds = isNowhere() || root.contains(document.activeElement);
      active = tour !== null;
      root.hidden = !active;
      document.body.classList.toggle("touring", active);
      if (tour === null) {
        const to = from && canHold(from) ? from : whole();
        const box = done ? document.querySelector<HTMLTextAreaElement>("#text") : null;
        if (ended && holds && box) {
          box.focus();
          // What is typed takes the place of what came back.
          box.select();
        } else if (ended && holds && to) focusOn(to);
        from = null;
        done = false;
        return;
      }
      if (view.text !== SENTENCE) on.step(null);
      if (changed(tour, trace, model, view.palette, view.colours) && trace && model) {
        steps = tourSteps(trace, model, coloursOf(trace.classes, model.palettes, view));
        at = Math.min(tour, Math.max(0, steps.length - 1));
        const step = steps[at];
        const read = isRead(trace);
        title.textContent = step?.title ?? (read ? "Nothing to show here" : "Reading…");
        text.textContent = step?.text ?? (read ? (trace.semantic === "next" ? UNREAD : ASKED) : "");
        count.textContent = step ? `${at + 1} of ${steps.length}` : "";
        next.textContent = at + 1 < steps.length ? "Next" : "Done";
        handOn(
          root,
          () => {
            back.disabled = at === 0;
            next.disabled = !step && !read;
          },
          () => () => root,
        );
        if (step) on.show(step.cell);
        // Beside no cell it stands where the stylesheet has it.
        else root.style.left = root.style.top = "";
      }
      if (started) {
        const { activeElement: had } = document;
        from = had instanceof HTMLElement && !isNowhere() ? had : null;
        root.focus();
      }
      if (hover) place();
    },
  };
}
