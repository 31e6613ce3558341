"""Memory that is written again and again: fresh pages of this size cost as much as the products."""

from __future__ import annotations

import math

import numpy as np

from models.compiling import lines
from models.decode.arguments import Scratch
from models.team import Team


class Workspace:
    """The threads of a decode and the memory that they work in, kept from one to the next.

    Not to be used by two decodes at once.
    """

    def __init__(self, team: Team | None = None) -> None:
        self.team = team or Team()
        self._logits = lines.empty(0)
        self._scratch: tuple[int, list[Scratch]] = (0, [])

    def logits(self, rows: int, columns: int, words: int) -> np.ndarray:
        """(R, C, V′), with whatever was in it: V′ words, V or a few more, are whole lines."""
        shape = (rows, columns, lines.whole_lines(words))
        if len(self._logits) < math.prod(shape):
            self._logits = lines.empty(math.prod(shape))
        return self._logits[: math.prod(shape)].reshape(shape)

    def scratch(self, words: int) -> list[Scratch]:
        """For each thread."""
        if self._scratch[0] != words:
            self._scratch = (words, [Scratch.empty(words) for _ in range(self.team.size)])
        return self._scratch[1]
