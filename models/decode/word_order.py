"""Words sorted by class: those of a class stand side by side, so that summing them is one run
through memory. V words, K classes.
"""

from __future__ import annotations

import numpy as np


class WordOrder:
    """ids: (V,) id of the word at each place, by class and then by id. places: (V,) its inverse.
    runs: (·, 3) each class that has words, the first of their places and the one after the last.
    """

    def __init__(self, classes: np.ndarray) -> None:
        self.classes = np.asarray(classes)
        self.ids = np.argsort(self.classes, kind="stable")
        self.places = np.empty_like(self.ids)
        self.places[self.ids] = np.arange(len(self.ids))
        ends = np.cumsum(np.bincount(self.classes))
        starts = [0, *ends[:-1]]
        runs = np.stack([np.arange(len(ends)), starts, ends], 1)
        self.runs = runs[runs[:, 2] > runs[:, 1]]

    def __len__(self) -> int:
        return len(self.ids)

    def moved(self, classes: np.ndarray) -> np.ndarray:
        """Places of the words that ``classes`` (V,) puts in another class than this order does."""
        moved: np.ndarray = self.places[np.flatnonzero(classes != self.classes)]
        return moved
