"""Products with the heads of the linear form, a matrix for each kind, kept in the precision that
they are given in: half precision is read as it is for few timesteps, and widened a piece at a time
for more.

C columns (the output last), R timesteps, V words, H units.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from models.decode import halves
from models.decode.word_order import WordOrder
from models.heads import LinearHeads
from models.products import matmul
from models.team import Task

_PIECE = 1024  # words at a time: × 300 units × 4 bytes is 1.2 MB


class LinearProducts:
    """The matrices of all kinds, with the order of the words."""

    def __init__(self, heads: LinearHeads, words: WordOrder) -> None:
        self._heads, self._words = heads, words
        self._order = torch.from_numpy(words.ids)
        self._bits = _bits_of(heads)

    def tasks(self, vectors: np.ndarray, logits: np.ndarray) -> list[Task]:
        """Tasks that write the logits (R, C, V′) of every kind, of vectors (R, C, ≥ H)."""
        heads = self._heads
        memory: dict[int, _Widened] = {}  # of each thread
        bits = self._bits if len(vectors) <= halves.FEW else None
        tasks = []
        for kind in range(heads.kinds):
            cells, out = np.ascontiguousarray(vectors[:, kind, : heads.units]), logits[:, kind]
            for piece in pieces_of(len(self._words), _PIECE):
                if bits is not None:
                    places = self._words.places[piece]
                    tasks.append(_halves_product(cells, bits[kind, piece], places, out))
                else:
                    ids, weight = self._order[piece], heads.weight[kind]
                    tasks.append(_widened_product(cells, weight, ids, out[:, piece], memory))
        return tasks


def pieces_of(words: int, step: int) -> list[slice]:
    """0 … words − 1, ``step`` at a time."""
    return [slice(at, min(at + step, words)) for at in range(0, words, step)]


def _bits_of(heads: LinearHeads) -> np.ndarray | None:
    """(C − 1, V, H), the same memory; None where the matrices are not of finite halves."""
    if heads.weight.dtype != torch.float16:
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
