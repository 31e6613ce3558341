"""What makes the cell state hard to decode? `python docs/cell_state.py [MODEL…]` writes the table
of docs/results.md, some fifteen minutes alone on two cores.

For each network: how large the values of h² and c² are, and the held-out perplexity of *next* of
heads fitted to them, and to c² squashed, on the same 60,000 training tokens.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch import Tensor

from models.artifact import load_network_only
from models.kinds import state_columns
from models.language_model import LanguageModel
from models.states import hidden_states
from models.training.corpus import Corpus, load_corpus
from models.training.forms import classifier
from models.training.heads import train_heads
from models.training.losses import nll_sum
from models.training.network import train_network
from models.training.recipe import HeadsRecipe, NetworkRecipe
from models.training.recipe_files import load_recipe
from models.training.state_batches import state_batches

SHIPPED = Path(__file__).parents[1] / "models" / "zoo" / "brown-lstm-300x2"
TESTED = 600  # sentences of the test part
LAYER = 2

_BASE = HeadsRecipe(tokens=60_000, epochs=1, batch_tokens=1024)
FITS = {
    "shared, closed-form start": ("shared", _BASE),
    "linear, from zero": ("linear", replace(_BASE, start="zero", weight_decay=0.0)),
}
# What is decoded: a kind of layer 2, as it is or squashed to −1 … 1, as the output gate reads c.
STATES: dict[str, tuple[str, Callable[[Tensor], Tensor]]] = {
    "h²": ("output_state", lambda h: h),
    "c²": ("cell_state", lambda c: c),
    "tanh c²": ("cell_state", torch.tanh),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, default=[SHIPPED])
    parser.add_argument("--early", type=int, nargs="*", default=[6000, 48744], help="sentences")
    options = parser.parse_args()
    torch.set_num_threads(2)
    recipe = load_recipe("ablation/ten-epochs")
    data = load_corpus(recipe.corpus)
    header = ["network", "state", "RMS", "largest", *FITS]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header), flush=True)
    one = replace(recipe.network, epochs=1, exact_epochs=0)
    for count in options.early:
        tell(f"after {count:,} sentences", early(one, data, count), data)
    for folder in options.models:
        tell(folder.name, load_network_only(folder)[2], data)


def early(recipe: NetworkRecipe, data: Corpus, sentences: int) -> LanguageModel:
    """A network that has read so many sentences once."""
    train, valid = data.parts["train"][:sentences], data.parts["valid"][:64]
    with tempfile.TemporaryDirectory() as folder:
        return train_network(recipe, len(data.vocabulary), train, valid, Path(folder))


def tell(name: str, network: LanguageModel, data: Corpus) -> None:
    """A line of the table for each thing decoded."""
    columns = state_columns("lstm", len(network.layers))
    test = data.parts["test"][:TESTED]
    for said, (kind, squash) in STATES.items():
        index = next(i for i, c in enumerate(columns) if (c.kind, c.layer) == (kind, LAYER))
        only = slice(index, index + 1)

        # Of this kind alone: the decoder still reads the network's own h².
        def states(*given: Any, squash: Any = squash, index: int = index, **more: Any) -> Tensor:
            read = hidden_states(*given, **more)
            read[index] = squash(read[index])
            return read

        with mock.patch("models.training.state_batches.hidden_states", states):
            rms, largest = size(network, test, only)
            figures = [
                held_out(network, data.parts["train"], test, only, form, recipe)
                for form, recipe in FITS.values()
            ]
        cells = [name, said, f"{rms:.2f}", f"{largest:.1f}", *(f"{f:,.1f}" for f in figures)]
        print("| " + " | ".join(cells) + " |", flush=True)


def held_out(
    network: LanguageModel,
    train: Sequence[np.ndarray],
    test: Sequence[np.ndarray],
    only: slice,
    form: str,
    recipe: HeadsRecipe,
) -> float:
    """Perplexity of *next* on the test sentences, of a head fitted to a kind."""
    heads = train_heads(network, train, ("next",), recipe, form, only=only)["next"]
    total, tokens = 0.0, 0
    for batch in state_batches(network, test, ("next",), 1024, only):
        rows, targets = batch.scored("next")
        head = classifier(heads, 0, batch.states[0, rows], network)
        total += float(nll_sum(*head, targets))
        tokens += len(rows)
    return math.exp(total / tokens)


def size(
    network: LanguageModel, sentences: Sequence[np.ndarray], only: slice
) -> tuple[float, float]:
    """Root mean square and largest absolute value of a kind's numbers."""
    states = [batch.states for batch in state_batches(network, sentences, ("next",), 1024, only)]
    values = torch.cat([part.flatten() for part in states]).double()
    return float(values.square().mean().sqrt()), float(values.abs().max())


if __name__ == "__main__":
    main()
