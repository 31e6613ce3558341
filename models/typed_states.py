"""The states of what somebody types, in less than half the time: of one sentence, by an LSTM whose
weights are numbers of half precision, as they are kept.

C kinds in column order, T timesteps, E of the embedding, H units, W of the widest kind. E′ and H′
are E and H or the next multiples of `AT_ONCE`, filled up with zeros.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from models.cells.lstm import LSTM
from models.cells.lstm_step import AT_ONCE, STEPS, layer_states
from models.compiling import lines
from models.kinds import kinds_of
from models.language_model import LanguageModel
from models.precision import reads_as_halves


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

    def __init__(self, network: LanguageModel, layers: tuple[PackedLayer, ...]) -> None:
        self._network, self._layers = network, layers
        self._embedding = network.embedding.weight.detach().numpy()  # (V, E)
        most = max(len(layer.bias) for layer in layers)
        self._wide, self._read = lines.empty(AT_ONCE * most), lines.empty(STEPS * most)

    def states(self, ids: Tensor, before: Tensor | None = None) -> Tensor:
        """Every kind at every layer, for ids (T,): (C, T, W). before: the (C, S, W) of what came
        before; state zero without it.
        """
        network, kinds = self._network, kinds_of(LSTM.id)
        widths = network.widths
        out = np.zeros((len(widths), len(ids), network.width), np.float32)
        inputs = self._embedding[ids.numpy()]  # (T, E)
        out[0, :, : widths[0]] = inputs
        last = None if before is None else before[:, -1].numpy()  # (C, W)
        for u, layer in enumerate(self._layers):
            first, units, gates = 1 + u * len(kinds), layer.units, len(layer.bias)
            h, c = np.zeros(len(layer.recurrent), np.float32), np.zeros(units, np.float32)
            if last is not None:
                carried = [first + kinds.index(kind) for kind in network.cell.carried]
                h[:units], c[:] = (last[at, :units] for at in carried)
            layer_states(
                layer.below,
                layer.recurrent,
                layer.bias,
                _padded(inputs),
                h,
                c,
                out[first : first + len(kinds)],
                self._read[: STEPS * gates].reshape(STEPS, gates),
                self._wide[: AT_ONCE * gates].reshape(AT_ONCE, gates),
            )
            inputs = out[first + len(kinds) - 1, :, :units]  # the output state
        return torch.from_numpy(out)


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
