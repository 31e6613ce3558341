"""Memory that starts where a line of the processor's cache does: a vector of sixteen numbers that
lies across two lines is read at half the speed.
"""

from __future__ import annotations

import numpy as np
import torch

LINE = 16  # numbers of single precision: 64 bytes
PAIR = 2 * LINE  # a product of packed matrices writes as many at a time, or half of it


def whole_lines(count: int) -> int:
    """So many numbers of single precision, or the next more that fill pairs of lines."""
    return -(-count // PAIR) * PAIR


def empty(*shape: int) -> np.ndarray:
    """Single precision, with whatever is in it. torch starts at a line; numpy need not."""
    return torch.empty(shape).numpy()


def at_lines(rows: np.ndarray) -> np.ndarray:
    """A copy (N, M) of rows (N, m) that each start at a line, and end with zeros."""
    out = empty(len(rows), whole_lines(rows.shape[1]))
    out[:, : rows.shape[1]], out[:, rows.shape[1] :] = rows, 0
    return out
