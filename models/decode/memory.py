"""Memory that is written again and again: fresh pages of this size cost as much as the products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.team import Team


@dataclass(frozen=True)
class Scratch:
    """Of one thread, for the C cells of a timestep over V words. probs, one, two: (C, V).
    whole_mask: (C, V′) bool, V′ the next multiple of 64, False from V on; `mask` is its (C, V).
    ones: (V,).
    """

    probs: np.ndarray
    one: np.ndarray
    two: np.ndarray
    whole_mask: np.ndarray
    ones: np.ndarray

    @classmethod
    def empty(cls, columns: int, words: int) -> Scratch:
        probs, one, two = (np.empty((columns, words), np.float32) for _ in range(3))
        mask = np.zeros((columns, -(-words // 64) * 64), bool)
        return cls(probs, one, two, mask, np.ones(words, np.float32))

    @property
    def mask(self) -> np.ndarray:
        return self.whole_mask[:, : self.one.shape[1]]

    def counts(self) -> np.ndarray:
        """How many of each row of the mask are True."""
        bits = np.packbits(self.whole_mask, axis=1).view(np.uint64)
        counted: np.ndarray = np.bitwise_count(bits).sum(1, dtype=np.int64)
        return counted


class Workspace:
    """The threads of a decode and the memory that they work in, kept from one to the next.

    Not to be used by two decodes at once.
    """

    def __init__(self, team: Team | None = None) -> None:
        self.team = team or Team()
        self._logits = np.empty(0, np.float32)
        self._scratch: tuple[int, int, list[Scratch]] = (0, 0, [])

    def logits(self, rows: int, columns: int, words: int) -> np.ndarray:
        """(R, C, V), with whatever was in it."""
        size = rows * columns * words
        if len(self._logits) < size:
            self._logits = np.empty(size, np.float32)
        return self._logits[:size].reshape(rows, columns, words)

    def scratch(self, columns: int, words: int) -> list[Scratch]:
        """For each thread."""
        if self._scratch[:2] != (columns, words):
            made = [Scratch.empty(columns, words) for _ in range(self.team.size)]
            self._scratch = (columns, words, made)
        return self._scratch[2]
