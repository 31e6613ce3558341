import { type Component, createChanged, el } from "./dom";
import { count, inUnits, perplexity, percent } from "./format";
import { createMenu } from "./menu";
import { testText } from "./perplexities";
import type { State } from "./state";
import { type ModelInfo, unitOf } from "./types";

const TASKS = {
  language: "the next word, at each timestep",
  tagging: "a label for each word",
  classification: "a label for the whole sentence",
};
/** Of package.json: the build writes it in. */
declare const __UNROLLED__: string;

/** As in CITATION.cff. */
export const PAPER = {
  authors: "Sawatzky, Bergner, Popowich",
  title: "Visualizing RNN States with Predictive Semantic Encodings",
  year: 2019,
  address: "https://arxiv.org/abs/1908.00588",
};

/** What reads them. */
const FORMS = {
  shared: "each read by an affine map into the network's own decoder",
  linear: "each read by a linear classifier",
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
        el("dt", {}, "to cite"),
        el("dd", {}, "Unrolled, and the paper whose technique it is: ", paper()),
      );
    },
  };
}

const paper = () =>
  el(
    "a",
    { href: PAPER.address, target: "_blank", rel: "noopener noreferrer" },
    `${PAPER.authors}: ${PAPER.title} (${PAPER.year})`,
  );

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
    [
      "hidden states",
      [...new Set(Object.values(model.forms ?? {}).map((form) => FORMS[form]))].join(" or "),
    ],
    ["perplexity", p?.test ? `${perplexity(p.test)} on ${testText(model)}` : "not measured"],
    ["accuracy", accuracy?.test ? `${percent(accuracy.test)} on ${testText(model)}` : null],
    ["id", model.id],
    ["fingerprint", model.fingerprint],
    ["of the network", model.network_fingerprint],
    ["page", `Unrolled ${__UNROLLED__}, MIT licence`],
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
