"""The recurrences, with every intermediate vector kept.

A cell type is declared in two places: its kinds in `models.kinds`, and here the recurrence that
computes them, under one id. Reading, tracing and training know cells only through `Cell`.
"""

from __future__ import annotations

from models.cells.bidirectional import bidirectional_states, both_directions, turned
from models.cells.cell import OUTPUT, Cell, State, Weights
from models.cells.elman import ELMAN, ELMAN_RELU
from models.cells.gru import GRU, RESET_BEFORE
from models.cells.lstm import COUPLED, LSTM, PEEPHOLE, PROJECTED, lstm_states

__all__ = [
    "CELLS",
    "OUTPUT",
    "Cell",
    "State",
    "Weights",
    "bidirectional_states",
    "both_directions",
    "lstm_states",
    "turned",
]

CELLS: dict[str, Cell] = {
    cell.id: cell
    for cell in (LSTM, PEEPHOLE, PROJECTED, COUPLED, GRU, RESET_BEFORE, ELMAN, ELMAN_RELU)
}
