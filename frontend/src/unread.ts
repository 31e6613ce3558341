import { type Api, Refused, Unreachable } from "./api";
import { isBlank } from "./blank";
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
  /** What to say of a text whose tokens are there, in this model. */
  judge(read: Read, model: ModelInfo, before: ModelInfo | null): Unread | null;
  /** These texts give way to others, and are to come back. */
  setAside(texts: Texts): void;
}

/** The tokens of a text, counted or traced. */
type Read = Pick<TokensRead, "tokens">;

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
export function cannotRead({ tokens }: Read, model: ModelInfo, before: ModelInfo | null): boolean {
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

/** Whether a text is one that a model of other symbols offered: it stands in for a person's own. */
const isExample = ({ text }: Texts, of: ModelInfo | null, model: ModelInfo): boolean =>
  of !== null && unitOf(of) !== unitOf(model) && of.examples.some((e) => e.text === text);

const saidOf = (model: ModelInfo, example: Example | null): Unread => ({
  said: `${model.name} cannot read this text: it reads other ${unitOf(model)}s. Nothing typed is lost.`,
  example,
});

export function createReader(api: Pick<Api, "tokens">): Reader {
  let aside: Texts[] = [];
  const same = (a: Texts, b: Texts) => a.text === b.text && a.compare === b.compare;

  /** Whether the model can read the first text; null where nobody knows. */
  async function readable(
    { text }: Texts,
    model: ModelInfo,
    before: ModelInfo | null,
  ): Promise<boolean | null> {
    if (isBlank(text)) return true;
    const query = { text: wellFormed(text), model: model.id };
    if (encoded(JSON.stringify(query)) > model.limits.bytes) return null;
    try {
      return !cannotRead(await api.tokens(query), model, before);
    } catch (error) {
      // It is told when the text is asked for.
      if (error instanceof Refused || error instanceof Unreachable) return null;
      throw error;
    }
  }

  return {
    async fit(texts, model, before) {
      if (before?.fingerprint === model.fingerprint) return { texts, unread: null };
      const unread = (await readable(texts, model, before)) === false;
      if (unread || isExample(texts, before, model))
        for (const old of aside)
          if (!same(old, texts) && (await readable(old, model, before))) {
            this.setAside(texts);
            return { texts: old, unread: null };
          }
      return { texts, unread: unread ? saidOf(model, exampleOf(model)) : null };
    },
    judge: (read, model, before) =>
      cannotRead(read, model, before) ? saidOf(model, exampleOf(model)) : null,
    setAside(texts) {
      aside = [texts, ...aside.filter((old) => !same(old, texts))].slice(0, KEPT);
    },
  };
}
