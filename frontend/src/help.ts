import { fill } from "./colour/rectangle";
import { type Component, createChanged, el } from "./dom";
import type { State } from "./state";

export interface Help extends Component<State> {
  open(): void;
}

const PARAGRAPHS = [
  "A recurrent network reads a sentence word by word. At each step it computes many vectors: gates, memories, states, in every layer. Each cell of the grid is one of these vectors, decoded into the words it predicts.",
  "Down go the timesteps, one a token. Across go the kinds of hidden state, from the input x to the output y, layer by layer, in the order in which they are computed. The figure under a symbol is the perplexity of that column's encoding on held-out text: the lower, the more its words can be trusted.",
  "The mini bars are the most likely words and their probabilities, on one scale for the whole grid, so that bars of different cells can be compared. Ten of them, with exact figures, are in the popup. A bold word is the one that the cell was asked for: the one that comes next, unless the switch at the top says otherwise.",
  "The rectangle above them shows which class of words the cell expects. The probabilities of the most likely words are summed per colour; the largest sum wins, and what is missing from 100 % dilutes its colour:",
];

const GREEN = "#59a14f";
const FIGURE_2: [number, string][] = [
  [0.9, "90 %: nearly certain"],
  [0.5, "50 %: half of the mass"],
  [1 / 3, "33 %: mostly undecided"],
];

/** "How to read this": a short dialog, with the swatches of the paper's Figure 2. */
export function createHelp(dialog: HTMLDialogElement): Help {
  const changed = createChanged();
  const swatches = FIGURE_2.map(([p, text]) => {
    const patch = el("i");
    patch.style.backgroundColor = fill({ colour: GREEN, p, classes: [] });
    return el("div", {}, patch, el("span", {}, text));
  });
  const ground = el("p");
  const close = el("button", { type: "button", class: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.setAttribute("aria-labelledby", "help-title");
  dialog.replaceChildren(
    el(
      "div",
      { class: "page" },
      el("h2", { id: "help-title" }, "How to read this"),
      ...PARAGRAPHS.map((text) => el("p", {}, text)),
      el("div", { class: "figure-2 wide" }, ...swatches),
      ground,
      el(
        "p",
        {},
        "Point at a cell for its figures; the cells that its equation reads light up. Click to keep it. With the keyboard: arrows move, Enter keeps, Escape closes.",
      ),
      close,
    ),
  );
  return {
    open: () => dialog.showModal(),
    update({ dark }) {
      if (!changed(dark)) return;
      ground.textContent = dark
        ? "The paper dilutes with white, as the three swatches do. In the dark theme the grid dilutes with its dark ground instead; the masses are the same."
        : "Words that the network was never taught are read as <unk>; their cells speak of an unknown word, not of the one typed.";
    },
  };
}
