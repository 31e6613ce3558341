import { type Compared, domainOn } from "../alignment";
import { factLines, factsOf, whereOf } from "../describe";
import { finerProbability, mathRuns, type MathRun } from "../format";
import { lengthOf } from "../scale";
import type { Selection } from "../selection";
import { ofText } from "../state/cells";
import type { Scale } from "../state/choices";
import type { ModelInfo, Trace } from "../types";

/** One file that works from disk: the figure, what its popup says, and the script that shows it. */

export interface PopupCell {
  title: string;
  where: string;
  equation: MathRun[];
  /** Word, percentage, part of a full bar, colour. */
  bars: [string, string, number, string][];
  facts: [string, string][];
}

/** Row by row, the columns in view under their index; what is hidden is not in the file. */
export type PopupCells = Record<string, PopupCell>[];

export function popupCells(
  trace: Trace,
  model: ModelInfo,
  { lines, columns, has }: Selection,
  colours: ReadonlyMap<string, string>,
  scale: Scale,
  compared: Compared | null = null,
): PopupCells {
  const domain = domainOn(trace, lines, columns, scale, compared?.second, has);
  const of = (second: boolean) =>
    Array.from<unknown, Record<string, PopupCell>>(
      (second ? compared?.second : trace)?.tokens ?? [],
      () => ({}),
    );
  // Those of the second text come after all of the first.
  const sides = [of(false), of(true)] as const;
  for (const { t, second, step } of lines) {
    const told = second && compared ? compared.second : trace;
    for (const { kind, layer, index } of columns) {
      const cell = { t, kind, layer, ...ofText(second) };
      const parting = step?.bits?.[index] ?? null;
      const facts = has(cell) ? factsOf(told, model, colours, cell, null, parting) : null;
      const place = sides[second ? 1 : 0][t];
      if (!facts || !place) continue;
      const full = domain ?? facts.bars[0]?.p ?? 1;
      const text = second ? " of the second text" : "";
      place[index] = {
        title: `${facts.token} · ${facts.name}`,
        where: `timestep ${t + 1}${text}, ${whereOf(facts.cell)}`,
        equation: mathRuns(facts.equation),
        bars: facts.bars.map(({ word, p, colour }) => [
          word,
          finerProbability(p),
          lengthOf(p, full, scale),
          colour,
        ]),
        facts: factLines(facts, told),
      };
    }
  }
  return sides.flat();
}

const STYLE = `
body { margin: 0; font: 12px/1.35 Inter, "Helvetica Neue", Helvetica, Arial, sans-serif; }
#figure { overflow: auto; }
#figure svg { display: block; }
g.on > rect:first-of-type { stroke: currentColor; stroke-width: 4; }
#popup { position: fixed; width: 276px; box-sizing: border-box; padding: 11px 13px 12px;
  border: 1px solid #8886; border-radius: 9px; box-shadow: 0 10px 30px #0003; pointer-events: none; }
#popup[hidden] { display: none; }
#popup h1 { margin: 0 0 1px; font-size: 12.5px; }
#popup p { margin: 0 0 2px; font-size: 11px; opacity: .75; }
#popup p.math { margin: 0 0 8px; font: italic 15px/1.6 "STIX Two Math", "Cambria Math", Georgia, serif; opacity: 1; }
#popup sub, #popup sup { font-size: .68em; font-style: normal; line-height: 0; }
#popup div { display: grid; grid-template-columns: 82px 1fr 52px; gap: 7px; align-items: center; }
#popup div span { overflow: hidden; text-overflow: ellipsis; white-space: pre; }
#popup div i { height: 9px; border-radius: 2px; box-shadow: inset 0 0 0 1px #8886; }
#popup div q { quotes: none; text-align: right; opacity: .75; }
#popup dl { display: grid; grid-template-columns: auto auto; gap: 1px 10px; margin: 9px 0 0; font-size: 11px; }
#popup dt { opacity: .75; }
#popup dd { margin: 0; text-align: right; }
@media print { #popup { display: none; } }
`;

/** JSON inside a script element: no "<" of the data can end it, and what JSON allows stays JSON. */
export const inert = (data: unknown): string => JSON.stringify(data).replaceAll("<", "\\u003c");

export interface Standalone {
  /** Escaped markup of the figure. */
  svg: string;
  title: string;
  cells: PopupCells;
  /** The source of a function without arguments. */
  script: string;
  colours: { paper: string; ink: string; cell: string };
}

export function html({ svg, title, cells, script, colours: { paper, ink, cell } }: Standalone) {
  const name = title.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${name}</title>
<style>${STYLE}body { background: ${paper}; color: ${ink}; } #popup { background: ${cell}; }
</style>
</head>
<body>
<main id="figure" tabindex="0" aria-label="Hidden states: arrow keys move from cell to cell">
${svg}
</main>
<div id="popup" role="status" hidden></div>
<script type="application/json" id="cells">${inert(cells)}</script>
<script>(${script.replaceAll("</script", "<\\/script")})();</script>
</body>
</html>
`;
}
