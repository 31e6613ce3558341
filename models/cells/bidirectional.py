"""Bidirectional stacks: each layer reads the sentence in both directions (CS 224D 2015, part IV,
§2.3, eq. 17–22). For tagging; a language model may not read the words to come.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from models.cells.cell import OUTPUT, Cell, Weights


def bidirectional_states(
    cell: Cell,
    inputs: Tensor,
    layers: Sequence[tuple[Weights, Weights]],
    lengths: Tensor | None = None,
) -> list[Tensor]:
    """Every kind of every layer of a stack, in the order of ``columns(…, bidirectional=True)``.

    inputs: (T, …, H_in). layers: the weights of each, forward and backward. lengths: (N,) of
    sentences that are padded at their ends. Returns (T, …, ·) each: timestep t of a backward kind
    is what it holds having read from the end down to t.
    """
    states: list[Tensor] = []
    x = inputs
    for forward, backward in layers:
        ahead = cell.states(x, forward, None)
        back = cell.states(turned(x, lengths), backward, None)
        behind = {kind: turned(s, lengths) for kind, s in back.items()}
        states += [*ahead.values(), *behind.values()]
        x = torch.cat([ahead[OUTPUT], behind[OUTPUT]], -1)  # [h→ ; h←], what the layer above reads
    return states


def turned(x: Tensor, lengths: Tensor | None = None) -> Tensor:
    """x (T, …) from its end to its start; each of N padded sentences (T, N, …) within its length,
    the padding left where it is: a backward pass must begin at the last word.
    """
    if lengths is None:
        return x.flip(0)
    steps = torch.arange(len(x), device=x.device)[:, None]
    there = lengths.to(x.device) - 1 - steps  # (T, N)
    order = torch.where(there >= 0, there, steps)
    return x.gather(0, order.view(*order.shape, *[1] * (x.dim() - 2)).expand_as(x))


def both_directions(weights: Weights, layer: int) -> tuple[Weights, Weights]:
    """The weights of one layer of a ``torch.nn`` module with ``bidirectional=True``, forward and
    backward, under the names that cells read.
    """
    end = f"_l{layer}"
    return (
        {n.removesuffix(end) + "_l0": w for n, w in weights.items() if n.endswith(end)},
        {
            n.removesuffix(end + "_reverse") + "_l0": w
            for n, w in weights.items()
            if n.endswith(end + "_reverse")
        },
    )
