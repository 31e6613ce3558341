"""Gated recurrent units, in the two conventions that are in use. They differ in where the reset
gate acts, before or after the matrix product, and in what the update gate lets through. In
weights, blocks of rows are in torch's order: r, z, h̃.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.cells.cell import Cell, State, Weights, from_below, gated_layer, kernel, over_time
from models.kinds import kinds_of

_CARRIED = ("output_state",)
_ROWS = ("reset_gate", "update_gate", "candidate_state")


def gru_states(inputs: Tensor, weights: Weights, start: State | None = None) -> dict[str, Tensor]:
    """``gru``: reset after the product, z is how much of h stays. torch.nn.GRU; without biases the
    course notes "Deep Learning for NLP" (CS 224D 2015, part IV, §3).

    inputs: (T, …, H_in). weights: ``weight_ih_l0`` (3H, H_in), ``weight_hh_l0`` (3H, H),
    ``bias_ih_l0``, ``bias_hh_l0`` (3H).
    """
    start = start or GRU.zeros(weights, inputs, *inputs.shape[1:-1])
    w_hh, b_hh = weights["weight_hh_l0"].t(), weights["bias_hh_l0"]
    gates = 2 * w_hh.shape[0]

    def step(read: Tensor, state: State) -> tuple[tuple[Tensor, ...], State]:
        (h,) = state
        recurrent = torch.addmm(b_hh, h, w_hh) if h.dim() == 2 else h @ w_hh + b_hh  # (…, 3H)
        r, z = (read[..., :gates] + recurrent[..., :gates]).sigmoid().chunk(2, -1)
        candidate = (read[..., gates:] + r * recurrent[..., gates:]).tanh()
        h = (1 - z) * candidate + z * h
        return (z, r, candidate, h), (h,)

    return over_time(kinds_of("gru"), step, from_below(inputs, weights, "bias_ih_l0"), start)


def reset_before_states(
    inputs: Tensor, weights: Weights, start: State | None = None
) -> dict[str, Tensor]:
    """``gru-reset-before``: reset before the product, z is how much of h is new. Chung et al. 2014;
    Srikumar's lecture "Recurrent Neural Networks". Weights as `gru_states` has them.
    """
    start = start or RESET_BEFORE.zeros(weights, inputs, *inputs.shape[1:-1])
    units = weights["weight_hh_l0"].shape[1]
    w_hh = weights["weight_hh_l0"].t()
    w_gates, w_candidate = w_hh[:, : 2 * units], w_hh[:, 2 * units :]
    read = from_below(inputs, weights, "bias_ih_l0", "bias_hh_l0")

    def step(read: Tensor, state: State) -> tuple[tuple[Tensor, ...], State]:
        (h,) = state
        r, z = (read[..., : 2 * units] + h @ w_gates).sigmoid().chunk(2, -1)
        candidate = (read[..., 2 * units :] + (r * h) @ w_candidate).tanh()
        h = (1 - z) * h + z * candidate
        return (z, r, candidate, h), (h,)

    return over_time(kinds_of("gru-reset-before"), step, read, start)


GRU = Cell(
    "gru",
    _ROWS,
    _CARRIED,
    lambda inputs, units, _: nn.GRU(inputs, units),
    gru_states,
    kernel(torch.gru),
)
RESET_BEFORE = Cell(
    "gru-reset-before",
    _ROWS,
    _CARRIED,
    lambda inputs, units, _: gated_layer(3, inputs, units),
    reset_before_states,
)
