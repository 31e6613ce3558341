"""The weighted sum inside a gate, part by part: σ(W_x x + W_h h + b) in the paper's appendix.

Weights have the names and the layout of ``torch.nn``'s modules, as in `models.cells`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from models.cells import Cell, Weights
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

    weights: of the column's layer. operands: the vectors of the column's operands, in their order.
    """
    inside = any(o.layer == column.layer and not o.lag for o in column.operands)
    if column.kind not in cell.rows or inside:
        return None
    at = cell.rows.index(column.kind)

    def own(name: str) -> Tensor:
        return weights[name].chunk(cell.blocks)[at]

    read = [name for name in _WEIGHTS if name in weights]
    terms = tuple(own(name) @ vector for name, vector in zip(read, operands, strict=True))
    return WeightedSum(terms, own("bias_ih_l0") + own("bias_hh_l0"))
