import { reconcile } from "./state/reconcile";
import { otherSide } from "./state/sides";
import type { View } from "./state/view";
import type { ModelInfo } from "./types";
import { FIELDS } from "./url";

/**
 * Models and what was chosen: a model may not have the semantic, the classes or the kinds that a view is
 * of. What gave way to it is back with the next model that has it, unless a person chose there anew.
 */
export interface GivenWay {
  /**
   * Fits a view to a model that takes the place of another; tells only what gives way now. `apart`: what
   * nobody chose that is there now, as the tour's own: it neither gives way nor comes back.
   */
  fit(
    view: View,
    model: ModelInfo,
    before: ModelInfo | null,
    apart?: readonly (keyof View)[],
  ): ReturnType<typeof reconcile>;
  /** A view is changed by a person: what gave way in these fields before is not wanted any more. */
  chosen(view: View, patch: Partial<View>): void;
  /** The two texts change places. */
  swap(): void;
  forget(): void;
}

/** Whether a field of two views says the same: what is drawn anew may be put together anew. */
const alike = <K extends keyof View>(name: K, a: View, b: View): boolean =>
  FIELDS[name].write(a[name]) === FIELDS[name].write(b[name]);

export function createGivenWay(): GivenWay {
  let gone: Partial<View> = {};
  const pick = (fields: Partial<View>, has: (name: keyof View) => boolean): Partial<View> =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => has(name as keyof View)));
  return {
    fit(view, model, before, apart = []) {
      const kept = pick(gone, (name) => apart.includes(name));
      const wanted = { ...view, ...gone, ...pick(view, (name) => apart.includes(name)) };
      const fitted = reconcile(wanted, model, before).view;
      const { model: _, fingerprint: __, ...fields } = wanted;
      const differs = (name: keyof View) => fitted[name] !== wanted[name];
      gone = { ...pick(fields, (name) => !apart.includes(name) && differs(name)), ...kept };
      return { view: fitted, notices: reconcile(view, model, before).notices };
    },
    chosen(view, patch) {
      gone = pick(gone, (name) => !(name in patch) || alike(name, { ...view, ...patch }, view));
    },
    swap() {
      const { pins, inside } = gone;
      if (pins) gone.pins = pins.map(otherSide);
      if (inside) gone.inside = otherSide(inside);
    },
    forget() {
      gone = {};
    },
  };
}
