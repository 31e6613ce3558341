"""The weighted sum inside a gate, part by part: σ(W_x x + W_h h + b) in the paper's appendix.

Weights have the names and the layout of ``torch.nn``'s modules, as in `models.cells`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from models.cells import Cell, Weights
from models.directions import BACKWARD
from models.kinds import Column

# What the operands of a weighted sum are read through: the layer below, h and c before.
_WEIGHTS = ("weight_ih_l0", "weight_hh_l0", "weight_ch_l0")


class WeightedSum(NamedTuple):
    """What each operand adds to every unit before σ or tanh, and the bias: (H,) each."""

    terms: tuple[Tensor, ...]
    bias: Tensor


def weighted_sum(
    cell: Cell, weights: Weights, column: Column, operands: Sequence[Tensor]
) -> WeightedSum | None:
    """The parts of a kind that is computed through weights; None for one that is no weighted sum
    of its operands: a GRU's candidate state, whose reset gate weighs what is summed.

    weights: of the column's layer, in its direction. operands: the vectors of the column's
    operands, in their order; above the first layer of a bidirectional stack two of the layer below,
    which are read as one.
    """
    inside = any(o.layer == column.layer and not o.lag for o in column.operands)
    kind = column.kind.removeprefix(BACKWARD)
    if kind not in cell.rows or inside:
        return None
    at = cell.rows.index(kind)

    def own(name: str) -> Tensor:
        return weights[name].chunk(cell.blocks)[at]

    pairs = zip(column.operands, operands, strict=True)
    below = [len(vector) for operand, vector in pairs if operand.layer != column.layer]
    matrices = list(torch.split(own(_WEIGHTS[0]), below, 1))
    matrices += [own(name) for name in _WEIGHTS[1:] if name in weights]
    terms = tuple(matrix @ vector for matrix, vector in zip(matrices, operands, strict=True))
    return WeightedSum(terms, own("bias_ih_l0") + own("bias_hh_l0"))
