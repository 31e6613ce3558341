/** Hebrew, Arabic and what else is written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A word in a sentence of ours: one that is read from the right would draw the signs and figures beside it
 * to its own side. First strong isolate, and its end.
 */
export const isolated = (word: string): string =>
  RIGHT_TO_LEFT.test(word) ? `\u2068${word}\u2069` : word;
