"""The hidden states of a text, in a file for other programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.artifact import Model
from models.reading import read, rows_of
from models.states import computed_by, of_text


def states_of(model: Model, text: str) -> dict[str, np.ndarray]:
    """Every kind's vectors by the key of its column (``cell_state.2``): (T, H) of a kind of H
    units, in single precision, over the timesteps of all sentences, each from state zero.

    Beside them, (T,) each: ``tokens``, the words that the network reads; ``ids``, theirs in its
    vocabulary; ``sentences``, the number of the sentence, from 0. And, a text each, ``model`` and
    ``network_fingerprint``.
    """
    network = model.network
    sentences, of = read(model.vocabulary, text), computed_by(network)
    states = of_text(network, [of(sentence.ids) for sentence in sentences]).numpy()  # (C, T, H)
    tokens = rows_of(sentences)
    kinds = model.columns[: len(states)]  # the output has no vector of its own
    return {
        column.key: np.ascontiguousarray(of[:, :units])
        for column, of, units in zip(kinds, states, network.widths, strict=True)
    } | {
        "tokens": np.array([token.word for token in tokens], dtype=np.str_),
        "ids": np.array([token.id for token in tokens], dtype=np.int64),
        "sentences": np.array([n for n, one in enumerate(sentences) for _ in one.tokens], np.int64),
        "model": np.array(model.id),
        "network_fingerprint": np.array(model.network_fingerprint),
    }


def write_states(states: dict[str, np.ndarray], out: Path) -> None:
    """As numpy's ``.npz``, under that very name. Raises OSError."""
    with out.open("wb") as file:
        np.savez(file, **states)  # type: ignore[arg-type]  # its options have other names
