import { classesOf } from "../colour/own";
import { infoOf, layerKey } from "../columns";
import { type ColumnId, type ModelInfo, saysItself, saysLabels } from "../types";
import { CLASS } from "../unitline/series";
import { DEFAULT_VIEW, type View } from "./view";

/** Names from a link, in quotes; not more of them than can be read. */
const joinedWords = (names: readonly string[]): string =>
  [...names.slice(0, 5).map((name) => `“${name}”`), ...(names.length > 5 ? ["…"] : [])].join(", ");

/**
 * Fits a view to the model at hand, field by field, and says in words what did not fit.
 *
 * @param before - the model that the view was shown in; null where it comes from a link or a file.
 */
export function reconcile(
  view: View,
  model: ModelInfo,
  before: Pick<ModelInfo, "id"> | null = null,
): { view: View; notices: string[] } {
  const notices: string[] = [];
  const fitted = { ...view, model: model.id, fingerprint: model.fingerprint };
  // Of another model's weights nothing is to be told.
  const same = !view.model || view.model === model.id;
  if (!before && same && view.fingerprint && view.fingerprint !== model.fingerprint)
    notices.push(
      `The link was made with another version of ${model.name} (fingerprint ${view.fingerprint}; here it is ${model.fingerprint}): figures may differ.`,
    );
  if (!model.semantics.includes(view.semantic)) {
    fitted.semantic = model.semantics[0] ?? "next";
    // What the network itself says is one question, whatever that is; but a link that says more than
    // nothing is taken at its word.
    const itself = saysItself(view.semantic) && saysItself(fitted.semantic);
    const ofLink = !before && view.semantic !== DEFAULT_VIEW.semantic;
    if (!itself || ofLink)
      notices.push(
        `This model has no encoding for “${view.semantic}”; “${fitted.semantic}” is shown.`,
      );
  }
  if (view.watch && saysLabels(model) && !model.classes.some((c) => c.id === view.watch)) {
    fitted.watch = "";
    notices.push(`This model has no label “${view.watch}” to watch: that was left out.`);
  }
  if (view.palette && !model.palettes.some((p) => p.id === view.palette)) {
    fitted.palette = "";
    notices.push(`There is no palette “${view.palette}”; the default is used.`);
  }
  const classes = new Set(classesOf(model, view.classes).map((c) => c.id));
  const strange = [...view.colours.keys()].filter((id) => !classes.has(id));
  if (strange.length) {
    fitted.colours = new Map([...view.colours].filter(([id]) => classes.has(id)));
    const whose = before && before.id !== model.id ? "of the other model's" : "for unknown";
    notices.push(`Colours ${whose} classes were left out: ${joinedWords(strange)}.`);
  }
  const has = (c: ColumnId) => infoOf(model, c) !== undefined;
  if (!view.pins.every(has)) {
    fitted.pins = view.pins.filter(has);
    const gone = view.pins.length - fitted.pins.length;
    const cells = gone === 1 ? "1 pinned cell is of a kind" : `${gone} pinned cells are of kinds`;
    notices.push(`${cells} that this model does not have: left out.`);
  }
  if (view.inside && !has(view.inside)) {
    fitted.inside = null;
    notices.push("The cell to look into is of a kind that this model does not have.");
  }
  if (view.unit && (view.unit.layer === null || !has(view.unit))) {
    fitted.unit = null;
    notices.push("The unit along the text is of a kind that this model does not have.");
  }
  const followed = view.follow.startsWith(CLASS) ? view.follow.slice(CLASS.length) : null;
  if (followed !== null && !classes.has(followed)) {
    fitted.follow = "";
    notices.push(`This model has no class “${followed}” to follow: that was left out.`);
  }
  const kinds = new Set(model.columns.map((c) => c.kind));
  const layers = new Set(model.columns.map(layerKey));
  const known = (name: "hide" | "hide_layers", what: string, has: ReadonlySet<string>) => {
    const unknown = view[name].filter((item) => !has.has(item));
    if (!unknown.length) return;
    fitted[name] = view[name].filter((item) => has.has(item));
    notices.push(`This model has no ${what} ${joinedWords(unknown)} to hide: that was left out.`);
  };
  known("hide", "kind", kinds);
  known("hide_layers", "layer", layers);
  return { view: fitted, notices };
}
