"""The classifiers of all columns, laid out for the products: words in the order of their classes.

C columns (the output last), R timesteps, V words, H units, E that the decoder reads. Single
precision; heads of the linear form keep the precision they are given in, since a matrix for each
kind is large: half precision is read as it is for few timesteps, and widened a piece at a time for
more.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from models import lines
from models.decode import halves, packed
from models.decode.word_order import WordOrder
from models.heads import Heads, LinearHeads, SharedHeads
from models.products import matmul
from models.team import Task, Team, parts

_ALIGNED = 64  # words: a piece starts where a line of the processor's cache does
_PIECE = 1024  # words of a linear head at a time: × 300 units × 4 bytes is 1.2 MB


class Output:
    """The network's decoder, words sorted by class: weight (V, E), bias (V,). One for all heads."""

    def __init__(self, weight: Tensor, bias: Tensor, classes: np.ndarray) -> None:
        self.words = WordOrder(classes)
        self.order = torch.from_numpy(self.words.ids)
        ordered = weight[self.order].float()
        self.weight = ordered.numpy()
        self.packed = packed.packed(ordered) if packed.can_pack(ordered) else None
        self.bias = bias[self.order].float()
        self.units = weight.shape[1]  # E


class Classifiers:
    """What reads each column: the heads for the hidden states, the network for the output."""

    def __init__(self, heads: Heads, output: Output) -> None:
        self.heads, self.output, self.words = heads, output, output.words
        self._bits = _bits_of(heads)
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
        whole = torch.zeros(states.shape[1], self.columns, lines.whole_lines(wide))
        whole[:, -1, : last.shape[-1]] = last

        def read(kinds: slice) -> Task:
            def write(_: int) -> None:
                if self._projections is not None:
                    matrices, offsets = self._projections
                    packed.projections(
                        matrices, offsets, states.numpy(), whole.numpy(), kinds.start, kinds.stop
                    )
                    return
                of = states[kinds]
                vectors = heads.project(of, kinds) if isinstance(heads, SharedHeads) else of
                whole[:, kinds, : vectors.shape[-1]] = vectors.transpose(0, 1)

            return write

        team.run(map(read, parts(heads.kinds, team.size)))
        return whole[:, :, :wide].numpy()

    def products(self, vectors: np.ndarray, logits: np.ndarray, pieces: int) -> list[Task]:
        """Tasks that write the logits (R, C, V′), without biases, of vectors (R, C, ·).

        pieces: of the vocabulary, one a thread: each thread reads its part of D once.
        """
        if isinstance(self.heads, LinearHeads):
            return self._linear(self.heads, vectors, logits)
        rows, columns, units = vectors.shape
        cells, flat = vectors.reshape(rows * columns, units), logits.reshape(rows * columns, -1)
        if self.output.packed is not None and len(cells) <= packed.FEW:
            return [
                _packed_product(cells, self.output.packed, some, flat)
                for some in parts(len(self.output.packed), pieces)
            ]
        step = -(-len(self.words) // (pieces * _ALIGNED)) * _ALIGNED
        return [
            _product(cells, self.output.weight[piece], flat[:, piece])
            for piece in self._pieces(step)
        ]

    def _pieces(self, step: int) -> list[slice]:
        words = len(self.words)
        return [slice(at, min(at + step, words)) for at in range(0, words, step)]

    def _linear(self, heads: LinearHeads, vectors: np.ndarray, logits: np.ndarray) -> list[Task]:
        pieces = self._pieces(_PIECE)
        memory: dict[int, _Widened] = {}  # of each thread
        bits = self._bits if len(vectors) <= halves.FEW else None
        tasks = []
        for kind in range(heads.kinds):
            cells, out = np.ascontiguousarray(vectors[:, kind, : heads.units]), logits[:, kind]
            for piece in pieces:
                if bits is not None:
                    places = self.words.places[piece]
                    tasks.append(_halves_product(cells, bits[kind, piece], places, out))
                else:
                    ids = self.output.order[piece]
                    weight = heads.weight[kind]
                    tasks.append(_widened_product(cells, weight, ids, out[:, piece], memory))
        read = vectors[:, -1, : self.output.units]
        return tasks + [
            _product(read, self.output.weight[piece], logits[:, -1, piece]) for piece in pieces
        ]


def _product(cells: np.ndarray, matrix: np.ndarray, out: np.ndarray) -> Task:
    def multiply(_: int) -> None:
        matmul(cells, matrix, out)

    return multiply


def _packed_product(cells: np.ndarray, matrix: np.ndarray, some: slice, out: np.ndarray) -> Task:
    def multiply(_: int) -> None:
        packed.products(matrix, cells, out, some.start, some.stop)

    return multiply


def _packed_projections(heads: Heads) -> tuple[np.ndarray, np.ndarray] | None:
    """(C, E′ / ·, H, ·) and offsets (C, E); None where they are not of finite halves."""
    if not isinstance(heads, SharedHeads) or not all(map(packed.can_pack, heads.projection)):
        return None
    matrices = np.stack([packed.packed(matrix) for matrix in heads.projection])
    return matrices, heads.offset.contiguous().numpy()


def _bits_of(heads: Heads) -> np.ndarray | None:
    """(C − 1, V, H), the same memory; None where the matrices are not of finite halves."""
    if not isinstance(heads, LinearHeads) or heads.weight.dtype != torch.float16:
        return None
    finite = all(bool(torch.isfinite(weight).all()) for weight in heads.weight)  # one at a time
    return heads.weight.contiguous().numpy().view(np.uint16) if finite else None


def _halves_product(
    cells: np.ndarray, bits: np.ndarray, places: np.ndarray, out: np.ndarray
) -> Task:
    def multiply(_: int) -> None:
        halves.products(bits, places, cells, out)

    return multiply


class _Widened:
    """A piece of a matrix as it is kept, its rows in order, and in single precision: memory that is
    written again for each piece, since fresh pages cost more than the product with few cells."""

    def __init__(self, like: Tensor) -> None:
        self._kept = like.new_empty(_PIECE, like.shape[1])
        self._single = torch.empty(self._kept.shape)

    def rows(self, weight: Tensor, ids: Tensor) -> np.ndarray:
        kept, single = self._kept[: len(ids)], self._single[: len(ids)]
        torch.index_select(weight, 0, ids, out=kept)
        return single.copy_(kept).numpy()


def _widened_product(
    cells: np.ndarray, weight: Tensor, ids: Tensor, out: np.ndarray, memory: dict[int, _Widened]
) -> Task:
    def multiply(thread: int) -> None:
        if thread not in memory:
            memory[thread] = _Widened(weight)
        matmul(cells, memory[thread].rows(weight, ids), out)

    return multiply
