import { classesOf, ownId, OWN_LIMITS, refused } from "../colour/own";
import { coloursOf, nameOfPreset, recolour } from "../colour/palette";
import { isHex } from "../colour/rgb";
import type { Colouring } from "../state/view";
import type { ModelInfo, OwnClass } from "../types";
import { record } from "./shape";

/** A palette as a file: every colour in force, and the classes of one's own with theirs. */

const FORMAT = "unrolled-palette";
const VERSION = 1;

export function savePalette(model: ModelInfo, view: Colouring): string {
  const all = classesOf(model, view.classes);
  const colours = coloursOf(
    all.map((c) => c.id),
    model.palettes,
    view,
  );
  const file = {
    format: FORMAT,
    version: VERSION,
    preset: view.palette || (model.palettes[0]?.id ?? ""),
    colours: Object.fromEntries(model.classes.map(({ id }) => [id, colours.get(id)])),
    classes: view.classes.map((own, i) => ({
      ...own,
      colour: colours.get(ownId(i)),
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

export interface SavedPalette {
  preset: string;
  colours: ReadonlyMap<string, string>;
  classes: readonly (OwnClass & { colour: string })[];
}

/** What is wrong with a field of the file. */
class Wrong extends Error {}

const COLOUR = "is not a colour such as #4e79a7";

function colourAt(name: string, value: unknown): string {
  if (typeof value !== "string" || !isHex(value)) throw new Wrong(`“${name}” ${COLOUR}`);
  return value.toLowerCase();
}

function classAt(name: string, value: unknown): OwnClass & { colour: string } {
  const has = record(value);
  if (!has) throw new Wrong(`“${name}” is not an object`);
  if (typeof has.name !== "string" || !has.name.trim())
    throw new Wrong(`“${name}.name” is not a name`);
  const { words } = has;
  if (!Array.isArray(words) || !words.every((w) => typeof w === "string" && /^\S+$/u.test(w)))
    throw new Wrong(`“${name}.words” is not a list of words`);
  const own = { name: has.name.trim(), words: words as string[] };
  const why = refused(own);
  if (why) throw new Wrong(`“${name}”: ${why.replace(/\.$/, "")}`);
  return { ...own, colour: colourAt(`${name}.colour`, has.colour) };
}

function fileIn(text: string): Record<string, unknown> | null {
  try {
    const file = record(JSON.parse(text));
    return file?.format === FORMAT ? file : null;
  } catch {
    return null;
  }
}

/**
 * Null for what is no palette at all. Nothing of the file is trusted: the first field that is not as
 * it must be is named.
 */
export function readPalette(text: string): SavedPalette | { problem: string } | null {
  // A palette is small; a saved answer is not read twice.
  const file = text.length < 2 ** 18 ? fileIn(text) : null;
  if (!file) return null;
  const { version, preset, colours, classes } = file;
  const table = record(colours);
  try {
    if (version !== VERSION) throw new Wrong(`“version” is not ${VERSION}`);
    if (typeof preset !== "string") throw new Wrong("“preset” is not the name of a preset");
    if (!table) throw new Wrong("“colours” is not a table of colours");
    if (!Array.isArray(classes) || classes.length > OWN_LIMITS.classes)
      throw new Wrong(`“classes” is not a list of at most ${OWN_LIMITS.classes} classes`);
    return {
      preset,
      colours: new Map(
        Object.entries(table).map(([id, colour]) => [
          id,
          colourAt(`colours.${id.slice(0, 40)}`, colour),
        ]),
      ),
      classes: classes.map((own, i) => classAt(`classes[${i}]`, own)),
    };
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.message };
    throw error;
  }
}

/** What it is on a model: changes to the preset, where the model has it. What it lacks is told. */
export function appliedTo(
  model: ModelInfo,
  { preset, colours, classes }: SavedPalette,
): { colouring: Colouring; notices: string[] } {
  const ids = new Set(model.classes.map((c) => c.id));
  let choice: Pick<Colouring, "palette" | "colours"> = {
    palette: nameOfPreset(model.palettes, preset),
    colours: new Map(),
  };
  for (const [id, colour] of colours)
    if (ids.has(id)) choice = recolour(model.palettes, choice, id, colour);
  classes.forEach(({ colour }, i) => {
    choice = recolour(model.palettes, choice, ownId(i), colour);
  });
  const strange = [...colours.keys()].filter((id) => !ids.has(id)).map((id) => id.slice(0, 40));
  const own = classes.map(({ name, words }) => ({ name, words }));
  return {
    colouring: { ...choice, classes: own },
    notices: strange.length
      ? [`Colours for classes that this model does not have were left out: ${strange.slice(0, 5).join(", ")}.`] // prettier-ignore
      : [],
  };
}
