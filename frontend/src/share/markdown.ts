import { isBlank } from "../blank";
import { wellFormed } from "../format";

/** What has a meaning in the middle of a line of Markdown: CommonMark, and GitHub's additions. */
const SIGNS = /[\\`*_[\]<>&~$|]/g;

/** A text as one line, all of it literal. */
const literal = (text: string): string =>
  wellFormed(text).replace(/\s+/gu, " ").trim().replace(SIGNS, "\\$&");

/**
 * A link with the text as its words; of a comparison with both, of which the link itself has the second.
 * The address comes from URLSearchParams, which leaves no bracket, parenthesis or space in it.
 */
export function markdown(text: string, link: string): string {
  const compare = new URLSearchParams(new URL(link).hash.slice(1)).get("compare");
  const first = literal(text) || "Unrolled";
  return `[${first}${isBlank(compare) ? "" : ` compared with ${literal(compare ?? "")}`}](${link})`;
}
