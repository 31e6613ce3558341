import { select } from "d3";
import { isBlank } from "./blank";
import { type Component, createChanged, el, write } from "./dom";
import { BLANKS, inUnits, perplexity, tokenLabel } from "./format";
import { type Column, columnsOf } from "./columns";
import { scoredSaid, textPerplexityOf, unknownSaid } from "./sentence";
import { isAwaited, type State } from "./state";
import { ofText, type RowId, sameRow } from "./state/cells";
import { type Token, unitOf } from "./types";

export interface TokensCallbacks {
  row(row: RowId | null): void;
}

/** What the network reads in place of what was typed, when that differs in more than case. */
function readAs(token: Token): string | null {
  if (!token.span) return null;
  return !token.known || token.word === "<num>" ? token.word : null;
}

function explain(token: Token, t: number): string {
  const read = readAs(token);
  const what = !token.known
    ? `“${tokenLabel(token)}” is not in the vocabulary: the network reads ${read}`
    : read
      ? `“${tokenLabel(token)}” is a number: the network reads ${read}`
      : token.span
        ? `the network reads “${token.word}”`
        : "the start of a sentence";
  return `timestep ${t + 1}: ${what}`;
}

/** A chip is written over: a new element would be styled and laid out anew. */
function drawChip(chip: HTMLLIElement, token: Token, t: number): void {
  const key = `${t} ${token.word} ${token.surface}`;
  if (chip.dataset.key === key) return;
  chip.dataset.key = key;
  const kind = token.known ? (token.span ? "" : "quiet") : "unknown";
  if (chip.className !== kind) chip.className = kind;
  chip.title = explain(token, t);
  const [said, read] = [chip.children[0], readAs(token)];
  if (said) write(said, tokenLabel(token));
  const small = chip.children[1] ?? (read === null ? null : chip.appendChild(el("small")));
  if (read === null) small?.remove();
  else if (small) write(small, ` ${read}`);
}

/** A figure and what it counts. */
const fact = (n: string, what: string): [HTMLElement, string] => [el("b", {}, n), ` ${what}`];

/** What is counted of the columns in view; where that is no hidden state, what there is to see. */
function kindsSaid(columns: readonly Column[]): (HTMLElement | string)[] {
  const kinds = columns.filter((c) => c.layer !== null).length;
  if (kinds) return fact(String(kinds), kinds === 1 ? "kind of hidden state" : "kinds of hidden state"); // prettier-ignore
  return [columns.length ? "only the output y is shown" : "all columns are hidden"];
}

/** The token chips under the text box, and the line of facts. */
export function createTokens(
  root: HTMLElement,
  on: TokensCallbacks,
  second = false,
): Component<State> {
  const of = second ? "Tokens of the second text" : "Tokens";
  const chips = el("ol", { class: "chips", "aria-label": `${of}, as the network reads them` });
  const facts = el("p", { class: "facts" });
  root.append(chips, facts);
  // What scrolls can be scrolled by keys, and what does not is no stop for them.
  const stop = () => {
    if (chips.scrollHeight > chips.clientHeight + 1) chips.tabIndex = 0;
    else chips.removeAttribute("tabindex");
  };
  if (typeof ResizeObserver !== "undefined") new ResizeObserver(stop).observe(chips);
  let drawn = false;
  const tokensChanged = createChanged();
  const factsChanged = createChanged();
  const rowChanged = createChanged();

  chips.addEventListener("pointerover", (event) => {
    const chip = event.target instanceof Element ? event.target.closest("li") : null;
    on.row(chip ? { t: [...chips.children].indexOf(chip), ...ofText(second) } : null);
  });
  chips.addEventListener("pointerleave", () => on.row(null));

  return {
    update(state) {
      const { model, view, row, hover, problem, unpaired } = state;
      const trace = second ? state.second : state.trace;
      const busy = second ? state.pairing : state.busy;
      const tokens = trace?.tokens ?? [];
      // The figures are of the model before; its chips keep their place until the new ones are there.
      const waits = !root.hidden && (!second || !isBlank(view.compare)) && isAwaited(state);
      facts.style.visibility = waits ? "hidden" : "";
      if (waits) return root.classList.add("reading");
      root.hidden = tokens.length === 0;
      // As long as no answer came, as the grid: what is told here is of the text before.
      const failed = problem !== null || (second && unpaired !== null);
      root.classList.toggle("reading", busy || failed);
      if (tokensChanged(trace)) {
        select(chips)
          .selectAll<HTMLLIElement, Token>("li")
          .data(tokens)
          .join((enter) => {
            const chip = enter.append("li");
            chip.append("span");
            return chip;
          })
          .each(function (d, t) {
            drawChip(this, d, t);
          });
        drawn = true;
      }
      if (factsChanged(trace, model, view.hide, view.hide_layers) && trace && model) {
        const ppl = textPerplexityOf(trace);
        facts.replaceChildren(
          ...fact(String(tokens.length), tokens.length === 1 ? "timestep" : "timesteps"),
          " · ",
          ...kindsSaid(columnsOf(model, trace.columns, view)),
        );
        if (ppl !== null) {
          const figure = perplexity(ppl);
          facts.append(
            " · ",
            el(
              "span",
              {
                title: `perplexity ${figure}: as unsure as choosing evenly among ${figure} ${unitOf(model)}s, on average over ${scoredSaid(trace)}`,
              },
              "text perplexity ",
              el("b", {}, figure),
            ),
          );
          // What flatters a figure stands beside it.
          const flattered = inUnits(unknownSaid(trace), unitOf(model));
          if (flattered) facts.append(` (${flattered})`);
        }
        const unknown = tokens.filter((t) => !t.known).length;
        for (const [blank, { sign, name }] of BLANKS)
          if (tokens.some(({ surface }) => surface === blank))
            facts.append(" · ", el("b", {}, sign), `: ${name}`);
        if (unknown) facts.append(" · ", el("u", {}, "dotted"), ": not in the vocabulary");
      }
      const pointed = hover ?? row;
      if (rowChanged(trace, pointed))
        [...chips.children].forEach((chip, t) =>
          chip.classList.toggle("row", sameRow(pointed, { t, ...ofText(second) })),
        );
    },
    settle() {
      if (drawn) stop();
      drawn = false;
    },
  };
}
