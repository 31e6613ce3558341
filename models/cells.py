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
    # Views of every timestep, made at once: the gates take their values in place.
    i, f, cell_input, output_gate = gates.chunk(4, -1)
    both = gates[..., : 2 * units]
    w_hh = w_hh.t()
    views = (gates, both, i, f, cell_input, output_gate, cells, outputs)
    for gate, i_f, i_t, f_t, g, o, c_t, h_t in zip(*views, strict=True):
        gate += h @ w_hh  # (…, 4H)
        i_f.sigmoid_()
        g.tanh_()
        o.sigmoid_()
        c = torch.addcmul(f_t * c, i_t, g, out=c_t)
        h = torch.mul(o, c.tanh(), out=h_t)
    previous = torch.cat([start[1][None], cells])[:-1]
    states = (f, i, cell_input, output_gate, f * previous, i * cell_input, cells, outputs)
    return dict(zip(kinds_of("lstm"), states, strict=True))
