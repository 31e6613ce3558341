import { wellFormed } from "../format";

/** What has a meaning in the middle of a line of Markdown: CommonMark, and GitHub's additions. */
const SIGNS = /[\\`*_[\]<>&~$|]/g;

/**
 * A link with the text as its words, all of it literal. The address comes from URLSearchParams, which
 * leaves no bracket, parenthesis or space in it.
 */
export function markdown(text: string, link: string): string {
  const line = wellFormed(text).replace(/\s+/gu, " ").trim() || "Unrolled";
  return `[${line.replace(SIGNS, "\\$&")}](${link})`;
}
