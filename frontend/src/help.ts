import { fill } from "./colour/rectangle";
import { ofFew } from "./describe";
import { type Component, createChanged, el, math, symbol } from "./dom";
import { inUnits, percent } from "./format";
import { FLOOR } from "./scale";
import type { State } from "./state";
import { SEMANTIC_MEANINGS, SEMANTIC_NAMES } from "./state/choices";
import { hasTour, isWhole, type ModelInfo, saysLabels, SEMANTICS, unitOf } from "./types";

export interface Help extends Component<State> {
  open(): void;
}

const para = (text: string) => el("p", {}, text);
const head = (text: string) => el("h3", {}, text);

const GREEN = "#59a14f";
const FIGURE_2: [number, string][] = [
  [0.9, "90 %: nearly certain"],
  [0.5, "50 %: half of the mass"],
  [1 / 3, "33 %: mostly undecided"],
];

/** The paper's Figure 2. */
const figure2 = () =>
  el(
    "div",
    { class: "figure-2 wide" },
    ...FIGURE_2.map(([p, text]) => {
      const patch = el("i");
      patch.style.backgroundColor = fill({ colour: GREEN, p, classes: [] });
      return el("div", {}, patch, el("span", {}, text));
    }),
  );

interface Parts {
  grid: readonly string[];
  cell: readonly string[];
  more: readonly string[];
  asked: string;
}

const GRID = [
  "A recurrent network reads a sentence word by word. At each step it computes many vectors: gates, memories, states, in every layer. Each cell of the grid is one of these vectors, decoded into the words it predicts.",
  "Rows are timesteps, one per token. Columns are the kinds of hidden state, from the input x to the output y, layer by layer, in the order in which they are computed. The figure under a symbol is the perplexity of that column's encoding on test text: the lower, the more its words can be trusted.",
];
const SUMMED =
  "The probabilities of the most likely 10 % of all words (View changes how many) are summed";
/** Where there are few words. */
const ALL_SUMMED = "The probabilities of all words are summed";
const cell = (summed: string) => [
  `The mini bars are the most likely words and their probabilities, on one scale for the whole grid, so that bars of different cells can be compared; View offers others, and the legend says which is in force. A word under ${percent(FLOOR)} is not shown. Ten words, with finer figures, are in the popup. A bold word is the one that the cell was asked for.`,
  `The rectangle above them shows which class of words the cell expects. ${summed} per colour; the largest sum wins, and what is missing from 100 % dilutes its colour:`,
];
const OUTSIDE =
  "“Outside the top 10 %” in a popup (of a small vocabulary, a number of words instead), hatched in its bar, is the probability of all the less likely words together: it belongs to no class, and no rectangle counts it.";
const MORE = [
  "“One unit” draws the value of a single unit as a line over the tokens, and finds the unit that best follows the depth of brackets, the surprisal of what came next, a class of words or numbers of your own, by Pearson's r. Where each character is a token, a space is shown as ␣.",
  "“Came next” at the right shows the word that followed, the rank and probability the network gave it, and its surprisal: −log₂ of that probability, in bits. Text perplexity is 2 to the power of the mean surprisal over the text. The end of a sentence counts only where the text marks it: with a full stop, an exclamation or question mark, or, where every line is a sentence to the model, a line break. A word that the network was never taught is read as <unk>, and <unk> is easy to predict: many unknown words make a perplexity look better than it is.",
  "Divergence from y is how far a cell's distribution is from the network's own, in bits: 0 is the same, 1 has nothing in common (Jensen–Shannon). It is given only where cells are asked for the next word, as y is.",
];
const CLASSES =
  "Every word has one class. In a model of English it is the part of speech that the word most often has in the training text: “run” is a verb here wherever it stands. ";
const OWN_CLASSES = "Every word has one class, of its model's own making. ";
const shares = (few: boolean): string =>
  `The percentage of a class in the legend is its probability${few ? "" : " among the likeliest words"}, on average over the cells in view${few ? "" : ": all classes and the less likely words together make 100 %"}. Classes given one colour (“merge”) keep a percentage each, and count as one in every rectangle.`;
const SPECIAL =
  "Special tokens are written as the network reads them: <bos> and <eos> are the start and the end of a sentence, <unk> an unknown word";
const NUMBERS = ", <num> a number in digits";
const TWO =
  "“Compare with…” reads a second text beside the first, aligned word by word: A above B. “Where they part” tells how far each pair of cells differs, and which kind of hidden state still tells the texts apart long after their last difference.";
const KEYS =
  "Point at a cell for its figures; the cells that its equation reads light up. Click to pin it; “Inside” then shows the vectors in its equation. With the keyboard: arrows move, Enter pins, I looks inside, Escape closes.";
const LETTERS =
  "t is the timestep and u the layer, of U layers in all; layer 0 is the input. w is the word read, E its row of the embedding table; W, V, P, b and d are learned weights, D the output's. σ squeezes each number to 0 … 1, tanh to −1 … 1, ReLU makes negative ones 0; ∘ multiplies number by number; [ , ] puts two vectors end to end.";

/** Of a language model; `few`: a rectangle counts all words. */
const words = (few: boolean, classes = CLASSES, special = `${SPECIAL}${NUMBERS}.`): Parts => ({
  grid: GRID,
  cell: cell(few ? ALL_SUMMED : SUMMED),
  more: [`${classes}${shares(few)}`, ...(few ? [] : [OUTSIDE]), ...MORE, special],
  asked:
    "For each kind and each question a linear reader was trained: it sees one vector alone and names the word that is asked for. The switch at the top chooses the question; y is the network itself, and always predicts the next word. What a reader finds in a vector can be read from it; that does not mean that the network uses it.",
});

