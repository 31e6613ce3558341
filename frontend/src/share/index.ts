/** What a view can be copied as. */
export const SHARES = [
  { kind: "link", label: "Copy link", hint: "opens exactly this view", copied: "Link copied: it opens exactly this view." }, // prettier-ignore
  { kind: "markdown", label: "Copy as Markdown", hint: "the text, linked to this view", copied: "Markdown copied." }, // prettier-ignore
  { kind: "curl", label: "Copy as curl", hint: "what was asked of the server, for a terminal", copied: "Command copied: it asks this server what the page asked." }, // prettier-ignore
  { kind: "python", label: "Copy as Python", hint: "the same, for a notebook", copied: "Python copied: it asks this server what the page asked." }, // prettier-ignore
] as const;

/** What is told beside a link to a page of one's own computer. */
export const LOCAL =
  "Only on this computer: others need a server that they can reach, or Export → HTML.";

/** Whether an address is of the computer itself. */
export const isLocal = ({ hostname }: Pick<Location, "hostname">): boolean =>
  /^(.*\.)?localhost$|^\[::1?\]$|^127(\.\d+){3}$|^0\.0\.0\.0$/.test(hostname);

export type ShareKind = (typeof SHARES)[number]["kind"];
