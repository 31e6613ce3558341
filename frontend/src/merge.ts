import { readsAhead } from "./operands";
import { perplexityOf } from "./sentence";
import { SEMANTICS, type Query, type Rows, type Semantic, type Trace } from "./types";

/** Typing at the end of a text must not compute its beginning again: `from`, and joining the rows. */

/** How many tokens after a row take part in it: its next word, or the one after. */
const reachOf = (semantic: Semantic): number => (semantic === SEMANTICS[3] ? 2 : 1);

/** Code points that two texts share from the start. */
export function commonPrefix(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  let n = 0;
  while (n < x.length && n < y.length && x[n] === y[n]) n += 1;
  return n;
}

/**
 * The first timestep to ask for. A token is taken as unchanged when it ends strictly before the first
 * changed code point; one more is given up because a tokeniser looks ahead; and the rows whose label
 * lies beyond are asked for again.
 */
export function firstRow(old: Trace, oldText: string, query: Query): number {
  // A bidirectional network reads the end first: a word more changes every state.
  if (readsAhead(old.columns)) return 0;
  const changed = commonPrefix(oldText, query.text);
  let n = 0;
  while (n < old.tokens.length) {
    const span = old.tokens[n]?.span;
    if (span && span[1] >= changed) break;
    n += 1;
  }
  // A sentence start has no place in the text: it stands only with the token that follows it.
  while (n > 0 && !old.tokens[n - 1]?.span) n -= 1;
  return Math.max(0, Math.min(n - 1 - reachOf(query.semantic), old.rows.top_ids.length));
}

/** As the server rounds it. */
const rounded = (n: number | null): number | null => (n === null ? null : Number(n.toPrecision(5)));

/** The old rows before `answer.from` joined with the answer's; null when they do not fit together. */
export function merge(old: Trace, answer: Trace): Trace | null {
  const { from } = answer;
  if (from === 0) return answer;
  const settled =
    old.from === 0 &&
    old.model === answer.model &&
    old.fingerprint === answer.fingerprint &&
    old.semantic === answer.semantic &&
    old.bars === answer.bars &&
    old.top === answer.top &&
    old.rows.top_ids.length >= from &&
    answer.tokens.length - from === answer.rows.top_ids.length;
  if (!settled) return null;
  // The labels of the kept rows lie up to `reach` tokens further: these must agree as well.
  for (let t = 0; t < from + reachOf(answer.semantic); t += 1) {
    const [was, is] = [old.tokens[t], answer.tokens[t]];
    if (!was || !is || was.id !== is.id || was.word !== is.word) return null;
  }
  const rows = Object.fromEntries(
    (Object.keys(answer.rows) as (keyof Rows)[]).map((key) => [
      key,
      // Kept rows stay the same objects: the grid draws again only what is new.
      [...(old.rows[key] as unknown[]).slice(0, from), ...(answer.rows[key] as unknown[])],
    ]),
  ) as unknown as Rows;
  return {
    ...answer,
    from: 0,
    rows,
    words: { ...old.words, ...answer.words },
    word_classes: { ...old.word_classes, ...answer.word_classes },
    perplexity: rounded(perplexityOf(rows.surprisal)),
  };
}
