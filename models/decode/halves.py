"""Matrices kept in half precision, read as they are: half the memory, and no copy of it.

V words, H units, M cells, n words of a piece. Widened first, a piece at a time, and multiplied by a
library, a matrix takes three times as long with one cell, and less with twenty.
"""

from __future__ import annotations

import numpy as np

from models.compiling import ANY_ORDER, compiled, loop
from models.compiling.elementary import widen

# Up to so many cells: with many, to widen first is faster (docs/performance.md).
FEW = 8


@loop(ANY_ORDER)
def _product(row, cell):
    total = np.float32(0)
    for k in range(len(row)):
        total += row[k] * cell[k]
    return total


@compiled("void(uint16[:,::1], int64[::1], float32[:,::1], float32[:,:])")
def products(
    weight,  # (n, H) the bits of halves, all finite: one run through memory
    places,  # (n,) where the product with each row belongs
    cells,  # (M, H)
    out,  # (M, V) written at these places
):
    """out[:, places] = cells · weightᵀ, in single precision."""
    row = np.empty(weight.shape[1], np.float32)
    for j in range(len(places)):
        widen(weight[j], row)
        for m in range(len(cells)):
            out[m, places[j]] = _product(row, cells[m])
