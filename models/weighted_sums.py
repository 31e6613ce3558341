"""The weighted sum inside a gate, part by part: σ(W_x x + W_h h + b) in the paper's appendix.

Weights have the names and the layout of ``torch.nn.LSTM``, as in `models.cells`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor

_ROWS = ("input_gate", "forget_gate", "cell_input", "output_gate")  # torch's order


class WeightedSum(NamedTuple):
    """What each adds to every unit before σ or tanh: (H,) each."""

    below: Tensor  # of h of the layer below, or of x
    before: Tensor  # of h of the timestep before
    bias: Tensor


def weighted_sum(
    weights: Mapping[str, Tensor], kind: str, below: Tensor, before: Tensor
) -> WeightedSum | None:
    """The parts of a gate or of the cell input; None for a kind that is no weighted sum.

    weights: ``weight_ih_l0`` (4H, H_in), ``weight_hh_l0`` (4H, H), ``bias_ih_l0``, ``bias_hh_l0``
    (4H). below: (H_in,). before: (H,).
    """
    if kind not in _ROWS:
        return None
    at = _ROWS.index(kind)
    w_ih, w_hh, b_ih, b_hh = (
        weights[name].chunk(4)[at]
        for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    )
    return WeightedSum(w_ih @ below, w_hh @ before, b_ih + b_hh)
