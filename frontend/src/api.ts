import type {
  Answer,
  CellQuery,
  Comparison,
  Inside,
  ModelInfo,
  ModelList,
  Pair,
  Query,
  TokensQuery,
  TokensRead,
  Trace,
  UnitLine,
  UnitQuery,
} from "./types";

/** A question that has no answer, and why, under the server's own codes and names of fields. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | null,
  ) {
    super(message);
  }
}

/** It was the server that refused. */
export class ApiError extends Refused {
  constructor(
    readonly status: number,
    code: string,
    message: string,
    field: string | null,
  ) {
    super(code, message, field);
  }
}

/** No answer, or an answer that is not the server's own: gone, starting, or behind a proxy. */
export class Unreachable extends Error {}

/** The server has too much to do, or was asked too often, and says when to ask again. */
export class Busy extends Unreachable {
  /** Milliseconds, somewhat more than it said: those who were refused must not come back as one. */
  readonly wait: number;

  constructor(seconds: number) {
    super("busy");
    this.wait = seconds * 1000 * (1 + Math.random());
  }
}

export interface Api {
  models(signal?: AbortSignal): Promise<ModelList>;
  model(id: string, signal?: AbortSignal): Promise<ModelInfo>;
  tokens(query: TokensQuery, signal?: AbortSignal): Promise<TokensRead>;
  trace(query: Query & { from: number }, signal?: AbortSignal): Promise<Trace>;
  cell(query: CellQuery, signal?: AbortSignal): Promise<Inside>;
  unit(query: UnitQuery, signal?: AbortSignal): Promise<UnitLine>;
  compare(pair: Pair, signal?: AbortSignal): Promise<Comparison>;
}

interface ErrorBody {
  error?: { code?: unknown; message?: unknown; field?: unknown };
}

/** The server is not behind its proxy, or still starting. */
const GONE = [502, 503, 504];
/** In words that are not the server's own: it is not there yet, or was asked too early or too often. */
const LATER = [404, 408, 425, 429];

async function call<T>(url: string, init: RequestInit): Promise<T> {
  try {
    const asked = { ...init, cache: "no-cache", credentials: "same-origin" } as const;
    const response = await fetch(url, asked);
    if (response.ok) return (await response.json()) as T;
    throw await failureOf(response);
  } catch (error) {
    if (init.signal?.aborted || error instanceof Refused || error instanceof Unreachable)
      throw error;
    throw new Unreachable("no answer", { cause: error });
  }
}

/** Of an answer of the server's; none in what is not. */
function errorIn(body: string): ErrorBody["error"] {
  try {
    return (JSON.parse(body) as ErrorBody | null)?.error;
  } catch {
    return undefined;
  }
}

/** Of what is no answer the status and the headers come first: a proxy writes a body of its own. */
async function failureOf(response: Response): Promise<Refused | Unreachable> {
  const { status, headers } = response;
  const after = Number(headers.get("Retry-After"));
  if ([429, 503].includes(status) && after > 0) return new Busy(after);
  if (GONE.includes(status)) return new Unreachable(`status ${status}`);
  // Cut short it is no answer at all.
  const error = errorIn(await response.text());
  if (typeof error?.message === "string") {
    const field = typeof error.field === "string" ? error.field : null;
    return new ApiError(status, String(error.code), error.message, field);
  }
  if (status === 413)
    return new Refused("body_too_large", "This text is too long for the server's proxy.", null);
  return status < 400 || status >= 500 || LATER.includes(status)
    ? new Unreachable(`status ${status}`)
    : new Refused("refused", `The server's proxy refused this question: status ${status}.`, null);
}

/** The body of a request: what the server's byte limit counts. */
export const bodyOf = (question: object): string => JSON.stringify(question);

/** Relative to the document, so that the page works under a sub-path. */
export const API = "api/v1/";

export function createApi(base = API): Api {
  const post = <T>(path: string, body: string, signal?: AbortSignal): Promise<T> =>
    call(`${base}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      signal: signal ?? null,
    });
  return {
    models: (signal) => call(`${base}models`, { signal: signal ?? null }),
    model: (id, signal) =>
      call(`${base}models/${encodeURIComponent(id)}`, { signal: signal ?? null }),
    tokens: (query, signal) => post("tokens", bodyOf(query), signal),
    async trace(query, signal) {
      const { from: _, ...asked } = query;
      return { ...(await post<Answer>("trace", bodyOf(query), signal)), asked };
    },
    cell: (query, signal) => post("cell", bodyOf(query), signal),
    unit: (query, signal) => post("unit", bodyOf(query), signal),
    compare: (pair, signal) => post("compare", bodyOf(pair), signal),
  };
}
