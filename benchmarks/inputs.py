"""What the benchmark reads: held-out sentences of the Brown corpus, drawn by a seed.

The corpus is there after `npm ci`. Without it, sentences of words drawn from the vocabulary stand
in, and the table says so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.readers import read_brown
from models.reading import read, rows_of
from models.training.corpus import BROWN
from models.training.splits import split_by
from models.vocabulary import Vocabulary


class Inputs:
    """An endless draw of texts. from_brown: whether they are held-out sentences of Brown."""

    def __init__(self, vocabulary: Vocabulary, seed: int) -> None:
        self._vocabulary = vocabulary
        self._rng = np.random.default_rng(seed)
        self._sentences: list[str] = []
        self.from_brown = BROWN.is_dir()
        if self.from_brown:
            held_out = split_by("documents", read_brown(BROWN))["test"]
            self._sentences = [" ".join(s.words) for d in held_out for s in d.sentences]

    def text(self, steps: int) -> str:
        """A text of exactly ``steps`` timesteps, sentence starts included."""
        while True:
            words: list[str] = []
            while self.steps(" ".join(words)) < steps:
                words += next(self._drawn()).split()
            # A word may be more than one timestep, and the cut may make or unmake a sentence's end.
            while words and self.steps(" ".join(words)) > steps:
                words.pop()
            if self.steps(" ".join(words)) == steps:
                return " ".join(words)

    def grown(self, steps: int) -> tuple[str, str]:
        """A text of ``steps`` timesteps, and the same without its last word."""
        while True:
            text = self.text(steps)
            shorter = text.rpartition(" ")[0]
            if self.steps(shorter) == steps - 1:
                return text, shorter

    def steps(self, text: str) -> int:
        return len(rows_of(read(self._vocabulary, text)))

    def _drawn(self) -> Iterator[str]:
        while True:
            if self._sentences:
                yield self._sentences[self._rng.integers(len(self._sentences))]
            else:
                length = self._rng.integers(8, 30)
                ids = self._rng.integers(4, len(self._vocabulary), length)
                yield " ".join(self._vocabulary.words[id] for id in ids) + " ."
