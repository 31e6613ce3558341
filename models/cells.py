"""The recurrences, with every intermediate vector kept.

Weights have the names and the layout of ``torch.nn``'s modules, so that a trained layer is read
as it is. Not for training: torch's own kernels are faster there, and equal (tests/models).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from models.kinds import kinds_of


@torch.no_grad()
def lstm_states(
    inputs: Tensor, weights: Mapping[str, Tensor], start: tuple[Tensor, Tensor] | None = None
) -> dict[str, Tensor]:
    """Every kind of hidden state of one LSTM layer over a sequence, state zero at the start.

    inputs: (T, …, H_in). weights: ``weight_ih_l0`` (4H, H_in), ``weight_hh_l0`` (4H, H),
    ``bias_ih_l0``, ``bias_hh_l0`` (4H), torch's gate order i, f, c̃, o. start: h and c before the
    first timestep. Returns kind id → (T, …, H), the ids of `models.kinds` (paper, appendix).
    """
    w_hh = weights["weight_hh_l0"]
    units = w_hh.shape[1]
    # What the gates read from below does not depend on the recurrence: one product for all t.
    bias = weights["bias_ih_l0"] + weights["bias_hh_l0"]
    gates = inputs @ weights["weight_ih_l0"].t() + bias  # (T, …, 4H)
    if start is None:
        zero = inputs.new_zeros(*inputs.shape[1:-1], units)
        start = (zero, zero)
    h, c = start
    cells, outputs = (inputs.new_empty(*inputs.shape[:-1], units) for _ in range(2))
    for t, gate in enumerate(gates):
        gate += h @ w_hh.t()  # (…, 4H), a view: the gates take their values in place
        gate[..., : 2 * units].sigmoid_()
        gate[..., 2 * units : 3 * units].tanh_()
        gate[..., 3 * units :].sigmoid_()
        i, f, g, o = gate.chunk(4, -1)
        c = torch.addcmul(f * c, i, g, out=cells[t])
        h = torch.mul(o, c.tanh(), out=outputs[t])
    i, f, g, o = gates.chunk(4, -1)  # (T, …, H) each
    previous = torch.cat([start[1][None], cells])[:-1]
    states = (f, i, g, o, f * previous, i * g, cells, outputs)
    return dict(zip(kinds_of("lstm"), states, strict=True))
