"""Work that threads of compiled code share out among them: each takes the next piece that nobody
has, without Python's lock, which they would wait for after every piece.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def pieces() -> np.ndarray:
    """What is shared of one run: the number of the next piece, from 0."""
    return np.zeros(1, np.int64)


@intrinsic
def take(_: Any, pieces: Any) -> Any:
    """The number of a piece that no other thread takes; of the address of `pieces`."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        number = ir.IntType(64)
        next_ = b.inttoptr(args[0], number.as_pointer())
        return b.atomic_rmw("add", next_, ir.Constant(number, 1), "monotonic")

    return types.int64(types.int64), code
