import type { Compared } from "./alignment";
import { isBlank } from "./blank";
import { coloursOf } from "./colour/palette";
import { drawFigure } from "./figure";
import { drawAlong } from "./figure/along";
import { inkOf } from "./figure/ink";
import type { Figure } from "./figure/sheet";
import { drawPerplexities } from "./figure/perplexities";
import type { FileKind, UnitFileKind } from "./files";
import { csv } from "./files/csv";
import { html, popupCells } from "./files/html";
import { fileName } from "./files/names";
import { appliedTo, readPalette, savePalette } from "./files/palette";
import { fits, readSaved, save } from "./files/saved";
import { unitCsv } from "./files/unit";
import { columnsOf } from "./columns";
import { comparisonOf } from "./partings";
import { download, png, pictureScale } from "./picture";
import { answers, queryOf } from "./question";
import { type AlongText, type State, TRANSIENT } from "./state";
import { reconcile } from "./state/reconcile";
import { type Colouring, DEFAULT_VIEW, type View } from "./state/view";
import { type Part, selectionOf } from "./selection";
import { standalone } from "./standalone";
import type { ModelInfo } from "./types";
import { sidesNow } from "./unitline/asked";
import { parse, serialise } from "./url";

/** What is seen, as a file, and back. Whatever goes wrong is told in words. */

const MEGABYTES = 64;
const CSV_TYPE = "text/csv;charset=utf-8";

/** What is saved, and what there is to say about it. */
interface Made {
  blob: Blob;
  note: string;
}

/** Both texts as they are seen. What is seen of two must be of these two: else it is told. */
function comparedOf(state: State, model: ModelInfo): Compared | null {
  const { view, second } = state;
  if (view.compare === null || isBlank(view.compare)) return null;
  const comparison = comparisonOf(state);
  if (!second || !comparison || !answers(second, { ...view, text: view.compare }, model))
    throw new Error("The two texts are not compared yet: save them when they are.");
  return { second, comparison };
}

/** The first text alone: nothing of the view is of a second. */
const alone = (view: View): View => ({
  ...view,
  compare: null,
  pins: view.pins.filter((cell) => !cell.second),
  inside: view.inside?.second ? null : view.inside,
});

/** What is saved where the two texts are not compared and will not be: the first, and why. */
function unpairedOf({ view, unpaired }: State): { view: View; note: string } | null {
  if (isBlank(view.compare) || !unpaired || unpaired.retrying) return null;
  return { view: alone(view), note: ` It has the first text alone. ${unpaired.message}` };
}

async function pictured(kind: "svg" | "png", { svg, width, height }: Figure): Promise<Made> {
  if (kind === "svg") return { blob: new Blob([svg], { type: "image/svg+xml" }), note: "" };
  const scale = pictureScale(width, height);
  const blob = await png(svg, width, height, scale);
  const note = scale < 2 ? ` At ${scale} times its size: larger, browsers cannot draw it.` : "";
  return { blob, note };
}

/** Saves what is made under a name; answers what to tell. */
async function saved(name: string, making: Promise<Made>): Promise<string> {
  try {
    const { blob, note } = await making;
    download(blob, name);
    return `Saved ${name}.${note}`;
  } catch (error) {
    return error instanceof Error ? error.message : "It could not be saved.";
  }
}

/** The line of the unit that is seen, of the texts that are saved. One that answers something else is told. */
function lineOf(state: State): AlongText | null {
  const { view, line } = state;
  if (!view.unit || line?.problem) return null;
  const sides = sidesNow(line, state);
  if (!line || !sides)
    throw new Error("The unit's line does not show what is chosen yet: save it when it does.");
  return { ...line, sides };
}

