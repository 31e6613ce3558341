"""All hidden states of the network over a sequence, in column order.

C kinds in `kinds.state_columns` order, T timesteps, H units: of the widest kind, where kinds differ
in width; the others are filled up with zeros.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from models.cells import OUTPUT, State
from models.kinds import kinds_of
from models.language_model import LanguageModel

_REMEMBERED = 1024  # timesteps: × 17 kinds × 300 units × 4 bytes is 21 MB


@torch.no_grad()
def hidden_states(network: LanguageModel, ids: Tensor, before: Tensor | None = None) -> Tensor:
    """Every kind at every layer, for ids (T, …): (C, T, …, H).

    before: the (C, S, …, H) of the timesteps that came before; state zero without it. The last of
    the C is the output state that the decoder reads.
    """
    x = network.embedding(ids)  # (T, …, H)
    states = [x]
    for layer in network.layers:
        start = None if before is None else _last(network, before, len(states))
        layer_states = network.cell.states(x, dict(layer.named_parameters()), start)
        states += layer_states.values()
        x = layer_states[OUTPUT]
    if len(set(network.widths)) > 1:
        states = [functional.pad(s, (0, network.width - s.shape[-1])) for s in states]
    return torch.stack(states)


def _last(network: LanguageModel, before: Tensor, first: int) -> State:
    """The state of the layer whose kinds start at ``first``, at the last timestep."""
    kinds = kinds_of(network.cell.id)
    places = [first + kinds.index(kind) for kind in network.cell.carried]
    return tuple(before[at, -1, ..., : network.widths[at]] for at in places)


class StateMemory:
    """The states of sentences read lately. What starts as one of them is not read again: a word
    more costs one step of the network. At most `_REMEMBERED` timesteps are kept.
    """

    def __init__(self, network: LanguageModel) -> None:
        self._network = network
        self._known: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()  # the latest last

    def states(self, ids: Sequence[int]) -> Tensor:
        """(C, T, H) of a sentence of ids. Not to be written to."""
        wanted = tuple(ids)
        nearest = max(self._known, key=lambda known: _common(known, wanted), default=())
        shared = _common(nearest, wanted)
        found = self._known[nearest][:, :shared] if shared else None
        if found is not None and shared == len(wanted):
            self._known.move_to_end(nearest)
            return found
        states = hidden_states(self._network, torch.tensor(wanted[shared:]), found)
        if found is not None:
            states = torch.cat([found, states], 1)
        if shared == len(nearest):  # what the new sentence continues is not needed apart
            self._known.pop(nearest, None)
        self._remember(wanted, states)
        return states

    def _remember(self, ids: tuple[int, ...], states: Tensor) -> None:
        self._known[ids] = states
        while sum(map(len, self._known)) > _REMEMBERED and len(self._known) > 1:
            self._known.popitem(last=False)


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """How many ids two sentences share at their start."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return at
    return min(len(first), len(second))
