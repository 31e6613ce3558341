"""Semantics: what a hidden state is asked for: a word of the sentence (paper §4.2), or the label
that the network is to give.

"The semantics we propose may similarly be used to encode hidden states with respect to the input
labels they correspond to" and "to predict the output labels at varying timesteps".
"""

from __future__ import annotations

from collections.abc import Sequence

# Semantic → where its label lies from the timestep's own word, in <bos> w₁ … wₙ <eos>.
OFFSETS = {"next": 1, "this": 0, "previous": -1, "after_next": 2}
WORD_SEMANTICS = tuple(OFFSETS)
# Of a network that says labels: what it says itself (`models.tasks`).
LABEL = "label"
SEMANTICS = (*WORD_SEMANTICS, LABEL)

NO_LABEL = -1


def labels(sequence: Sequence[int], steps: int, semantic: str) -> list[int]:
    """The label of each of the first ``steps`` timesteps of a sentence; −1 where the edge of the
    sentence leaves none, and for what a text does not tell: `LABEL`. sequence: its ids from
    ``<bos>`` on, with ``<eos>`` if it is complete.
    """
    if semantic == LABEL:
        return [NO_LABEL] * steps
    offset = OFFSETS[semantic]
    return [
        sequence[t + offset] if 0 <= t + offset < len(sequence) else NO_LABEL for t in range(steps)
    ]
