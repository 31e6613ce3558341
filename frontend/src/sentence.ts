import type { Trace } from "./types";

/** The perplexity of a text that was typed, and what is said beside it. Pure. */

/** How many words were typed, and how many of them the network knows only as `<unk>`. */
function unknownsOf({ tokens }: Trace): { unknown: number; typed: number } {
  const typed = tokens.filter(({ span }) => span);
  return { unknown: typed.filter(({ known }) => !known).length, typed: typed.length };
}

/** Said beside a perplexity of which unknown words are a part; "" where there are none. */
export function unknownSaid(trace: Trace): string {
  const { unknown, typed } = unknownsOf(trace);
  if (!unknown) return "";
  const { surprisal, next_ids } = trace.rows;
  const { id, word } = trace.tokens.find(({ known, span }) => span && !known) ?? {};
  const known = surprisal.filter((_, t) => next_ids[t] !== id);
  const [all, without] = [perplexityOf(surprisal), perplexityOf(known)];
  const easy = all !== null && without !== null && all < without;
  const said = `${unknown} of ${typed} words unknown: read as ${word}`;
  return easy ? `${said}, which is easy to predict` : said;
}

/** The perplexity of a text; null also where every typed token is unknown: it would be that of `<unk>`. */
export function textPerplexityOf({ tokens, rows }: Pick<Trace, "tokens" | "rows">): number | null {
  const typed = tokens.filter(({ span }) => span);
  return typed.length && typed.every(({ known }) => !known) ? null : perplexityOf(rows.surprisal);
}

/** Of how many predictions a text's perplexity is the mean. */
export function scoredSaid({ rows }: Pick<Trace, "rows">): string {
  const scored = rows.surprisal.filter((s) => s !== null).length;
  return scored === 1 ? "1 prediction" : `${scored} predictions`;
}

/** 2 to the mean surprisal of the rows that are scored. */
export function perplexityOf(surprisal: readonly (number | null)[]): number | null {
  const scored = surprisal.filter((s) => s !== null);
  if (!scored.length) return null;
  return 2 ** (scored.reduce((a, b) => a + b, 0) / scored.length);
}
