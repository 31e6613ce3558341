import { bits, count, decimal, valueSaid } from "../format";
import type { Order } from "../state/choices";
import type { Inside, Noun, Token } from "../types";
import type { Form, Row } from "./rows";

/** What is said of the inside of a cell, in words and figures. */

/** Beyond these a gate lets nearly all pass, or nearly nothing. */
const OPEN = 0.9;
const SHUT = 0.1;

/** What an open update gate lets through: a GRU is written with z for either. */
function openSaid(gate: Row["info"], cell: Row["info"] | undefined): string {
  if (gate.kind !== "update_gate" || cell?.kind !== "output_state") return "";
  // Of a network that reads in both directions, without its arrows.
  const equation = cell.equation.replace(/[\u20D6\u20D7]/gu, "");
  return equation.includes("(1 − z_t^u) ∘ h̃") ? ", where h stays" : ", where h is new";
}

function gateSaid({ info, values }: Row, cell: Row["info"] | undefined): string {
  const all = values ?? [];
  const open = all.filter((v) => v > OPEN).length;
  const shut = all.filter((v) => v < SHUT).length;
  return (
    `${info.symbol} is open (over ${OPEN}) in ${count(open)} of ${count(all.length)} units${openSaid(info, cell)}, ` +
    `shut (under ${SHUT}) in ${count(shut)}.`
  );
}

/** Which of l and s won in c = l + s: by units, and by what their encodings say. */
export function wonSaid({ won, operands: [long, short] }: Inside): string {
  if (!won || !long || !short) return "";
  const [l, s] = [long.divergence, short.divergence];
  const units = won.long_term + won.short_term + won.equal;
  const byUnits = Math.sign(won.long_term - won.short_term);
  // The nearer encoding, by the figures as they are told.
  const told = (divergence: number) => Number(divergence.toFixed(2));
  const byWords = l === null || s === null ? byUnits : Math.sign(told(s) - told(l));
  const sides = [
    { name: "l", full: "long-term memory", units: won.long_term, divergence: l },
    { name: "s", full: "short-term memory", units: won.short_term, divergence: s },
  ];
  if (byUnits < 0 || (byUnits === 0 && byWords < 0)) sides.reverse();
  const [first, second] = sides;
  if (!first || !second) return "";
  const verdict =
    byUnits * byWords > 0
      ? `The ${first.full} won`
      : byUnits * byWords < 0
        ? "Divided: one is larger, the other is nearer to what c says"
        : byUnits
          ? `Neither is nearer to what c says; the ${first.full} is larger`
          : byWords
            ? `Even in units; the ${first.full} is nearer to what c says`
            : "Even";
  const equal = won.equal ? `, equal in ${count(won.equal)}` : "";
  const larger = `${first.name} is larger in ${count(first.units)} of ${count(units)} units, ${second.name} in ${count(second.units)}${equal}`;
  const says = sides
    .filter((side) => side.divergence !== null)
    .map(({ name, divergence }, i) => {
      const away = `${bits(divergence ?? 0, 2)}${i ? "" : " from what c says"}`;
      return `${i ? "w" : "W"}hat ${name} says ${i ? "" : "is "}${away}`;
    })
    .join(", ");
  return `${verdict}: ${larger}. ${says}.`;
}

/** The sentence under the equation. */
export function said(
  form: Form,
  token: Token,
  rows: readonly Row[],
  inside: Inside,
  noun: Noun = "word",
): string {
  switch (form) {
    case "sum":
      return wonSaid(inside);
    case "looked up":
      return `Nothing is computed here: x is the row of the embedding table for “${token.word}”. It has no operands.`;
    case "output": {
      const read = rows.map(({ info }) => info.symbol).join(" and ");
      const rest = rows.length > 1 ? "these, each in an order of its own" : read;
      return `y has no vector of its own: it is what the decoder makes of ${read}, a probability for each ${noun}. So there is no inside but ${rest}.`;
    }
    default: {
      const gate = rows.find(({ info }) => info.gate);
      return gate ? gateSaid(gate, rows.find((row) => row.own)?.info) : "";
    }
  }
}

/** Of an operand, in how many units it contributes more than any other of those that are added. */
export const largerSaid = ({ term }: Pick<Row, "term">, units: number | null, added: number) =>
  units === null
    ? ""
    : `${term ? "its term " : ""}${added > 2 ? "largest" : "larger"} in ${count(units)} units`;

/** In which order the strips are, for the eye that wonders; `added`: of how many it is known what they add. */
export function orderSaid(order: Order, form: Form, added: number): string {
  if (order === "unit") return "Units stand in the network's own order.";
  if (order === "value")
    return `Sorted by the value of ${form === "output" ? "h" : "the cell"}, largest first.`;
  if (form === "sum") return "Sorted by |l| − |s|: first where l is larger, last where s is.";
  return form === "weighted" && added
    ? `Sorted from where the first term is larger ${added > 2 ? "than the others to where another" : "to where the second"} is.`
    : "Sorted by size, whatever the sign: first what contributes most.";
}

/** A figure of a unit, with what stands before it in the equation. */
export interface Part {
  before: string;
  symbol: string;
  layer: number | null;
  value: string;
}

/** A unit in each vector whose units are the cell's, as the equation joins them. */
export function readUnit(unit: number, rows: readonly Row[], bias: Inside["bias"]): Part[] {
  const part = (before: string, { info }: Pick<Row, "info">, values: readonly number[] | null) => ({
    before,
    symbol: info.symbol,
    layer: info.layer,
    value: valueSaid(values?.[unit] ?? 0),
  });
  const terms = rows.filter(({ term }) => term);
  const own = rows.filter((row) => row.aligned && row.values);
  const [cell] = own;
  if (!bias || !terms.length || !cell)
    return own.map((row) => part(`${row.sign} ${row.through}`.trim(), row, row.values));
  // A pre-activation is the sum itself.
  const squash = /= (σ|tanh)\(/u.exec(cell.info.equation)?.[1];
  return [
    ...terms.map((row, at) => part(at ? "+ W" : squash ? `${squash}( W` : "W", row, row.term)),
    { before: "+", symbol: "b", layer: null, value: valueSaid(bias[unit] ?? 0) },
    part(squash ? ") =" : "=", cell, cell.values),
  ];
}

/** The same as a sentence to speak; `place` counts from 1. */
export function unitSaid(unit: number, place: number, parts: readonly Part[]): string {
  const figures = parts.map(({ before, symbol, value }) => `${before} ${symbol} ${value}`.trim());
  return `unit ${unit + 1}, place ${place}: ${figures.join(" ")}`;
}

function inkSaid(form: Form, added: number): string {
  if (form === "sum") return " Full ink: the larger of l and s; the other is grey.";
  if (form !== "weighted") return "";
  const ink = ` In the cell's strip, full ink: the term of the first operand is larger${
    added > 2 ? " than the others; grey: it is not" : "; grey: that of the second is"
  }.`;
  return `${added ? ink : ""} The operands' strips have orders of their own.`;
}

/** How the strips are to be read. */
export function stripsSaid(
  units: number,
  room: number,
  scale: number,
  form: Form,
  added: number,
): string {
  const all = `${count(units)} units, all strips on one scale: their edge is ±${decimal(scale)}.`;
  const each = Math.ceil(units / Math.max(1, room));
  const shared =
    units > room
      ? ` ${count(Math.floor(room))} pixels have up to ${each} units each: a bar goes from the least to the greatest of them.`
      : "";
  return all + shared + inkSaid(form, added);
}
