import { type Component, createChanged, el } from "./dom";
import { count, inUnits, perplexity, percent } from "./format";
import { createMenu } from "./menu";
import type { State } from "./state";
import { type ModelInfo, unitOf } from "./types";

const TASKS = {
  language: "the next word, at each timestep",
  tagging: "a label for each word",
  classification: "a label for the whole sentence",
};
/** Which model one looks at: what it is made of, how good it is, and by what it is told from others. */
export function createAbout(root: HTMLElement): Component<State> {
  const menu = createMenu("About");
  const list = el("dl", { class: "about" });
  menu.head(list);
  menu.summary.title = "About this model";
  root.append(menu.node);
  const changed = createChanged();
  return {
    update({ model }) {
      if (!changed(model)) return;
      root.hidden = !model;
      if (!model) return;
      list.replaceChildren(
        ...rows(model).flatMap(([term, said]) => [el("dt", {}, term), el("dd", {}, said)]),
      );
    },
  };
}

/** What is told of a model, a term and a sentence each. What is not known is left out. */
export function rows(model: ModelInfo): [string, string][] {
  const { architecture: a, perplexity: p, accuracy } = model;
  const told: [string, string | null | undefined][] = [
    ["model", model.name],
    ["what it is", model.description],
    ["network", a && network(a)],
    ["reads", `${unitOf(model)}s`],
    ["says", inUnits(TASKS[model.task ?? "language"], unitOf(model))],
    ["vocabulary", a?.vocabulary ? `${count(a.vocabulary)} ${unitOf(model)}s` : null],
    ["perplexity", p?.test ? `${perplexity(p.test)} on held-out text` : "not measured"],
    ["accuracy", accuracy?.test ? `${percent(accuracy.test)} on held-out text` : null],
    ["id", model.id],
    ["fingerprint", model.fingerprint],
    ["of the network", model.network_fingerprint],
  ];
  return told.filter((row): row is [string, string] => Boolean(row[1]));
}

function network(a: NonNullable<ModelInfo["architecture"]>): string | null {
  if (!a.cell_name || !a.layers || !a.units) return null;
  const units = Array.isArray(a.units) ? a.units.map(count).join(" and ") : count(a.units);
  const layers = a.layers === 1 ? "1 layer" : `${a.layers} layers`;
  const parts = [
    `${a.bidirectional ? "bidirectional " : ""}${a.cell_name}`,
    `${layers} of ${units} units`,
    a.tied ? "decoder tied to the embedding" : null,
  ];
  return parts.filter(Boolean).join(", ");
}
