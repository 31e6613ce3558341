"""The states of what somebody types, in less than half the time: of one sentence, by an LSTM whose
weights are numbers of half precision, as they are kept.

C kinds in column order, T timesteps, E of the embedding, H units, W of the widest kind. E′ and H′
are E and H or the next multiples of `AT_ONCE`, filled up with zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from models.cells.lstm import LSTM
from models.cells.lstm_step import AT_ONCE, STEPS, layer_states
from models.compiling import lines
from models.compiling.waiting import announce, progress
from models.kinds import kinds_of
from models.language_model import LanguageModel
from models.precision import reads_as_halves
from models.team import Task, Team

_MANY = 8  # timesteps from which on a second thread is worth waking


@dataclass(frozen=True)
class PackedLayer:
    """below: (E′, 4H), recurrent: (H′, 4H), the bits of halves; bias: (4H,), both of a layer's."""

    below: np.ndarray
    recurrent: np.ndarray
    bias: np.ndarray

    @property
    def units(self) -> int:
        return len(self.bias) // 4


def packed_layers(network: LanguageModel) -> tuple[PackedLayer, ...] | None:
    """Copies of the layers' weights for `CompiledLSTM`; None for another cell, for a network that
    reads in both directions, for weights that are no finite numbers of half precision, and for a
    processor that would read those slowly.
    """
    single = all(values.dtype == torch.float32 for values in network.parameters())
    if network.cell.id != LSTM.id or network.bidirectional or not single:
        return None
    weights = [values for name, values in network.layers.named_parameters() if "weight" in name]
    return tuple(map(_packed, network.layers)) if all(map(reads_as_halves, weights)) else None


class CompiledLSTM:
    """What it says is `states.hidden_states` but for the last digits; of a sentence's beginning,
    the same to the last digit as of the whole. Not to be used by two threads at once.
    """

    def __init__(
        self, network: LanguageModel, layers: tuple[PackedLayer, ...], team: Team | None = None
    ) -> None:
        """team: its threads share out the layers of what is longer than a few timesteps."""
        self._network, self._layers, self._team = network, layers, team or Team()
        self._embedding = network.embedding.weight.detach().numpy()  # (V, E)
        self._scratch = [
            (lines.empty(STEPS, len(layer.bias)), lines.empty(AT_ONCE, len(layer.bias)))
            for layer in layers
        ]

    def states(self, ids: Sequence[int], before: Tensor | None = None) -> Tensor:
        """Every kind at every layer: (C, S + T, W), the (C, S, W) of what came ``before`` and those
        of T ids that go on from there, or from state zero."""
        network, known = self._network, 0 if before is None else before.shape[1]
        widths, width = network.widths, network.width
        shape = len(widths), known + len(ids), width
        alike = all(units == width for units in widths)
        out = np.empty(shape, np.float32) if alike else np.zeros(shape, np.float32)
        if before is not None:
            out[:, :known] = before.numpy()
        out[0, known:, : widths[0]] = self._embedding[list(ids)]
        done = progress(1 + len(self._layers))
        done[0, 0] = len(ids)  # the embedding
        # In order: who takes a layer waits for one that somebody has taken.
        layers = [self._task(u, out, known, done) for u in range(len(self._layers))]
        if len(ids) < _MANY:
            for layer in layers:
                layer(0)
        else:
            # Who waits for a layer that fails is to end too.
            self._team.run(layers, lambda: [announce(layer, len(ids)) for layer in done])
        return torch.from_numpy(out)

    def _task(self, u: int, out: np.ndarray, known: int, done: np.ndarray) -> Task:
        """What computes layer u from timestep ``known`` on: `layer_states`."""
        layer, network, kinds = self._layers[u], self._network, kinds_of(LSTM.id)
        first, units = 1 + u * len(kinds), layer.units
        h, c = np.zeros(len(layer.recurrent), np.float32), np.zeros(units, np.float32)
        if known:
            carried = [first + kinds.index(kind) for kind in network.cell.carried]
            h[:units], c[:] = (out[at, known - 1, :units] for at in carried)
        # The embedding, or the output state of the layer below.
        source = out[first - 1, :, : network.widths[first - 1]]
        inputs = np.zeros((out.shape[1] - known, len(layer.below)), np.float32)
        of = layer.below, layer.recurrent, layer.bias, source, done[u], done[u + 1], inputs, h, c
        kinds_out = out[first : first + len(kinds)]
        return lambda _: layer_states(known, *of, kinds_out, *self._scratch[u])


def _packed(layer: nn.Module) -> PackedLayer:
    weights = {name: weight.detach() for name, weight in layer.named_parameters()}
    bias = (weights["bias_ih_l0"] + weights["bias_hh_l0"]).numpy()
    return PackedLayer(_bits(weights["weight_ih_l0"]), _bits(weights["weight_hh_l0"]), bias)


def _bits(weight: Tensor) -> np.ndarray:
    rows = _padded(weight.half().numpy()).view(np.uint16)
    return torch.from_numpy(rows).t().contiguous().numpy()


def _padded(rows: np.ndarray) -> np.ndarray:
    """With zeros up to a multiple of `AT_ONCE` numbers in each."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // AT_ONCE) * AT_ONCE), rows.dtype)
    padded[:, : rows.shape[1]] = rows
    return padded
