"""Sentences as ids, in batches of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.corpora import Document
from models.vocabulary import Vocabulary

_NO_TARGET = -1


@dataclass(frozen=True, slots=True)
class Batch:
    """inputs: (T, N) ids, ``<bos>`` first. targets: (T, N), the next word; −1 where padded."""

    inputs: Tensor
    targets: Tensor

    @property
    def valid(self) -> Tensor:
        return self.targets != _NO_TARGET


def encode_documents(documents: Sequence[Document], vocabulary: Vocabulary) -> list[np.ndarray]:
    """Each sentence as ``<bos> w₁ … wₙ <eos>``, int64."""
    bos, eos = vocabulary.bos, vocabulary.eos
    return [
        np.array([bos, *vocabulary.encode(sentence.words), eos])
        for document in documents
        for sentence in document.sentences
    ]


def batches(
    sentences: Sequence[np.ndarray], size: int, rng: np.random.Generator | None = None
) -> Iterator[Batch]:
    """All sentences once, ``size`` of nearly equal length at a time.

    With ``rng`` the order of batches, and which sentences meet in one, is drawn anew; without, it
    is by length.
    """
    lengths = np.array([len(s) for s in sentences], dtype=float)
    if rng is not None:
        lengths += rng.uniform(0, 1, len(lengths))
    order = np.argsort(lengths, kind="stable")
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(groups)
    for group in groups:
        yield collate([sentences[i] for i in group])


def collate(sentences: Sequence[np.ndarray]) -> Batch:
    longest = max(len(s) for s in sentences) - 1
    inputs = np.zeros((longest, len(sentences)), dtype=np.int64)
    targets = np.full((longest, len(sentences)), _NO_TARGET, dtype=np.int64)
    for n, sentence in enumerate(sentences):
        inputs[: len(sentence) - 1, n] = sentence[:-1]
        targets[: len(sentence) - 1, n] = sentence[1:]
    return Batch(torch.from_numpy(inputs), torch.from_numpy(targets))
