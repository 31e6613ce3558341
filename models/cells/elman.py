"""Elman's network (1990): h is a function of a weighted sum, tanh or ReLU."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from models.cells.cell import Begin, Cell, State, Weights, from_below, kernel, over_time
from models.kinds import kinds_of


def _elman(
    id: str, name: str, function: Callable[[Tensor], Tensor], begin: Begin | None = None
) -> Cell:
    """torch.nn.RNN with that nonlinearity: ``weight_ih_l0`` (H, H_in), ``weight_hh_l0`` (H, H),
    ``bias_ih_l0``, ``bias_hh_l0`` (H).
    """

    def states(inputs: Tensor, weights: Weights, start: State | None = None) -> dict[str, Tensor]:
        start = start or cell.zeros(weights, inputs, *inputs.shape[1:-1])
        w_hh = weights["weight_hh_l0"].t()

        def step(read: Tensor, state: State) -> tuple[tuple[Tensor, ...], State]:
            a = read + state[0] @ w_hh
            h = function(a)
            return (a, h), (h,)

        read = from_below(inputs, weights, "bias_ih_l0", "bias_hh_l0")
        return over_time(kinds_of(id), step, read, start)

    cell = Cell(
        id,
        ("pre_activation",),
        ("output_state",),
        lambda inputs, units, _: nn.RNN(inputs, units, nonlinearity=name),
        states,
        kernel(torch.rnn_tanh if name == "tanh" else torch.rnn_relu),
        begin,
    )
    return cell


def _identity(layer: nn.Module, _: float) -> None:
    """Recurrent weights that start as the identity, so that what is not driven stays: with ReLU the
    gradient neither vanishes nor explodes at first (CS 224D 2015, part IV, §2.2; Le et al. 2015).
    """
    nn.init.eye_(layer.get_parameter("weight_hh_l0"))


ELMAN = _elman("elman", "tanh", torch.tanh)
ELMAN_RELU = _elman("elman-relu", "relu", torch.relu, _identity)
