# ruff: noqa: E501  (a Markdown table has one line a row)
"""The model card of a tagger or a classifier; see `models.training.card`."""

from __future__ import annotations

from typing import Any

from models.artifact import Model
from models.kinds import CELL_NAMES
from models.tasks import TAGGING
from models.training.card import (
    better_heads,
    data_section,
    encodings,
    made_with,
    on_parts,
    vocabulary,
)
from models.training.card_recipe import again, heads_recipe, network_recipe
from models.training.provenance import layers


def label_card(model: Model) -> str:
    """Markdown: what the model is, its data and their licences, recipe, figures and limits."""
    config, metrics, architecture = model.config, model.metrics, model.architecture
    words = model.task == TAGGING
    of = "word" if words else "sentence"
    way = "in both directions" if architecture.get("bidirectional") else "from left to right"
    right = {name: f"{share:.1%}" for name, share in metrics["accuracy"].items()}
    unsure = {name: f"{figure:.2f}" for name, figure in metrics["perplexity"].items()}
    said = {name: f"{right[name]} and {unsure[name]}" for name in right}
    known = ", ".join(f"`{label}`" for label in model.outputs.words)
    return f"""# {model.id}

{model.description}{encodings(model, "label")}

| | |
|---|---|
| architecture | {CELL_NAMES[architecture["cell"]]}, {layers(architecture["layers"])} × {architecture["units"]} units, read {way} |
| labels | one for each {of}: {known} |
| vocabulary | {vocabulary(architecture["vocabulary"], config["text"])} |
| input | one sentence at a time, `{config["text"]["sentence_start"]}` first, state zero at {"both ends" if architecture.get("bidirectional") else "its start"} |
{made_with(model)}

{data_section(model)}
## Figures

Accuracy is the share of {of}s whose most likely label is the right one; perplexity is exp of the mean
negative natural log-likelihood per label: 1 is certain. The network has
{on_parts(said["test"], said.get("valid"), "part")}.

| on the test part | accuracy | perplexity |
|---|---|---|
| the network | {right["test"]} | {unsure["test"]} |
{_baselines(metrics["baselines"])}
{_heads(model, words)}

`unrolled evaluate` computes these figures again and writes them here and to `metrics.json`.

## Recipe

{network_recipe(config["training"], architecture, labels=True)}

{heads_recipe(model)}

{again(model)}
## Limits

{_LIMITS.get(config["corpus"]["name"], "")}{_ALONE[words]} What a head finds in a state is what a linear reader can find
there, which is not necessarily what the network uses.
"""


# What the baselines are, and when a classifier is asked.
_KNOWN = {
    True: "*Majority* gives every word the most frequent label, *majority per word* each word its own.",
    False: """*Majority* gives every sentence the most frequent label, *naive Bayes* counts its words without
their order.""",
}
_ASKED = {True: "", False: " Network and kinds are asked once the last word is read."}
_ALONE = {
    True: "Where a sentence ends it is told by the same rules as a typed one.",
    False: "One sentence alone often does not tell: many could stand in any of the groups.",
}
_LIMITS = {
    "Brown": "American English as it was printed in 1961, with the views and the vocabulary of its time.\n"
}


def _baselines(baselines: dict[str, Any]) -> str:
    return "\n".join(
        f"| {name} | {figures['accuracy']:.1%} | {figures['perplexity']:.2f} |"
        for name, figures in baselines.items()
    )


def _heads(model: Model, words: bool) -> str:
    """A line for each kind, after what the lines above are."""
    known = f"\n{_KNOWN[words]}{_ASKED[words]} " if model.metrics["baselines"] else _ASKED[words]
    if not model.heads:
        return f"{known}The kinds of hidden state have no heads, and so no figures."
    lines = [
        f"{known}Each kind of hidden state, read by its own head:\n",
        "| kind | layer | accuracy | perplexity |",
        "|---|---|---|---|",
    ]
    for column in model.columns[:-1]:
        figures = model.metrics["heads"]["label"][column.kind][str(column.layer)]
        lines.append(
            f"| {column.name} ({column.symbol}) | {column.layer} | {figures['accuracy']:.1%} | "
            f"{figures['perplexity']:.2f} |"
        )
    return "\n".join(lines) + better_heads(model)
