"""Words sorted by class: those of a class stand side by side, so that summing them is one run
through memory. V words, K classes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


class WordOrder:
    """ids: (V,) id of the word at each place, by class and then by id. places: (V,) its inverse."""

    def __init__(self, classes: np.ndarray) -> None:
        self.classes = np.asarray(classes)
        self.ids = np.argsort(self.classes, kind="stable")
        self.places = np.empty_like(self.ids)
        self.places[self.ids] = np.arange(len(self.ids))
        counts = np.bincount(self.classes)
        self._ends = np.cumsum(counts)
        self._starts = self._ends - counts

    def __len__(self) -> int:
        return len(self.ids)

    def runs(self) -> Iterator[tuple[int, slice]]:
        """Each class that has words, with their places."""
        for k, (start, end) in enumerate(zip(self._starts, self._ends, strict=True)):
            if end > start:
                yield k, slice(start, end)

    def moved(self, classes: np.ndarray) -> np.ndarray:
        """Places of the words that ``classes`` (V,) puts in another class than this order does."""
        moved: np.ndarray = self.places[np.flatnonzero(classes != self.classes)]
        return moved
