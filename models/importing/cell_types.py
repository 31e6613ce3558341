"""Which cell a checkpoint's recurrent layers are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor

from models.cells import CELLS
from models.importing.refused import ImportRefused

_BY_BLOCKS = {4: "lstm", 3: "gru", 1: "elman"}


def cell_of(
    state: Mapping[str, Tensor], layers: Sequence[Mapping[str, str]], cell: str | None
) -> tuple[str, int]:
    """The cell's id, and how many blocks of rows its weights have: one for each kind that reads
    through weights. cell: the id that was told. Raises ImportRefused.
    """
    blocks = None
    for layer in layers:
        name = layer["weight_hh_l0"]
        projection = layer.get("weight_hr_l0")
        for matrix in (name, layer["weight_ih_l0"], *([projection] if projection else [])):
            if state[matrix].dim() != 2:
                raise ImportRefused(f"{matrix} is no matrix: it is {tuple(state[matrix].shape)}.")
        units = state[projection or name].shape[1]
        rows = len(state[name])
        if projection is None and units in (3 * rows, 4 * rows):
            raise ImportRefused(
                f"{name} is {rows:,} × {units:,}, units × gates, as Keras and TensorFlow keep it: "
                "write its transpose, and that of the other kernels (docs/your-own-model.md, From "
                "Keras)."
            )
        if blocks is None:
            blocks = rows // units if units and rows % units == 0 else 0
        if blocks not in _BY_BLOCKS or rows != blocks * units:
            raise ImportRefused(
                f"{name} has {rows:,} rows for {units:,} units: not four gates for each unit (LSTM)"
                ", three (GRU) or one (Elman), the same in every layer; no such cell is known."
            )
    assert blocks is not None
    projected = ["weight_hr_l0" in layer for layer in layers]
    chosen = cell or _BY_BLOCKS[blocks]
    if cell is None and chosen == "lstm" and any(projected):
        chosen = "lstm-projected"
    if CELLS[chosen].blocks != blocks:
        fitting = [id for id, one in CELLS.items() if one.blocks == blocks]
        raise ImportRefused(
            f"--cell {cell}: the weights have {blocks} blocks of rows, the cell has "
            f"{CELLS[chosen].blocks}; {', '.join(fitting)} would fit."
        )
    if not all(has == CELLS[chosen].projected for has in projected):
        raise ImportRefused(
            f"the cell {chosen} {'needs' if CELLS[chosen].projected else 'has no'} projection "
            "(weight_hr), in every layer: name another with --cell."
        )
    return chosen, blocks
