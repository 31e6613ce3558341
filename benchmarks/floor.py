"""The floor: the matrix products, by a library, and nothing else.

R timesteps, C columns, V words, H units. In the same blocks of timesteps as the program's, into
memory that is there. Done in two ways, and the faster one is the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor

from models.artifact import Model
from models.decode import _CELLS
from models.heads import LinearHeads, SharedHeads
from models.products import matmul
from models.team import Team

_ALIGNED = 64


class Floor:
    """Products of a model's heads of one semantic, on ``team``'s threads or on torch's own."""

    def __init__(self, model: Model, semantic: str, team: Team) -> None:
        self._team = team
        self._heads = model.heads[semantic]
        self._decoder = model.network.decoder_weight.contiguous()  # (V, H)
        self._kinds = self._heads.kinds
        words = len(self._decoder)
        self._out = np.empty(max(_CELLS, self._kinds + 1) * words, np.float32)
        self._matrices: list[Tensor] = []
        if isinstance(self._heads, LinearHeads):
            self._matrices = [*self._heads.weight.float(), self._decoder]

    def ways(self, states: Tensor) -> dict[str, Callable[[], None]]:
        """The ways to the products of states (C − 1, R, H)."""
        return {
            "floor by our threads": lambda: self._run(states, self._with_team),
            "floor by torch": lambda: self._run(states, self._with_torch),
        }

    def _run(self, states: Tensor, multiply: Callable[[list[Tensor], list[Tensor]], None]) -> None:
        for block in self._blocks(states):
            heads = self._heads
            read = heads.project(block) if isinstance(heads, SharedHeads) else block
            vectors = torch.cat([read, block[-1:]])  # (C, R, H)
            if self._matrices:
                multiply(list(vectors), self._matrices)
            else:
                multiply([vectors.flatten(0, 1)], [self._decoder])

    def _blocks(self, states: Tensor) -> Iterator[Tensor]:
        rows = states.shape[1]
        count = -(-rows // (_CELLS // (self._kinds + 1)))
        yield from states.split(-(-rows // count), 1)

    def _with_team(self, vectors: list[Tensor], matrices: list[Tensor]) -> None:
        tasks = []
        for left, right, out in self._outputs(vectors, matrices):
            pieces = self._team.size if len(matrices) == 1 else 1
            step = -(-len(right) // (pieces * _ALIGNED)) * _ALIGNED
            for at in range(0, len(right), step):
                part = right[at : at + step].numpy()
                tasks.append(_product(left.numpy(), part, out[:, at : at + step]))
        self._team.run(tasks)

    def _with_torch(self, vectors: list[Tensor], matrices: list[Tensor]) -> None:
        for left, right, out in self._outputs(vectors, matrices):
            torch.mm(left, right.t(), out=torch.from_numpy(out))

    def _outputs(
        self, vectors: list[Tensor], matrices: list[Tensor]
    ) -> Iterator[tuple[Tensor, Tensor, np.ndarray]]:
        at = 0
        for left, right in zip(vectors, matrices, strict=True):
            size = len(left) * len(right)
            yield left, right, self._out[at : at + size].reshape(len(left), len(right))
            at += size


def _product(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> Callable[[int], None]:
    def multiply(_: int) -> None:
        matmul(left, right, out)

    return multiply
