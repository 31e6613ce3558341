"""Sentences with the labels that a tagger or a classifier is trained to give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.semantics import NO_LABEL


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """ids: (T,) of ``<bos> w₁ … wₙ``. labels: (T,) indices of the labels, −1 at a timestep where
    none is asked for. ``<eos>`` is not read: whoever labels a sentence knows where it ends.
    """

    ids: np.ndarray
    labels: np.ndarray

    def tobytes(self) -> bytes:
        return self.ids.tobytes() + self.labels.tobytes()


# ``<bos> … <eos>`` in ids, of a language model; or with labels.
AnySentence = np.ndarray | Labelled


def steps(sentence: AnySentence) -> int:
    """T, the timesteps that are read."""
    return len(sentence.ids) if isinstance(sentence, Labelled) else len(sentence) - 1


def inputs_and_targets(sentence: AnySentence) -> tuple[np.ndarray, np.ndarray]:
    """(T,) each: the ids that are read, and what is to be said at each; −1 for nothing."""
    if isinstance(sentence, Labelled):
        return sentence.ids, sentence.labels
    return sentence[:-1], sentence[1:]


def tagged(ids: Sequence[int], labels: Iterable[int]) -> Labelled:
    """A label of each word. ids: from ``<bos>`` on, which has none."""
    return Labelled(np.array(ids), np.array([NO_LABEL, *labels]))


def classified(ids: Sequence[int], label: int) -> Labelled:
    """One label, asked for once the last word is read."""
    return Labelled(np.array(ids), np.array([*[NO_LABEL] * (len(ids) - 1), label]))


def at_every_timestep(sentences: Sequence[AnySentence]) -> list[AnySentence]:
    """Classified sentences with their label at each timestep: what heads are fitted to, since the
    grid decodes the states of all of them.
    """
    return [
        replace(s, labels=np.full_like(s.labels, s.labels[-1])) if isinstance(s, Labelled) else s
        for s in sentences
    ]
