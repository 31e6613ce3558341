"""A stream of hidden states with their labels: what heads are fitted to and measured on.

Each batch of sentences is read once, its states go to all heads, and are forgotten: memory does
not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.language_model import LanguageModel
from models.semantics import labels
from models.states import hidden_states
from models.training.dataset import collate
from models.training.labelled import AnySentence, Labelled, steps

ALL = slice(None)


@dataclass(frozen=True, slots=True)
class StateBatch:
    """states: (C, M, H) of M timesteps, of the kinds asked for. output: (M, E), what the decoder
    reads. labels: semantic → (M,), −1 where there is none. All on the network's device."""

    states: Tensor
    output: Tensor
    labels: dict[str, Tensor]

    def scored(self, semantic: str) -> tuple[Tensor, Tensor]:
        """Timesteps that have a label, and these labels."""
        asked = self.labels[semantic]
        rows = (asked >= 0).nonzero().squeeze(1)
        return rows, asked[rows]


def state_batches(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    semantics: Sequence[str],
    tokens: int,
    kinds: slice = ALL,
) -> Iterator[StateBatch]:
    """The states of all sentences (``<bos> … <eos>``), at least ``tokens`` timesteps at a time."""
    for group in groups(sentences, tokens):
        yield state_batch(network, [sentences[i] for i in group], semantics, kinds)


def groups(
    sentences: Sequence[AnySentence], tokens: int, rng: np.random.Generator | None = None
) -> list[list[int]]:
    """Indices of sentences that are read together: of like length, since padding is computed for
    nothing. With ``rng`` the order, and which sentences meet, is drawn anew."""
    lengths = np.array([steps(s) for s in sentences])
    jitter = 0 if rng is None else rng.uniform(0, 1, len(lengths))
    result: list[list[int]] = [[]]
    count = 0
    for index in np.argsort(lengths + jitter, kind="stable"):
        if count >= tokens:
            result.append([])
            count = 0
        result[-1].append(int(index))
        count += lengths[index]
    if rng is not None:
        rng.shuffle(result)
    return result


def state_batch(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    semantics: Sequence[str],
    kinds: slice = ALL,
) -> StateBatch:
    """The states of some sentences, read together."""
    device = network.decoder_bias.device
    batch = collate(sentences)
    # Sentence by sentence: (N, T) flattened, padding left out.
    places = batch.present.t().flatten().nonzero().squeeze(1).to(device)
    inputs = batch.inputs.to(device)
    states = hidden_states(network, inputs, lengths=batch.lengths)  # (C, T, N, H)
    flat = states.transpose(1, 2).flatten(1, 2)  # (C, N·T, H)
    output = network.reads(states).transpose(0, 1).flatten(0, 1)  # (N·T, E)
    asked = {
        semantic: torch.tensor([label for s in sentences for label in _labels(s, semantic)]).to(
            device
        )
        for semantic in semantics
    }
    return StateBatch(flat[kinds][:, places], output[places], asked)


def _labels(sentence: AnySentence, semantic: str) -> Sequence[int]:
    if isinstance(sentence, Labelled):
        given: list[int] = sentence.labels.tolist()
        return given
    return labels(sentence.tolist(), steps(sentence), semantic)
