import { type Api, Refused, Unreachable } from "./api";
import { wellFormed } from "./format";
import { encoded } from "./limits";
import type { Unread } from "./state";
import type { View } from "./state/view";
import { type Example, type ModelInfo, type TokensRead, unitOf } from "./types";

/**
 * Texts and models: a text goes with a person from model to model, but a model may read other symbols.
 * Then the page says so and offers one of the model's own examples; what stood there is set aside, and
 * is back as soon as a model is chosen that can read it.
 */

/** What is read: both texts. */
export type Texts = Pick<View, "text" | "compare">;

export interface Reader {
  /** What to show of these texts in this model, and what to say of it. */
  fit(texts: Texts, model: ModelInfo, before: ModelInfo | null): Promise<Fitted>;
  /** These texts give way to others, and are to come back. */
  setAside(texts: Texts): void;
}

export interface Fitted {
  texts: Texts;
  unread: Unread | null;
}

/** How many texts are set aside at most. */
const KEPT = 8;

/**
 * Whether a model cannot read a text: it knows less than half of the tokens, or it reads words, the model
 * before it did not, and of the words that have letters it knows none: brackets and digits are no words.
 */
export function cannotRead(
  { tokens }: TokensRead,
  model: ModelInfo,
  before: ModelInfo | null,
): boolean {
  const read = tokens.filter(({ span }) => span);
  if (!read.length) return false;
  const known = read.filter((token) => token.known);
  if (2 * known.length < read.length) return true;
  const other = before !== null && unitOf(before) !== unitOf(model);
  return other && unitOf(model) === "word" && !known.some(({ surface }) => /\p{L}/u.test(surface));
}

/** The first that shows no more than a text. */
const exampleOf = ({ examples }: ModelInfo): Example | null =>
  examples.find(({ compare, unit }) => !compare && !unit) ?? examples[0] ?? null;

const saidOf = (model: ModelInfo, example: Example | null): Unread => ({
  said: `${model.name} cannot read this text: it reads other ${unitOf(model)}s. Nothing typed is lost.`,
  example,
});

export function createReader(api: Pick<Api, "tokens">): Reader {
  let aside: Texts[] = [];
  const same = (a: Texts, b: Texts) => a.text === b.text && a.compare === b.compare;

  async function unreadable(
    { text }: Texts,
    model: ModelInfo,
    before: ModelInfo | null,
  ): Promise<boolean> {
    if (!text.trim()) return false;
    const query = { text: wellFormed(text), model: model.id };
    if (encoded(JSON.stringify(query)) > model.limits.bytes) return false;
    try {
      return cannotRead(await api.tokens(query), model, before);
    } catch (error) {
      // It is told when the text is asked for.
      if (error instanceof Refused || error instanceof Unreachable) return false;
      throw error;
    }
  }

  return {
    async fit(texts, model, before) {
      if (before?.fingerprint === model.fingerprint || !(await unreadable(texts, model, before)))
        return { texts, unread: null };
      for (const old of aside)
        if (!same(old, texts) && !(await unreadable(old, model, before))) {
          this.setAside(texts);
          return { texts: old, unread: null };
        }
      return { texts, unread: saidOf(model, exampleOf(model)) };
    },
    setAside(texts) {
      aside = [texts, ...aside.filter((old) => !same(old, texts))].slice(0, KEPT);
    },
  };
}
