"""The recurrences, with every intermediate vector kept.

Weights have the names and the layout of ``torch.nn``'s modules, so that a trained layer is read
as it is. Not for training: torch's own kernels are faster there, and equal (tests/models).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from models.kinds import kinds_of


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
    below = inputs @ weights["weight_ih_l0"].t() + bias  # (T, …, 4H)
    if start is None:
        zero = inputs.new_zeros(*inputs.shape[1:-1], units)
        start = (zero, zero)
    h, c = start
    steps = []
    for t in range(inputs.shape[0]):
        gates = below[t] + h @ w_hh.t()  # (…, 4H)
        i, f, g, o = gates.chunk(4, -1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        long_term = f * c
        short_term = i * g
        c = long_term + short_term
        h = o * c.tanh()
        steps.append(torch.stack([f, i, g, o, long_term, short_term, c, h]))  # (8, …, H)
    empty = inputs.new_zeros(0, 8, *inputs.shape[1:-1], units)
    states = torch.stack(steps) if steps else empty  # (T, 8, …, H)
    return dict(zip(kinds_of("lstm"), states.unbind(1), strict=True))
