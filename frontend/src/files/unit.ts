import type { AlongText } from "../state";
import type { ModelInfo } from "../types";
import { table } from "./csv";

/** The values of a unit along the text: a line for each timestep, figures unrounded. */

const HEADER =
  "text timestep token read kind layer unit value follows followed r model fingerprint".split(" ");

export function unitCsv({ unit, sides }: AlongText, model: ModelInfo): string {
  const { kind, layer } = unit;
  return table([
    HEADER,
    ...sides.flatMap(({ second, trace, answer, series }) =>
      trace.tokens.map((token, t) => [
        ...[second ? "second" : "first", t + 1, token.surface, token.word],
        ...[kind, layer, unit.unit + 1, answer.values[t]],
        ...[series.values ? series.name : null, series.values?.[t], answer.r],
        ...[model.id, trace.fingerprint],
      ]),
    ),
  ]);
}
