import { ApiError, Busy, Refused } from "./api";
import { isLong } from "./limits";
import type { Problem } from "./state";

/** What went wrong with a question about one of the texts, in words. */

/** The server has another network under the name of the model that is shown. */
export class Another extends Refused {
  constructor() {
    super("unknown_model", "The server has another model than the grid shows.", "model");
  }
}

const waiting = (message: string, kept: string): Problem => ({
  message,
  advice: `${kept} is kept. Trying again…`,
  retrying: true,
  ofText: false,
});
const [BUSY, GONE] = ["The server is busy.", "Can't reach the server."] as const;
/** Each sentence is one object: told again it is no news, and nothing is drawn anew. */
const OF_FIRST = { busy: waiting(BUSY, "What you typed"), gone: waiting(GONE, "What you typed") };
const OF_SECOND = {
  busy: waiting(BUSY, "The second text"),
  gone: waiting(GONE, "The second text"),
};

/** Why the server did not answer: told while it is asked again. */
export const unanswered = (error: unknown, second = false): Problem =>
  (second ? OF_SECOND : OF_FIRST)[error instanceof Busy ? "busy" : "gone"];

/** A refusal, and what to do about it. */
export const refused = (message: string, advice = "", ofText = true): Problem => ({
  message,
  advice,
  retrying: false,
  ofText,
});

/** The page's own sentences name the text that they are about. */
function messageOf(error: Refused, second: boolean): string {
  if (!second) return error.message;
  return error instanceof ApiError
    ? `The second text: ${error.message}`
    : error.message.replace("This text", "The second text");
}

/** Why a question has no answer. @param shorten - what to do about a text that is too long. */
export function problemOf(error: unknown, shorten: string, second = false): Problem {
  if (!(error instanceof Refused))
    return refused(
      `The page failed at ${second ? "the second" : "this"} text.`,
      "Reload to go on.",
    );
  // Of a pair it may be the first that is too long: that is told of the first.
  const first = error.field === "texts[0]";
  const long = isLong(error) && !first;
  const ofText = (second && !first) || long || error.field === "text";
  return refused(messageOf(error, second), long ? shorten : "", ofText);
}

/** Why a question beside the grid has no answer, in a sentence. */
export function failureSaid(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return error instanceof Busy ? BUSY : "The server did not answer.";
}
