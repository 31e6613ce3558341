/** What counts as nothing typed. Pure. */

/** No token by themselves: what the server does not read, or takes for space where `\s` does not. */
// oxlint-disable-next-line no-control-regex
const UNREAD = /[\u001C-\u001F\u0085\u00AD\u200B\uFEFF]/g;

export const withoutUnread = (text: string): string => text.replace(UNREAD, "");

/** Whether a text has nothing in it that is read. */
export const isBlank = (text: string | null): boolean => !withoutUnread(text ?? "").trim();
