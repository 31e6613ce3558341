import { ownId, withoutOwn } from "./colour/own";
import { coloursOf, nameOfPreset, recolour, separate } from "./colour/palette";
import { type Colouring, type ColourStep, DEFAULT_VIEW, type View } from "./state/view";
import type { Store } from "./store";
import type { OwnClass } from "./types";
import { followIn } from "./unitline/series";

/** What a person does to the colours, each a step that can be taken back. */
export interface ColourEditor {
  colour: (id: string, colour: string) => void;
  /** Gives a class the colour of another; with null its own again. */
  merge: (id: string, into: string | null) => void;
  /** A class of one's own as it is to be, under its number; with null it is removed. */
  own: (index: number, edited: OwnClass | null, colour: string) => void;
  preset: (palette: string) => void;
  reset: () => void;
  undo: () => void;
  /** Colours from a file: a step of its own, however soon it follows another. */
  open: (colouring: Colouring) => void;
}

const STEPS = 50;
/**
 * Milliseconds within which changes of ONE class's colour are one step: a drag through the colour picker
 * is a hundred.
 */
const DRAG = 600;

const alike = (a: Colouring, b: Colouring): boolean =>
  a.palette === b.palette &&
  a.classes === b.classes &&
  a.colours.size === b.colours.size &&
  [...a.colours].every(([id, colour]) => b.colours.get(id) === colour);

export function createColouring(
  store: Store,
  change: (patch: Partial<View>) => void,
): ColourEditor {
  /** The class whose colour was changed last, and when; null after any other step. */
  let last: { id: string; at: number } | null = null;
  /** Whether a change goes on with the last one, and is no step of its own. */
  function drags(id: string | null): boolean {
    const dragged = last;
    const now = Date.now();
    last = id === null ? null : { id, at: now };
    return dragged !== null && dragged.id === id && now - dragged.at < DRAG;
  }
  /** What is followed once a choice is made. */
  function followed(choice: Partial<Colouring>): string {
    const { follow, classes } = store.get().view;
    return choice.classes ? followIn(follow, classes, choice.classes) : follow;
  }
  /** @param coloured - the class of which nothing but the colour is chosen: that may be a drag. */
  function edit(choice: Partial<Colouring>, coloured: string | null = null): void {
    const { view, undo } = store.get();
    const { palette, colours, classes } = view;
    const now = { palette, colours, classes };
    if (alike(now, { ...now, ...choice })) return; // there would be nothing to take back
    const dragging = drags(coloured) && undo.length > 0;
    const follow = followed(choice);
    const step: ColourStep = follow === view.follow ? now : { ...now, follow: view.follow };
    if (!dragging) store.set({ undo: [...undo, step].slice(-STEPS) });
    change({ ...choice, follow });
  }

  return {
    colour(id, colour) {
      const { view, model } = store.get();
      if (model) edit(recolour(model.palettes, view, id, colour), id);
    },
    merge(id, into) {
      const { view, model } = store.get();
      if (!model) return;
      const colour = into && coloursOf([into], model.palettes, view).get(into);
      const { palettes } = model;
      edit(colour ? recolour(palettes, view, id, colour) : separate(palettes, view, id));
    },
    own(index, edited, colour) {
      const { view, model } = store.get();
      if (!model) return;
      if (!edited) {
        const ids = view.classes.map((_, i) => ownId(i));
        edit({
          classes: view.classes.filter((_, i) => i !== index),
          colours: withoutOwn(view.colours, coloursOf(ids, model.palettes, view), index),
        });
      } else {
        const at = Math.min(index, view.classes.length);
        const classes = [...view.classes.slice(0, at), edited, ...view.classes.slice(at + 1)];
        edit({ classes, ...recolour(model.palettes, view, ownId(at), colour) });
      }
    },
    preset(palette) {
      const { model } = store.get();
      if (model) edit({ palette: nameOfPreset(model.palettes, palette), colours: new Map() });
    },
    reset: () => edit({ palette: store.get().view.palette, colours: DEFAULT_VIEW.colours }),
    undo() {
      const { undo: steps } = store.get();
      const step = steps.at(-1);
      store.set({ undo: steps.slice(0, -1) });
      last = null;
      if (!step) return;
      // What is followed now was chosen since: only nothing gives way to what the step took away.
      const follow = followed(step);
      change({ ...step, follow: follow || (step.follow ?? "") });
    },
    open: (colouring) => edit(colouring),
  };
}
