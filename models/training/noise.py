"""What is left out of a training batch so that the network does not learn it by heart.

T timesteps, N sentences, H units, U layers, V words, K blocks of H rows in a weight.
Drawn for the whole batch, so that processes that share its sentences out see the masks that a
single process would.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from models.cells import CELLS
from models.training.recipe import NetworkRecipe


@dataclass(frozen=True, slots=True)
class Noise:
    """Factors, None where nothing is dropped. masks: U + 1 of (N, H), on the embeddings, between
    layers, before the decoder. words: (V,), on the input's embeddings. recurrent: U of (K·H, H);
    backward: the same of the layers that read backward, none where there are none."""

    masks: tuple[Tensor | None, ...]
    words: Tensor | None
    recurrent: tuple[Tensor | None, ...]
    backward: tuple[Tensor | None, ...] = ()

    def of(self, sentences: slice) -> Noise:
        """The noise of some of the batch's sentences."""
        masks = tuple(None if mask is None else mask[sentences] for mask in self.masks)
        return Noise(masks, self.words, self.recurrent, self.backward)


def draw_noise(
    recipe: NetworkRecipe, vocabulary: int, sentences: int, generator: torch.Generator
) -> Noise:
    """Noise for a batch, on the generator's device."""
    units, layers, rows = recipe.outputs, recipe.layers, CELLS[recipe.cell].blocks * recipe.units
    between = [recipe.dropout_between] * (layers - 1)
    rates = [recipe.dropout_input, *between, recipe.dropout_output]
    widths = [recipe.embedding or units, *[units * (1 + recipe.bidirectional)] * layers]

    def recurrent(count: int) -> tuple[Tensor | None, ...]:
        shape = (rows, units)
        return tuple(_mask(recipe.dropped_weights, shape, generator) for _ in range(count))

    return Noise(
        tuple(
            _mask(rate, (sentences, width), generator)
            for rate, width in zip(rates, widths, strict=True)
        ),
        _mask(recipe.dropped_words, (vocabulary,), generator),
        recurrent(layers),
        recurrent(layers if recipe.bidirectional else 0),
    )


def _mask(rate: float, shape: tuple[int, ...], generator: torch.Generator) -> Tensor | None:
    """0 with probability ``rate``, else 1 / (1 − rate), so that the expectation stays."""
    if not rate:
        return None
    keep = 1.0 - rate
    drawn = torch.empty(shape, device=generator.device).bernoulli_(keep, generator=generator)
    return drawn / keep
