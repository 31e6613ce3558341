"""Sentences as ids, in batches: of sentences of like length, or of the text as it runs on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.corpora import Document
from models.semantics import NO_LABEL
from models.training.labelled import AnySentence, inputs_and_targets, steps
from models.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Batch:
    """inputs: (T, N) ids, ``<bos>`` first. targets: (T, N), the next word or a label; −1 where
    padded, and where no label is asked for. lengths: (N,) timesteps of each sentence.
    """

    inputs: Tensor
    targets: Tensor
    lengths: Tensor

    @property
    def valid(self) -> Tensor:
        """(T, N): where there is a target."""
        return self.targets != NO_LABEL

    @property
    def present(self) -> Tensor:
        """(T, N): what is not padding."""
        return torch.arange(len(self.inputs))[:, None] < self.lengths

    @property
    def last(self) -> Tensor:
        """(T, N): the last timestep of each sentence."""
        return torch.arange(len(self.inputs))[:, None] == self.lengths - 1

    @property
    def tokens(self) -> int:
        """M, the timesteps that have a target."""
        return int(self.valid.sum())

    def of(self, sentences: slice) -> Batch:
        """Some of the sentences."""
        return Batch(self.inputs[:, sentences], self.targets[:, sentences], self.lengths[sentences])


def encode_documents(documents: Sequence[Document], vocabulary: Vocabulary) -> list[np.ndarray]:
    """Each sentence as ``<bos> w₁ … wₙ <eos>``, int64."""
    return [
        np.array(vocabulary.sentence(sentence.words))
        for document in documents
        for sentence in document.sentences
    ]


def batches(
    sentences: Sequence[AnySentence], size: int, rng: np.random.Generator | None = None
) -> Iterator[Batch]:
    """All sentences once, ``size`` of nearly equal length at a time.

    With ``rng`` the order of batches, and which sentences meet in one, is drawn anew; without, it
    is by length.
    """
    lengths = np.array([steps(s) for s in sentences], dtype=float)
    if rng is not None:
        lengths += rng.uniform(0, 1, len(lengths))
    order = np.argsort(lengths, kind="stable")
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(groups)
    for group in groups:
        yield collate([sentences[i] for i in group])


def collate(sentences: Sequence[AnySentence]) -> Batch:
    """Sentences side by side, padded at their ends."""
    lengths = [steps(s) for s in sentences]
    inputs = np.zeros((max(lengths), len(sentences)), dtype=np.int64)
    targets = np.full((max(lengths), len(sentences)), NO_LABEL, dtype=np.int64)
    for n, sentence in enumerate(sentences):
        inputs[: lengths[n], n], targets[: lengths[n], n] = inputs_and_targets(sentence)
    return Batch(torch.from_numpy(inputs), torch.from_numpy(targets), torch.tensor(lengths))


def stretches(
    sentences: Sequence[np.ndarray],
    places: int,
    stretch: int,
    rng: np.random.Generator | None = None,
) -> Iterator[Batch]:
    """The text as it runs on, read in ``places`` places at once, ``stretch`` timesteps at a time.

    The sentences stand one behind the other, each still with ``<bos>`` before and ``<eos>`` after
    it, cut into ``places`` parts of equal length: column n of a batch goes on where column n of
    the batch before it stopped. Only the end of the last part is padded. With ``rng`` the text
    begins at a sentence that is drawn, and what stands before that one comes last.
    """
    if rng is not None:
        first = int(rng.integers(len(sentences)))
        sentences = [*sentences[first:], *sentences[:first]]
    inputs = np.concatenate([s[:-1] for s in sentences])
    targets = np.concatenate([s[1:] for s in sentences])
    length = -(-len(inputs) // places)
    padding = (0, length * places - len(inputs))
    ins = np.pad(inputs, padding).reshape(places, length).T
    outs = np.pad(targets, padding, constant_values=NO_LABEL).reshape(places, length).T
    for t in range(0, length, stretch):
        part = np.ascontiguousarray(ins[t : t + stretch])
        yield Batch(
            torch.from_numpy(part),
            torch.from_numpy(np.ascontiguousarray(outs[t : t + stretch])),
            torch.full((places,), len(part)),
        )
