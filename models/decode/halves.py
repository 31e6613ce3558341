"""Matrices kept in half precision, read as they are: half the memory, and no copy of it.

V words, H units, M cells, n words of a piece. Widened first, a piece at a time, and multiplied by a
library, a matrix takes three times as long with one cell, and less with twenty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.decode.compiling import compiled

# Up to so many cells: with many, to widen first is faster (docs/performance.md).
FEW = 8

_INT, _FLOAT = ir.IntType(32), ir.FloatType()
# A half's exponent counts from 15, a single's from 127: its bits, moved over, say 2⁻¹¹² of it.
_SCALE = np.float32(2.0**112)
# Sums may be taken in any order, and so several numbers at a time.
_ANY_ORDER = {"contract", "nsz", "reassoc"}


@intrinsic
def _small(_: Any, bits: Any) -> Any:
    """2⁻¹¹² of the number that 16 bits are in half precision, exact; of no infinity."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        moved = b.shl(b.sext(args[0], _INT), ir.Constant(_INT, 13))
        # Of the sign, spread over all that is in front, the first bit alone.
        return b.bitcast(b.and_(moved, ir.Constant(_INT, 0x8FFFE000)), _FLOAT)

    return types.float32(types.uint16), code


@compiled("void(uint16[:,::1], int64[::1], float32[:,::1], float32[:,:])", fastmath=_ANY_ORDER)
def products(
    weight,  # (n, H) the bits of halves, all finite: one run through memory
    places,  # (n,) where the product with each row belongs
    cells,  # (M, H)
    out,  # (M, V) written at these places
):
    """out[:, places] = cells · weightᵀ, in single precision."""
    units = weight.shape[1]
    row = np.empty(units, np.float32)
    for j in range(len(places)):
        bits = weight[j]
        for k in range(units):
            row[k] = _small(bits[k]) * _SCALE
        for m in range(len(cells)):
            cell = cells[m]
            total = np.float32(0)
            for k in range(units):
                total += row[k] * cell[k]
            out[m, places[j]] = total
