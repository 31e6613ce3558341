"""What is asked of every distribution, and the numbers that answer it.

R timesteps, C columns (the output last), V words, K classes, B bars.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Question:
    """What is asked of every distribution.

    classes: (V,) class index of each word, of ``class_count``. labels: (R,) id asked for by the
    semantic, next_ids: (R,) actual next word; −1 for none. bars: B. top_words: how many of the
    most likely words the class masses are summed over. watch: id of a word that is asked for in
    every cell. Raises ValueError where bars or top_words
    are not between 1 and V.
    """

    classes: np.ndarray
    class_count: int
    labels: np.ndarray
    next_ids: np.ndarray
    bars: int
    top_words: int
    watch: int | None = None

    def __post_init__(self) -> None:
        for name in ("bars", "top_words"):
            if not 1 <= getattr(self, name) <= len(self.classes):
                raise ValueError(
                    f"{name} is {getattr(self, name)}, but there are {len(self.classes)} words"
                )


@dataclass(frozen=True)
class Decoded:
    """top_ids, top_probs: (R, C, B) by falling probability. mass: (R, C, K). entropy, divergence:
    (R, C) in bits, divergence that of Jensen and Shannon from the output column. label_ranks
    (from 1; 0 for none), label_probs (nan for none): (R, C). next_ranks, next_probs, surprisal
    (−log₂ of that probability, in bits): (R,), of the actual next word in the output column.
    watch_ranks, watch_probs: (R, C) of the watched word; (0, C) where none is.
    """

    top_ids: np.ndarray
    top_probs: np.ndarray
    mass: np.ndarray
    entropy: np.ndarray
    divergence: np.ndarray
    label_ranks: np.ndarray
    label_probs: np.ndarray
    next_ranks: np.ndarray
    next_probs: np.ndarray
    surprisal: np.ndarray
    watch_ranks: np.ndarray
    watch_probs: np.ndarray

    @classmethod
    def empty(cls, rows: int, columns: int, question: Question) -> Decoded:
        """Arrays for the answer to ``question``, to be filled."""
        cells = (rows, columns)
        bars = (*cells, question.bars)
        watched = cells if question.watch is not None else (0, columns)
        return cls(
            top_ids=np.empty(bars, np.int32),
            top_probs=np.empty(bars, np.float32),
            mass=np.empty((*cells, question.class_count), np.float32),
            entropy=np.empty(cells, np.float32),
            divergence=np.empty(cells, np.float32),
            label_ranks=np.empty(cells, np.int32),
            label_probs=np.empty(cells, np.float32),
            next_ranks=np.empty(rows, np.int32),
            next_probs=np.empty(rows, np.float32),
            surprisal=np.empty(rows, np.float32),
            watch_ranks=np.empty(watched, np.int32),
            watch_probs=np.empty(watched, np.float32),
        )
