import { NO_COLOUR } from "./rgb";
import type { Palette } from "../types";
import { ownColour } from "./own";

/** A preset and the changes made to it: class id → colour. */
export interface PaletteChoice {
  /** Empty: the model's default, its first preset. */
  palette: string;
  colours: ReadonlyMap<string, string>;
}

export const presetOf = (palettes: readonly Palette[], id: string): Palette | undefined =>
  palettes.find((p) => p.id === id) ?? palettes[0];

/** A preset's name in a view: the default is left unsaid, as in a link, and so is one that there is not. */
export const nameOfPreset = (palettes: readonly Palette[], id: string): string =>
  palettes.slice(1).some((p) => p.id === id) ? id : "";

const presetColours = (palettes: readonly Palette[], { palette }: PaletteChoice) =>
  new Map(Object.entries(presetOf(palettes, palette)?.colours ?? {}));

/** Class id → colour in force. A Map, so that no class name can reach a prototype. */
export function coloursOf(
  classes: readonly string[],
  palettes: readonly Palette[],
  choice: PaletteChoice,
): Map<string, string> {
  const preset = presetColours(palettes, choice);
  return new Map(
    classes.map((id) => [
      id,
      (choice.colours.get(id) ?? preset.get(id) ?? ownColour(id) ?? NO_COLOUR).toLowerCase(),
    ]),
  );
}

/** The changes with one more; a change back to the preset's colour is no change. */
export function recolour(
  palettes: readonly Palette[],
  choice: PaletteChoice,
  id: string,
  colour: string,
): PaletteChoice {
  const preset = presetColours(palettes, choice);
  const colours = new Map(choice.colours);
  if ((preset.get(id) ?? ownColour(id))?.toLowerCase() === colour.toLowerCase()) colours.delete(id);
  else colours.set(id, colour.toLowerCase());
  return { palette: choice.palette, colours };
}

/**
 * A class on its own again: its preset's colour, or the default's where the preset shares it. One that
 * has that colour already has it alone again: the classes that were given it get their own back.
 */
export function separate(
  palettes: readonly Palette[],
  choice: PaletteChoice,
  id: string,
): PaletteChoice {
  const alone = withOwnColour(palettes, choice, id);
  const colour = (of: PaletteChoice) => coloursOf([id], palettes, of).get(id);
  if (colour(alone) !== colour(choice)) return alone;
  return [...choice.colours]
    .filter(([other, given]) => other !== id && given === colour(choice))
    .reduce((now, [other]) => withOwnColour(palettes, now, other), choice);
}

function withOwnColour(
  palettes: readonly Palette[],
  choice: PaletteChoice,
  id: string,
): PaletteChoice {
  const preset = presetColours(palettes, choice);
  const own = preset.get(id);
  const shared = [...preset].some(([other, colour]) => other !== id && colour === own);
  const plain = new Map(Object.entries(palettes[0]?.colours ?? {})).get(id);
  return recolour(palettes, choice, id, (shared ? plain : own) ?? ownColour(id) ?? NO_COLOUR);
}

/**
 * What classes of one colour are called together, where a preset has a name for them: it must have
 * given that colour to each of them itself.
 */
export function groupName(
  palettes: readonly Palette[],
  colour: string,
  classes: readonly string[],
): string | null {
  if (classes.length < 2) return null;
  const named = palettes.find(({ colours, groups }) => {
    const own = new Map(Object.entries(colours));
    return (
      new Map(Object.entries(groups ?? {})).has(colour) &&
      classes.every((id) => own.get(id) === colour)
    );
  });
  return new Map(Object.entries(named?.groups ?? {})).get(colour) ?? null;
}

/** Two classes of one colour are one class to the eye and to the rectangle's arithmetic. */
export function firstOfColour(id: string, colours: ReadonlyMap<string, string>): string {
  const colour = colours.get(id);
  for (const [other, c] of colours) if (c === colour) return other;
  return id;
}
