import { infoOf } from "./columns";
import { type Api, ApiError, bodyOf, Refused } from "./api";
import { count } from "./format";
import { bothLong, encoded, longSaid } from "./limits";
import { createReading } from "./reading";
import { Another } from "./problems";
import type { State } from "./state";
import {
  type ModelInfo,
  type ModelSummary,
  ofLabels,
  type Query,
  type Semantic,
  type TokensQuery,
  type TokensRead,
  unitOf,
} from "./types";

/**
 * The API, asked nothing that it is known to refuse: such a question fails here, in a sentence. What
 * only the server can know (how many tokens a text has, whether a word is one) is asked of it first,
 * where it is open. Whether a question hangs together is up to who asks.
 */
export function createGuard(api: Api, state: () => Pick<State, "model">): Api {
  const reading = createReading();
  let listed: readonly ModelSummary[] | null = null;
  /** Models as this server described them last: the page may show one of a file. */
  const described = new Map<string, ModelInfo>();
  /** By network and word. */
  const watchable = new Map<string, boolean>();

  async function describe(id: string, signal?: AbortSignal): Promise<ModelInfo> {
    if (listed && !listed.some((model) => model.id === id))
      throw new Refused("unknown_model", `This server has no model “${id}”.`, "model");
    const model = await api.model(id, signal);
    described.set(id, model);
    return model;
  }

  /** The model that the server has for a question. */
  async function served(
    question: { model: string; semantic?: Semantic },
    signal?: AbortSignal,
  ): Promise<ModelInfo> {
    const { model: id, semantic } = question;
    const model = described.get(id) ?? (await describe(id, signal));
    const shown = state().model;
    if (shown?.id === id && shown.fingerprint !== model.fingerprint) throw new Another();
    if (semantic && !model.semantics.includes(semantic))
      throw new Refused("semantic_unavailable", `This model has no encoding for “${semantic}”.`, "semantic"); // prettier-ignore
    const [bytes, limit] = [encoded(bodyOf(question)), model.limits.bytes];
    if (bytes > limit)
      throw new Refused("body_too_large", longSaid("This question is", `${count(bytes)} bytes`, limit), null); // prettier-ignore
    return model;
  }

  /** Null where the server does not know the question, or refuses it: it will say so of the next. */
  async function read(
    query: TokensQuery,
    { fingerprint }: ModelInfo,
    signal?: AbortSignal,
  ): Promise<TokensRead | null> {
    try {
      const answer = await api.tokens(query, signal);
      reading.learn(fingerprint, query.text, answer.tokens);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }

  /** How many tokens a text has; where that is certainly within the limit, the most it can have. */
  async function counted(
    query: TokensQuery,
    limit: number,
    of: ModelInfo,
    signal?: AbortSignal,
  ): Promise<number> {
    const { model, text, watch } = query;
    const known = reading.count(of.fingerprint, text);
    const word = JSON.stringify([of.fingerprint, watch]);
    const unknown = watch !== undefined && !watchable.has(word);
    if (!unknown && (known.exactly || known.tokens <= limit)) return known.tokens;
    const answer = await read({ model, text, ...(unknown ? { watch } : {}) }, of, signal);
    if (unknown && answer) watchable.set(word, answer.watch !== null);
    return answer?.count ?? 0;
  }

  async function fits(
    { model: id, text, watch }: Pick<Query, "model" | "text" | "watch">,
    model: ModelInfo,
    signal?: AbortSignal,
  ): Promise<void> {
    const { limits, semantics, classes } = model;
    const asked = { model: id, text, ...(watch === undefined ? {} : { watch }) };
    const tokens = await counted(asked, limits.tokens, model, signal);
    if (tokens > limits.tokens) {
      const said = longSaid("This text is", `${count(tokens)} tokens`, limits.tokens);
      throw new Refused("too_many_tokens", said, "text");
    }
    if (watchable.get(JSON.stringify([model.fingerprint, watch])) !== false) return;
    const why = semantics.some((semantic) => ofLabels({ semantic }))
      ? `its labels are ${classes.map((c) => c.id).join(", ")}`
      : `this model reads it as several ${unitOf(model)}s, or as none`;
    throw new Refused("invalid_field", `“${watch ?? ""}” cannot be watched: ${why}.`, "watch");
  }

  return {
    async models(signal) {
      const answer = await api.models(signal);
      listed = answer.models;
      return answer;
    },
    model: describe,
    tokens: (query, signal) => api.tokens(query, signal),
    async trace(query, signal) {
      const model = await served(query, signal);
      await fits(query, model, signal);
      const answer = await api.trace(query, signal);
      reading.learn(answer.fingerprint, query.text, answer.tokens);
      return answer;
    },
    async cell(query, signal) {
      await fits(query, await served(query, signal), signal);
      return api.cell(query, signal);
    },
    async unit(query, signal) {
      const model = await served(query, signal);
      await fits(query, model, signal);
      const column = infoOf(model, query);
      if (!column) throw new Refused("invalid_field", "The model has no such kind.", "kind");
      const { units } = column;
      if (typeof units === "number" && query.unit >= units)
        throw new Refused("out_of_range", `This kind has ${count(units)} units.`, "unit");
      return api.unit(query, signal);
    },
    async compare(pair, signal) {
      const model = await served(pair, signal);
      const { limits, fingerprint } = model;
      const most = pair.texts.map((text) => reading.count(fingerprint, text).tokens);
      if (most.reduce((sum, tokens) => sum + tokens, 0) > limits.tokens) {
        const exactly = (text: string) => counted({ model: pair.model, text }, 0, model, signal);
        const first = await exactly(pair.texts[0]);
        if (first > limits.tokens)
          throw new Refused("too_many_tokens", longSaid("The first text is", `${count(first)} tokens`, limits.tokens), "texts[0]"); // prettier-ignore
        const sum = first + (await exactly(pair.texts[1]));
        if (sum > limits.tokens)
          throw new Refused("too_many_tokens", bothLong(`${count(sum)} tokens`, limits.tokens), "texts[1]"); // prettier-ignore
      }
      return api.compare(pair, signal);
    },
  };
}
