/** Markup from values: every text is escaped once, here. Only what these make is taken as markup. */

export type Markup = string & { readonly markup: unique symbol };
export type Attributes = Readonly<Record<string, string | number | null>>;

/** What XML 1.0 cannot hold, lone surrogates among it. */
const UNFIT = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export const escaped = (text: string): Markup =>
  text.replace(UNFIT, "\uFFFD").replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c) as Markup;

/** Two decimals are a twentieth of a printed dot. */
const number = (n: number): string => String(Math.round(n * 100) / 100);

export function node(tag: string, attributes: Attributes, ...children: Markup[]): Markup {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, v]) => ` ${name}="${typeof v === "number" ? number(v) : escaped(v ?? "")}"`)
    .join("");
  const inner = children.join("");
  return (inner ? `<${tag}${written}>${inner}</${tag}>` : `<${tag}${written}/>`) as Markup;
}

export const NONE = "" as Markup;
export const joined = (parts: readonly Markup[]): Markup => parts.join("\n") as Markup;
