import { reconcile } from "./state/reconcile";
import type { View } from "./state/view";
import type { ModelInfo } from "./types";

/**
 * Models and what was chosen: a model may not have the semantic, the classes or the kinds that a view is
 * of. What gave way to it is back with the next model that has it, unless a person chose there anew.
 */
export interface GivenWay {
  /** Fits a view to a model that takes the place of another; tells only what gives way now. */
  fit(view: View, model: ModelInfo, before: ModelInfo | null): ReturnType<typeof reconcile>;
  /** A view is changed by a person: what gave way in these fields before is not wanted any more. */
  chosen(view: View, patch: Partial<View>): void;
  forget(): void;
}

export function createGivenWay(): GivenWay {
  let gone: Partial<View> = {};
  const pick = (fields: Partial<View>, has: (name: keyof View) => boolean): Partial<View> =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => has(name as keyof View)));
  return {
    fit(view, model, before) {
      const wanted = { ...view, ...gone };
      const fitted = reconcile(wanted, model, before).view;
      const { model: _, fingerprint: __, ...fields } = wanted;
      gone = pick(fields, (name) => fitted[name] !== wanted[name]);
      return { view: fitted, notices: reconcile(view, model, before).notices };
    },
    chosen(view, patch) {
      gone = pick(gone, (name) => !(name in patch) || patch[name] === view[name]);
    },
    forget() {
      gone = {};
    },
  };
}
