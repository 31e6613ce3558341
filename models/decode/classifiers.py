"""The classifiers of all columns, laid out for the products: words in the order of their classes.

C columns (the output last), R timesteps, V words, H units, E that the decoder reads. Single
precision, and in half precision too where that is exact: that is read for few timesteps, or for
all of them. Heads of the linear form keep the precision they are given in, since a matrix for each
kind is large: half precision is read as it is for few timesteps, and widened a piece at a time for
more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from models.compiling import lines
from models.compiling.taking import pieces
from models.decode import packed
from models.decode.linear import LinearProducts, pieces_of
from models.decode.word_order import WordOrder
from models.heads import Heads, LinearHeads, SharedHeads
from models.precision import reads_as_halves
from models.products import matmul
from models.team import Task, Team, parts

_ALIGNED = 64  # words: a piece starts where a line of the processor's cache does


class Output:
    """The network's decoder, words sorted by class: weight (V, E), bias (V,). One for all heads."""

    def __init__(self, weight: Tensor, bias: Tensor, classes: np.ndarray) -> None:
        self.words = WordOrder(classes)
        self.order = torch.from_numpy(self.words.ids)
        self._weight = weight
        ordered = weight[self.order].float()
        self.packed = packed.packed(ordered) if reads_as_halves(ordered) else None
        if self.packed is None or not packed.ALWAYS:
            self.weight = ordered.numpy()  # read beside: before there are workers, for all of them
        self.bias = bias[self.order].float()
        self.units = weight.shape[1]  # E

    @cached_property
    def weight(self) -> np.ndarray:
        return self._weight[self.order].float().numpy()


class Classifiers:
    """What reads each column: the heads for the hidden states, the network for the output."""

    def __init__(self, heads: Heads, output: Output) -> None:
        self.heads, self.output, self.words = heads, output, output.words
        self._linear = (
            LinearProducts(heads, output.words) if isinstance(heads, LinearHeads) else None
        )
        self._projections = _packed_projections(heads)
        bias = heads.bias[:, output.order].float()
        self.biases = lines.at_lines(torch.cat([bias, output.bias[None]]).numpy())  # (C, V′)

    @property
    def columns(self) -> int:
        return len(self.biases)

    def vectors(
        self, states: Tensor, reads: Tensor | None = None, team: Team | None = None
    ) -> np.ndarray:
        """What each column's matrix is multiplied with: (R, C, E), from states (C − 1, R, H); of
        heads of the linear form (R, C, H), or E where the decoder reads more. Each thread of the
        team computes some of the columns.

        The output reads the last of the states, the output state of the last layer, as it is; or
        ``reads`` (R, E), where that is another.
        """
        heads, units, team = self.heads, self.output.units, team or Team()
        last = states[-1, :, :units] if reads is None else reads
        wide = units if isinstance(heads, SharedHeads) else max(units, states.shape[-1])
        whole = torch.empty(states.shape[1], self.columns, lines.whole_lines(wide))
        if not wide == units == last.shape[-1] == heads.units:  # some are filled up with zeros
            whole.zero_()
        whole[:, -1, : last.shape[-1]] = last

        if self._projections is not None:
            shared, to = pieces(), whole.numpy()
            task = _task(packed.projections, shared, *self._projections, states.numpy(), to)
            team.run([task] * team.size)
        else:
            some = parts(heads.kinds, team.size)
            team.run(_task(_read, heads, states, whole, kinds) for kinds in some)
        return whole[:, :, :wide].numpy()

    @property
    def decoder(self) -> np.ndarray | None:
        """The matrix of all columns, `packed.packed`, where all products are fastest with that."""
        return self.output.packed if self._linear is None and packed.ALWAYS else None

    def products(
        self, vectors: np.ndarray, logits: np.ndarray, threads: int
    ) -> tuple[list[Task], np.ndarray]:
        """Tasks that write the logits (R, C, V′) of vectors (R, C, ·); and the biases that are to
        be added to them yet, (C, V′), or (0, V′) where they are added already."""
        if self._linear is not None:
            read, out = vectors[:, -1, : self.output.units], logits[:, -1]
            nothing = np.zeros_like(self.biases[:1])
            of_output = self._by_packed(read, nothing, out, threads)
            of_output = of_output or self._by_library(read, out, threads)
            return self._linear.tasks(vectors, logits) + of_output, self.biases
        rows, columns, units = vectors.shape
        cells, flat = vectors.reshape(rows * columns, units), logits.reshape(rows * columns, -1)
        tasks = self._by_packed(cells, self.biases, flat, threads)
        if tasks:
            return tasks, self.biases[:0]
        return self._by_library(cells, flat, threads), self.biases

    def _by_packed(
        self, cells: np.ndarray, added: np.ndarray, out: np.ndarray, threads: int
    ) -> list[Task]:
        """Tasks that write out (M, V′) = cells (M, E) · Dᵀ + added (·, V′), one after the other and
        again; none where a library is faster."""
        matrix = self.output.packed
        if matrix is None or not packed.is_fastest(len(cells)):
            return []
        return [_task(packed.products, pieces(), matrix, cells, added, out)] * threads

    def _by_library(self, cells: np.ndarray, out: np.ndarray, threads: int) -> list[Task]:
        """Tasks that write out (M, V′) = cells (M, E) · Dᵀ; each part of D is read once."""
        step = -(-len(self.words) // (threads * _ALIGNED)) * _ALIGNED
        return [
            _task(matmul, cells, self.output.weight[piece], out[:, piece])
            for piece in pieces_of(len(self.words), step)
        ]


def _task(function: Callable[..., None], *arguments: object) -> Task:
    """The same by whatever thread."""
    return lambda _: function(*arguments)


def _read(heads: Heads, states: Tensor, whole: Tensor, kinds: slice) -> None:
    of = states[kinds]
    vectors = heads.project(of, kinds) if isinstance(heads, SharedHeads) else of
    whole[:, kinds, : vectors.shape[-1]] = vectors.transpose(0, 1)


def _packed_projections(heads: Heads) -> tuple[np.ndarray, np.ndarray] | None:
    """(C, E′ / ROWS, H, ROWS) and offsets (C, ≥ E′); None where they cannot be packed."""
    if not isinstance(heads, SharedHeads) or not all(map(reads_as_halves, heads.projection)):
        return None
    matrices = np.stack([packed.packed(matrix) for matrix in heads.projection])
    return matrices, lines.at_lines(heads.offset.numpy())