async function made(kind: FileKind, seen: State, width: number, part: Part): Promise<Made> {
  const first = unpairedOf(seen);
  const state = first ? { ...seen, view: first.view } : seen;
  const note = first?.note ?? "";
  const { trace, model, view, dark } = state;
  if (!trace?.tokens.length || !model) throw new Error("There is nothing to save yet.");
  if (!answers(trace, view, model))
    throw new Error("The grid does not show this text yet: save it when it does.");
  const compared = comparedOf(state, model);
  const answer = { view: serialise(view), model, trace, ...compared };
  // All of it, to be opened again: of a part there is none.
  const file = (text: string, type: string) => ({ blob: new Blob([text], { type }), note });
  if (kind === "json") return file(save(answer), "application/json");
  const selection = selectionOf(trace, model, view, part, compared);
  if (!selection.lines.length)
    throw new Error("No cell of this text is pinned: click the cells to be saved.");
  const colours = coloursOf(trace.classes, model.palettes, view);
  if (kind === "csv") return file(csv(trace, model, selection, colours, compared), CSV_TYPE);
  const line = part === "pinned" ? null : lineOf(state);
  const figure = drawFigure({ trace, compared, model, view, dark, width, part, line });
  if (kind === "png" || kind === "svg") {
    const picture = await pictured(kind, figure);
    return { ...picture, note: `${note}${picture.note}` };
  }
  const cells = popupCells(trace, model, selection, colours, view.scale, compared);
  const page = { svg: figure.svg, title: view.text, cells, script: standalone.toString() };
  return file(html({ ...page, colours: inkOf(dark) }), "text/html;charset=utf-8");
}

/** Saves the view as a file, and answers what to tell. */
export const saveAs = (
  kind: FileKind,
  state: State,
  width: number,
  part: Part = "seen",
): Promise<string> => saved(fileName(state.view.text, kind), made(kind, state, width, part));

/** Saves a picture that a component has drawn, under a name of these words; answers what to tell. */
export const saveFigure = (kind: "svg" | "png", figure: Figure, words: string): Promise<string> =>
  saved(fileName(words, kind), pictured(kind, figure));

/** Saves the line of the unit that is seen; `room`: how wide it stands. Answers what to tell. */
export function saveUnit(kind: UnitFileKind, state: State, room: number): Promise<string> {
  const making = async (): Promise<Made> => {
    const { model, dark } = state;
    const line = lineOf(state);
    if (!line?.sides.length || !model) throw new Error("There is no line to save.");
    if (kind === "csv")
      return { blob: new Blob([unitCsv(line, model)], { type: CSV_TYPE }), note: "" };
    return pictured(kind, drawAlong(line, model, room, dark));
  };
  const { unit } = state.view;
  const name = unit ? `${unit.kind} ${unit.layer} unit ${unit.unit + 1}` : "unit";
  return saved(fileName(name, kind), making());
}

/** Saves the chart of perplexities; answers what to tell. */
export function savePerplexities({ model, view, dark }: State): string {
  if (!model) return "There is nothing to save yet.";
  const columns = columnsOf(model, model.columns, view);
  const { svg } = drawPerplexities({ model, columns, view, dark });
  const name = fileName(`perplexity ${model.id} ${view.semantic}`, "svg");
  download(new Blob([svg], { type: "image/svg+xml" }), name);
  return `Saved ${name}.`;
}

/** Saves the colours in force and the classes of one's own; answers what to tell. */
export function saveColours({ model, view }: State): string {
  if (!model) return "There is nothing to save yet.";
  const name = fileName(`palette ${view.palette || (model.palettes[0]?.id ?? "")}`, "json");
  download(new Blob([savePalette(model, view)], { type: "application/json" }), name);
  return `Saved ${name}.`;
}

/** What a file restores: a whole view with its answer, or the colours alone. */
export type Opened = Partial<State> & { colouring?: Colouring };

/** What a file restores; or only a notice, when it cannot be trusted. */
export async function openFile(
  file: Blob & { name: string },
  here: ModelInfo | null,
): Promise<Opened> {
  const refused = (why: string) => ({ notices: [`“${file.name}” could not be opened: ${why}.`] });
  if (file.size > MEGABYTES * 2 ** 20) return refused(`it is larger than ${MEGABYTES} MB`);
  let text: string;
  try {
    text = await file.text();
  } catch {
    return refused("it could not be read");
  }
  const palette = readPalette(text);
  if (palette) {
    if ("problem" in palette) return refused(palette.problem);
    return here ? appliedTo(here, palette) : refused("the model is still on its way");
  }
  const read = readSaved(text);
  if ("problem" in read) return refused(read.problem);
  const { model, comparison = null } = read;
  const { view, notices } = parse(read.view);
  const fitted = reconcile({ ...DEFAULT_VIEW, ...view }, model);
  if (!fits(fitted.view, read)) return refused("its view and its figures differ");
  const asked = queryOf(fitted.view, model);
  return {
    ...TRANSIENT,
    view: fitted.view,
    model,
    trace: { ...read.trace, asked },
    second: read.second
      ? { ...read.second, asked: { ...asked, text: fitted.view.compare ?? "" } }
      : null,
    comparison,
    unpaired: null,
    notices: [...notices, ...fitted.notices],
    problem: null,
  };
}
