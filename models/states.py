"""All hidden states of the network over a sequence, in column order.

C kinds in `kinds.state_columns` order, T timesteps, H units: of the widest kind, where kinds differ
in width; the others are filled up with zeros.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from models.cells import OUTPUT, State, bidirectional_states
from models.kinds import kinds_of
from models.language_model import LanguageModel
from models.team import Team
from models.typed_states import CompiledLSTM, PackedLayer

_REMEMBERED = 1024  # timesteps: × 17 kinds × 300 units × 4 bytes is 21 MB
_PREFIXES = 64  # beginnings of a sentence that are read at a time


# Ids of a sentence → its states (C, T, H), computed or known already.
StatesOf = Callable[[Sequence[int]], Tensor]


@torch.no_grad()
def hidden_states(
    network: LanguageModel,
    ids: Tensor,
    before: Tensor | None = None,
    lengths: Tensor | None = None,
) -> Tensor:
    """Every kind at every layer, for ids (T, …): (C, T, …, H).

    before: the (C, S, …, H) of the timesteps that came before; state zero without it. lengths: (N,)
    of sentences (T, N) that are padded at their ends, which a bidirectional network needs; it reads
    a sentence only as a whole, and has no ``before``. The last of the C is an output state that the
    decoder reads (`LanguageModel.reads`).
    """
    x = network.embedding(ids)  # (T, …, H)
    states = [x]
    if network.bidirectional:
        pairs = zip(network.layers, network.backward_layers, strict=True)
        weights = [
            (dict(one.named_parameters()), dict(other.named_parameters())) for one, other in pairs
        ]
        states += bidirectional_states(network.cell, x, weights, lengths)
        return _padded(network, states)
    for layer in network.layers:
        start = None if before is None else _last(network, before, len(states))
        layer_states = network.cell.states(x, dict(layer.named_parameters()), start)
        states += layer_states.values()
        x = layer_states[OUTPUT]
    return _padded(network, states)


def computed_by(network: LanguageModel) -> StatesOf:
    """Each sentence anew."""
    return lambda ids: hidden_states(network, torch.tensor(ids))


def of_text(network: LanguageModel, sentences: Sequence[Tensor]) -> Tensor:
    """The states (C, T, H) of a text, of those of its sentences; of none, no timesteps."""
    if not sentences:
        return torch.zeros(len(network.widths), 0, network.width)
    return sentences[0] if len(sentences) == 1 else torch.cat(list(sentences), 1)


def reads_last(network: LanguageModel) -> bool:
    """Whether the decoder reads the last of the states."""
    return not network.bidirectional


@torch.no_grad()
def output_reads(network: LanguageModel, ids: Sequence[int], states: Tensor) -> Tensor:
    """What the decoder reads at each timestep of a sentence of ids: (T, ·), of its states
    (C, T, H). For a label of the whole sentence: as if the sentence ended at that timestep.
    """
    if not (network.whole and network.bidirectional):
        return network.reads(states)
    read = []
    for first in range(0, len(ids), _PREFIXES):
        lengths = torch.arange(first + 1, min(first + _PREFIXES, len(ids)) + 1)
        beginnings = torch.tensor(ids[: int(lengths[-1])])[:, None].expand(-1, len(lengths))
        h = network(beginnings, lengths)  # (T′, N, ·)
        read.append(h[lengths - 1, torch.arange(len(lengths))])
    return torch.cat(read) if read else network.reads(states)


def _padded(network: LanguageModel, states: list[Tensor]) -> Tensor:
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

    def __init__(
        self,
        network: LanguageModel,
        layers: tuple[PackedLayer, ...] | None = None,
        team: Team | None = None,
    ) -> None:
        """layers: what `packed_layers` gave for this network; without, torch computes. team: see
        `CompiledLSTM`."""
        self._network = network
        self._compiled = CompiledLSTM(network, layers, team) if layers else None
        self._known: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()  # the latest last

    def states(self, ids: Sequence[int]) -> Tensor:
        """(C, T, H) of a sentence of ids. Not to be written to."""
        wanted = tuple(ids)
        if self._network.bidirectional:
            return self._whole(wanted)
        nearest, shared = self._nearest(wanted)
        found = self._known[nearest][:, :shared] if shared else None
        if found is not None and shared == len(wanted):
            self._known.move_to_end(nearest)
            return found
        states = self._read(wanted[shared:], found)
        if shared == len(nearest):  # what the new sentence continues is not needed apart
            self._known.pop(nearest, None)
        self._remember(wanted, states)
        return states

    def _nearest(self, wanted: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """The known sentence that starts most like the one that is wanted; in how many ids."""
        nearest: tuple[int, ...] = ()
        shared = 0
        for known in self._known:
            # Only one that shares an id more is looked at number by number.
            if known[: shared + 1] == wanted[: shared + 1]:
                common = _common(known, wanted)
                if common > shared:
                    nearest, shared = known, common
        return nearest, shared

    def _read(self, ids: Sequence[int], before: Tensor | None) -> Tensor:
        """With the states before."""
        if self._compiled is not None:
            return self._compiled.states(ids, before)
        states = hidden_states(self._network, torch.tensor(ids), before)
        return states if before is None else torch.cat([before, states], 1)

    def _whole(self, wanted: tuple[int, ...]) -> Tensor:
        """Where a word more changes every state."""
        if wanted in self._known:
            self._known.move_to_end(wanted)
        else:
            self._remember(wanted, hidden_states(self._network, torch.tensor(wanted)))
        return self._known[wanted]

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
