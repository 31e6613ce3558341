# ruff: noqa: E501  (a Markdown table has one line a row)
"""The model card of a tagger or a classifier; see `models.training.card`."""

from __future__ import annotations

from typing import Any

from models.artifact import Model
from models.kinds import CELLS
from models.tasks import TAGGING
from models.training.card import again, data_section, network_recipe
from models.training.provenance import layers


def label_card(model: Model) -> str:
    """Markdown: what the model is, its data and their licences, recipe, figures and limits."""
    config, metrics, architecture = model.config, model.metrics, model.architecture
    heads, network = config["training"]["heads"]["label"], config["training"]["network"]
    words = model.task == TAGGING
    of = "word" if words else "sentence"
    way = "in both directions" if architecture.get("bidirectional") else "from left to right"
    test, right = metrics["perplexity"]["test"], metrics["accuracy"]["test"]
    known = ", ".join(f"`{label}`" for label in model.outputs.words)
    return f"""# {model.id}

{model.description} For each of its {len(model.columns) - 1} kinds of hidden state it carries
predictive semantic encodings: classifiers that say which label the state predicts.

| | |
|---|---|
| architecture | {CELLS[architecture["cell"]]}, {layers(architecture["layers"])} × {architecture["units"]} units, read {way} |
| labels | one for each {of}: {known} |
| vocabulary | {architecture["vocabulary"]:,} words, lower case; a word seen fewer than {config["text"]["minimum_count"]} times in training is `<unk>`, a number in digits `<num>` |
| input | one sentence at a time, `<bos>` first, state zero at {"both ends" if architecture.get("bidirectional") else "its start"} |
| fingerprint of the network | `{model.fingerprint}` |
| weights | safetensors, half precision |
| made with | Python {config["versions"]["python"]}, torch {config["versions"]["torch"]}, nltk {config["versions"]["nltk"]}, code {config["versions"]["code"]} |

{data_section(model)}
## Figures

Accuracy is the share of {of}s whose most likely label is the right one; perplexity is exp of the mean
negative natural log-likelihood per label: 1 is certain. The network has **{right:.1%}** and
{test:.2f} on the test part, {metrics["accuracy"]["valid"]:.1%} and {metrics["perplexity"]["valid"]:.2f} on the validation part.

| on the test part | accuracy | perplexity |
|---|---|---|
| the network | {right:.1%} | {test:.2f} |
{_baselines(metrics["baselines"])}

{_WHERE[words]} Each kind of hidden state, read by its own head:

| kind | layer | accuracy | perplexity |
|---|---|---|---|
{_heads(model)}

`unrolled evaluate` computes these figures again and writes them here and to `metrics.json`.

## Recipe

{network_recipe(network, architecture["cell"])}

Heads: the `{heads["form"]}` form, one for each kind, for the labels. Closed-form start by ridge
regression, then AdamW at {heads["rate"]} (one cycle), {heads["epochs"]} × {f"{heads['tokens']:,}" if heads["tokens"] else "all"} training
timesteps{"" if words else ", each with the label of its sentence"}. Seed {heads["seed"]}.

{again(model)}
## Limits

{_LIMITS.get(config["corpus"]["name"], "")}{_ALONE[words]} What a head finds in a state is what a linear reader can find
there, which is not necessarily what the network uses.
"""


_WHERE = {
    True: "*Majority* gives every word the most frequent label, *majority per word* each word its own.",
    False: """*Majority* gives every sentence the most frequent label, *naive Bayes* counts its words without
their order. Network and kinds are asked once the last word is read.""",
}
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


def _heads(model: Model) -> str:
    lines = []
    for column in model.columns[:-1]:
        figures = model.metrics["heads"]["label"][column.kind][str(column.layer)]
        lines.append(
            f"| {column.name} ({column.symbol}) | {column.layer} | {figures['accuracy']:.1%} | "
            f"{figures['perplexity']:.2f} |"
        )
    return "\n".join(lines)
