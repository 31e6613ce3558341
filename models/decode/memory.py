"""Memory that is written again and again: fresh pages of this size cost as much as the products."""

from __future__ import annotations

import numpy as np
import torch

from models.team import Team


class Scratch:
    """Of one thread, for the C cells of a timestep over V words. probs, one, two: (C, V), and the
    same memory as tensors. whole_mask: (C, V′) bool, V′ the next multiple of 64, False from V on;
    mask is its (C, V). ones: (V,).
    """

    def __init__(self, columns: int, words: int) -> None:
        self.probs_tensor, self.one_tensor, self.two_tensor = torch.empty(3, columns, words)
        self.probs, self.one, self.two = (
            t.numpy() for t in (self.probs_tensor, self.one_tensor, self.two_tensor)
        )
        self.whole_mask = np.zeros((columns, -(-words // 64) * 64), bool)
        self.mask = self.whole_mask[:, :words]
        self.ones = np.ones(words, np.float32)

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
            made = [Scratch(columns, words) for _ in range(self.team.size)]
            self._scratch = (columns, words, made)
        return self._scratch[2]
