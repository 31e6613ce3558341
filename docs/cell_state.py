"""What makes the cell state hard to decode? `python docs/cell_state.py [MODEL…]` writes the table
of docs/results.md, about half an hour on two cores.

For each network: how large the values of c² and h² are, and the held-out perplexity of *next* of
heads fitted to them in several ways, on the same 60,000 training tokens.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from models.artifact import load_network_only
from models.kinds import state_columns
from models.language_model import LanguageModel
from models.training.corpus import Corpus, load_corpus
from models.training.forms import classifier
from models.training.heads import train_heads
from models.training.losses import nll_sum
from models.training.network import train_network
from models.training.recipe import HeadsRecipe, NetworkRecipe, load_recipe
from models.training.state_batches import state_batches

SHIPPED = Path(__file__).parents[1] / "models" / "zoo" / "brown-lstm-300x2"
KINDS = ("long_term", "cell_state", "output_state")
TESTED = 600  # sentences of the test part

_BASE = HeadsRecipe(tokens=60_000, epochs=1, batch_tokens=1024)
FITS = {
    "shared, closed-form start": ("shared", _BASE),
    "linear, from zero, AdamW": ("linear", replace(_BASE, start="zero", weight_decay=0.0)),
    "linear, from zero, AdamW, rate × 10": (
        "linear",
        replace(_BASE, start="zero", weight_decay=0.0, rate=1e-2),
    ),
    "linear, from zero, AdamW, decay 10": (
        "linear",
        replace(_BASE, start="zero", weight_decay=10.0),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, default=[SHIPPED])
    parser.add_argument("--early", type=int, nargs="*", default=[6000, 48744], help="sentences")
    options = parser.parse_args()
    torch.set_num_threads(2)
    recipe = load_recipe("brown-lstm-300x2")
    data = load_corpus(recipe.corpus)
    header = ["network", "state", "RMS", "largest", *FITS]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header), flush=True)
    one = replace(recipe.network, epochs=1, exact_epochs=0)
    for count in options.early:
        for bias in (1.0, 0.0):
            network = early(replace(one, forget_bias=bias), data, count)
            tell(f"after {count:,} sentences, forget bias {bias:.0f}", network, data)
    for folder in options.models:
        tell(folder.name, load_network_only(folder)[2], data)


def early(recipe: NetworkRecipe, data: Corpus, sentences: int) -> LanguageModel:
    """A network that has read so many sentences once."""
    train, valid = data.parts["train"][:sentences], data.parts["valid"][:64]
    with tempfile.TemporaryDirectory() as folder:
        return train_network(recipe, len(data.vocabulary), train, valid, Path(folder))


def tell(name: str, network: LanguageModel, data: Corpus) -> None:
    """A line of the table for each kind of layer 2."""
    columns = state_columns("lstm", len(network.layers))
    test = data.parts["test"][:TESTED]
    for index, column in enumerate(columns):
        if column.layer != 2 or column.kind not in KINDS:
            continue
        only = slice(index, index + 1)
        rms, largest = size(network, test, only)
        figures = []
        for form, recipe in FITS.values():
            heads = train_heads(network, data.parts["train"], ("next",), recipe, form, only=only)[
                "next"
            ]
            total, tokens = 0.0, 0
            for batch in state_batches(network, test, ("next",), 1024, only):
                rows, targets = batch.scored("next")
                head = classifier(heads, 0, batch.states[0, rows], network)
                total += float(nll_sum(*head, targets))
                tokens += len(rows)
            figures.append(f"{math.exp(total / tokens):,.1f}")
        cells = [name, f"{column.symbol}²", f"{rms:.2f}", f"{largest:.1f}", *figures]
        print("| " + " | ".join(cells) + " |", flush=True)


def size(
    network: LanguageModel, sentences: Sequence[np.ndarray], only: slice
) -> tuple[float, float]:
    """Root mean square and largest absolute value of a kind's numbers."""
    states = [batch.states for batch in state_batches(network, sentences, ("next",), 1024, only)]
    values = torch.cat([part.flatten() for part in states]).double()
    return float(values.square().mean().sqrt()), float(values.abs().max())


if __name__ == "__main__":
    main()