/** Of a network that gives labels; `of`: what each is of. */
const labelled = (of: string): Parts => ({
  grid: [
    `A recurrent network reads a sentence word by word and gives each ${of} a label. At each step it computes many vectors: gates, memories, states, in every layer. Each cell of the grid is one of these vectors, decoded into the labels it predicts.`,
    `Rows are timesteps, one per token. Columns are the kinds of hidden state, from the input x to the output y, layer by layer, in the order in which they are computed; a layer that reads in both directions appears twice: backward, it has read from the end of the sentence up to the row. The figure under a symbol is the perplexity of that column's encoding on test text${of === "sentence" ? ", asked after the last word" : ""}: 1 is certain.`,
  ],
  cell: [
    `The mini bars are the most likely labels and their probabilities, on one scale for the whole grid. A label under ${percent(FLOOR)} is not shown. Up to ten labels, with finer figures, are in the popup; where the model has more, a button there lists more of them.`,
    "The rectangle above them has the colour of the most likely label, diluted by what is missing from 100 %:",
  ],
  more: [
    "A typed text does not say which label is right, so nothing is scored here: accuracy and perplexity on test text stand under About.",
    "The percentages in the legend are the mean probability of each label over the cells in view. Labels given one colour (“merge”) keep a percentage each, and count as one in every rectangle.",
    "Divergence from y is how far a cell's distribution is from the network's own, in bits: 0 is the same, 1 has nothing in common (Jensen–Shannon).",
    "Special tokens are written as the network reads them: <bos> is the start of a sentence, <unk> an unknown word, <num> a number in digits.",
  ],
  asked:
    of === "sentence"
      ? "For each kind a linear reader was trained: it sees one vector alone and names the label of the sentence. y is the network itself: in each row what it would say if the sentence ended there."
      : "For each kind a linear reader was trained: it sees one vector alone and names the label of the word just read. y is the network itself. At <bos> there is no word, and the labels shown mean nothing.",
});

const partsOf = (model: ModelInfo | null, few: boolean): Parts =>
  model && saysLabels(model)
    ? labelled(isWhole(model) ? "sentence" : "word")
    : unitOf(model) === "word"
      ? words(few)
      : words(few, OWN_CLASSES, `${SPECIAL}.`);

/** What is asked of the cells, for the semantics that the model has. */
const semantics = (model: ModelInfo, asked: string) => [
  head("What each cell is asked"),
  para(inUnits(asked, unitOf(model))),
  el(
    "dl",
    {},
    ...SEMANTICS.filter((s) => model.semantics.includes(s)).flatMap((s) => [
      el("dt", {}, inUnits(SEMANTIC_NAMES[s], unitOf(model))),
      el("dd", {}, inUnits(SEMANTIC_MEANINGS[s], unitOf(model))),
    ]),
  ),
];

/** Each kind once, in column order. */
function glossary({ columns, unit = "word" }: ModelInfo): HTMLElement[] {
  const kinds = new Map([...columns].reverse().map((column) => [column.kind, column]));
  const list = [...kinds.values()].reverse();
  return [
    head("What the symbols are"),
    el(
      "dl",
      { class: "glossary" },
      ...list.flatMap((column) => [
        el("dt", {}, symbol(column.symbol, null), ` ${column.name}`),
        el("dd", {}, math(column.equation)),
      ]),
    ),
    para(inUnits(LETTERS, unit)),
  ];
}

const DARK =
  "The paper dilutes with white, as the three swatches do. In the dark theme the grid dilutes with its dark ground instead; the masses are the same.";

/** "How to read this": a dialog in short parts, with the model's own questions and kinds. */
export function createHelp(dialog: HTMLDialogElement, on: { tour(): void }): Help {
  const changed = createChanged();
  const body = el("div");
  // It takes the focus: the first thing to press is at the end, and would be scrolled to.
  const title = el("h2", { id: "help-title", tabindex: -1, autofocus: true }, "How to read this");
  const close = el("button", { type: "button", class: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const tour = el("button", { type: "button", class: "button" }, "Take the tour");
  tour.addEventListener("click", () => {
    if (dialog.open) dialog.close();
    on.tour();
  });
  const guided = el(
    "p",
    { class: "guided" },
    tour,
    " Two minutes with the paper's own example, cell by cell.",
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.setAttribute("aria-labelledby", "help-title");
  dialog.replaceChildren(el("div", { class: "page" }, title, guided, body, close));
  return {
    open: () => dialog.showModal(),
    update({ dark, model, trace }) {
      const few = !!model && !!trace && ofFew(trace, model);
      if (!changed(dark, model, few)) return;
      const parts = partsOf(model, few);
      const unit = unitOf(model);
      const said = (text: string) => para(inUnits(text, unit));
      guided.hidden = !hasTour(model);
      body.replaceChildren(
        ...parts.grid.map(said),
        ...parts.cell.map(said),
        figure2(),
        ...(dark ? [para(DARK)] : []),
        para(KEYS),
        said(TWO),
        ...(model ? [...semantics(model, parts.asked), ...glossary(model)] : []),
        head("What else is shown"),
        ...parts.more.map(said),
      );
    },
  };
}
