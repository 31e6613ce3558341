"""What a cell type is to the rest of the program, and the loop that most recurrences share.

T timesteps, N sentences, H units. Weights have the names and the layout of ``torch.nn``'s modules,
so that a trained layer is read as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

Weights = Mapping[str, Tensor]
# What a timestep reads of the one before: h, and with it c where a cell has one; each (…, ·).
State = tuple[Tensor, ...]
# From what a timestep reads from below, and the state: the vectors of its kinds, and the new state.
Step = Callable[[Tensor, State], tuple[Sequence[Tensor], State]]

_TORCH_ORDER = (
    "weight_ih_l0",
    "weight_hh_l0",
    "bias_ih_l0",
    "bias_hh_l0",
    "weight_hr_l0",
)
# Sets what starts otherwise than the weights that were drawn, given the forget gates' bias.
Begin = Callable[[nn.Module, float], None]
OUTPUT = "output_state"  # the kind that the layer above reads


@dataclass(frozen=True)
class Cell:
    """A cell type. Its kinds are in `models.kinds`, under the same id.

    build: (inputs, units, projection) → a layer of weights; projection is 0 for a cell that has
    none. rows: the kinds that read through weights, in the order in which their H rows stand in
    each. carried: the kinds that make up the state. states: every kind of a layer over inputs
    (T, …, H_in), from a start or from zeros: kind id → (T, …, ·), in the order of the table.
    kernel: torch's own recurrence for training, where there is one. projected: whether h has fewer
    units than the rest, ``projection`` of them.
    """

    id: str
    rows: tuple[str, ...]
    carried: tuple[str, ...]
    build: Callable[[int, int, int], nn.Module]
    states: Callable[[Tensor, Weights, State | None], dict[str, Tensor]]
    kernel: Callable[[Tensor, Weights, State], tuple[Tensor, State]] | None = None
    begin: Begin | None = None
    projected: bool = False

    @property
    def blocks(self) -> int:
        """Of H rows, in a weight."""
        return len(self.rows)

    def zeros(self, weights: Weights, like: Tensor, *shape: int) -> State:
        """The state before the first word: (*shape, ·) each, of the type of ``like``."""
        rows, read = weights["weight_hh_l0"].shape
        sizes = {OUTPUT: read}
        return tuple(
            like.new_zeros(*shape, sizes.get(kind, rows // self.blocks)) for kind in self.carried
        )

    def run(
        self,
        inputs: Tensor,
        weights: Weights,
        start: State | None = None,
        rounded: torch.dtype | None = None,
    ) -> tuple[Tensor, State]:
        """Output states (T, N, ·) for inputs (T, N, H_in), and the state after the last. For
        training: gradients flow through it. rounded: what the kernel computes in, where there is
        one; what it gives is of the type of ``inputs``.
        """
        if start is None:
            start = self.zeros(weights, inputs, inputs.shape[1])
        if self.kernel is not None:
            if rounded is None:
                return self.kernel(inputs, weights, start)
            out, end = self.kernel(
                inputs.to(rounded),
                {name: weight.to(rounded) for name, weight in weights.items()},
                tuple(part.to(rounded) for part in start),
            )
            return out.to(inputs.dtype), tuple(part.to(inputs.dtype) for part in end)
        states = self.states(inputs, weights, start)
        return states[OUTPUT], tuple(states[kind][-1] for kind in self.carried)


class Layer(nn.Module):
    """Weights by name, for recurrences that ``torch.nn`` has no module of."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        super().__init__()
        for name, shape in shapes.items():
            self.register_parameter(name, nn.Parameter(torch.zeros(shape)))


def gated_layer(blocks: int, inputs: int, units: int, **more: tuple[int, ...]) -> Layer:
    """A layer with torch's four weights, for ``blocks`` kinds that read through them, and more."""
    rows = blocks * units
    return Layer(
        weight_ih_l0=(rows, inputs),
        weight_hh_l0=(rows, units),
        bias_ih_l0=(rows,),
        bias_hh_l0=(rows,),
        **more,
    )


def from_below(inputs: Tensor, weights: Weights, *biases: str) -> Tensor:
    """What the layer's kinds read from below, for all timesteps in one product: it does not depend
    on the recurrence. (T, …, blocks · H)
    """
    first, *others = (weights[name] for name in biases)
    return inputs @ weights["weight_ih_l0"].t() + sum(others, first)


def over_time(kinds: Sequence[str], step: Step, read: Tensor, start: State) -> dict[str, Tensor]:
    """Every kind over the timesteps of ``read`` (T, …, ·), by a step at a time."""
    rows = []
    state = start
    for at in read:
        row, state = step(at, state)
        rows.append(row)
    if not rows:  # no timestep: still each kind, of its size
        row, _ = step(read.new_zeros(read.shape[1:]), start)
        return {kind: v.new_zeros(0, *v.shape) for kind, v in zip(kinds, row, strict=True)}
    return {
        kind: torch.stack(each) for kind, each in zip(kinds, zip(*rows, strict=True), strict=True)
    }


def kernel(function: Callable[..., tuple[Tensor, ...]]) -> Callable[..., tuple[Tensor, State]]:
    """``torch.lstm``, ``torch.gru``, …: one layer, one direction, as a `Cell`'s kernel. It is what
    torch's modules call, but of any weights: training leaves some out.
    """
    bias, layers, dropout, bidirectional, batch_first = True, 1, 0.0, False, False

    def run(inputs: Tensor, weights: Weights, start: State) -> tuple[Tensor, State]:
        values = [weights[name] for name in _TORCH_ORDER if name in weights]
        state = tuple(part[None] for part in start)
        out, *end = function(
            inputs,
            state if len(state) > 1 else state[0],
            values,
            bias,
            layers,
            dropout,
            torch.is_grad_enabled(),
            bidirectional,
            batch_first,
        )
        return out, tuple(part[0] for part in end)

    return run
