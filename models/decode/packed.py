"""Matrices of half precision, packed for products with few vectors: they are read once, from the
first number to the last, and widened on the way. A library would read them in single precision,
twice as much memory.

N rows, K columns, M vectors in G groups; C kinds, R timesteps, H units, E that the decoder reads.
N′ and E′ are filled up to whole blocks of rows.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from models.compiling import compiled, has_many_registers, loop
from models.compiling.taking import take
from models.decode.block import ROWS, SIZES, multiply
from models.products import BY_TORCH

# Whether all products are fastest here: unless the library is Intel's own, or vectors of the
# processor hold eight numbers only. There, up to so many vectors (docs/performance.md).
ALWAYS = has_many_registers() and not BY_TORCH
FEW = 72

_RUN = 256 // ROWS  # blocks that a thread takes at a time: 150 kB of 300 columns


_FILLED = 1.05  # × as many vectors at most, with those that are filled up
_TIMESTEPS = 3


def timesteps_at_once(columns: int) -> int:
    """Of so many timesteps the cells are multiplied with little that is filled up."""
    counts = range(columns, _TIMESTEPS * columns + 1, columns)
    filled = [min(-(-count // size) * size for size in SIZES) / count for count in counts]
    return 1 + next((at for at, part in enumerate(filled) if part <= _FILLED), _TIMESTEPS - 1)


def is_fastest(count: int) -> bool:
    """Whether so many vectors are multiplied here faster than by a library."""
    return ALWAYS or count <= FEW


@loop()
def _in_groups(vectors, groups):
    """Vectors (M, K) into groups (G, K, ·), of which the last may be filled up with zeros."""
    size = groups.shape[2]
    for m in range(len(vectors)):
        group, vector = groups[m // size], vectors[m]
        for k in range(len(vector)):
            group[k, m % size] = vector[k]


@loop()
def _multiply(blocks, groups, starts, out, first, end):
    """out (M, ≥ N) of the blocks first … end − 1."""
    size, columns, apart = groups.shape[2], blocks.shape[1], out.strides[0]
    for g in range(len(groups)):
        vectors, added = groups[g].ctypes.data, starts[g].ctypes.data
        to, last = out.ctypes.data + g * size * apart, min(size, len(out) - g * size) - 1
        for at in range(first, end):
            rows, place = blocks[at].ctypes.data, 4 * ROWS * at
            multiply(size, rows, vectors, columns, added, place, to, apart, last)


@loop()
def _starts(added, groups):
    """Addresses of what is added to each vector's products: one after the other, and again."""
    size = groups.shape[2]
    starts = np.empty((len(groups), size), np.int64)
    for m in range(starts.size):
        starts[m // size, m % size] = added[m % len(added)].ctypes.data
    return starts


@loop()
def check(blocks, vectors, added, out, count):
    """Sums are begun and written by their addresses. Raises ValueError where the shapes do not
    fit."""
    if vectors.shape[1] != blocks.shape[1] or blocks.shape[1] == 0:
        raise ValueError("the vectors are not as long as the matrix is wide")
    words = len(blocks) * ROWS
    if len(out) != count or out.shape[1] < words:
        raise ValueError("there is no room for the sums")
    if len(added) == 0 or added.shape[1] < words:
        raise ValueError("there is not enough to be added")
    if out.strides[1] != 4:
        raise ValueError("the sums of a vector are to lie one beside the other")


@loop()
def _groups(count, columns):
    """Of the size that leaves the fewest to be filled up; of such, the largest."""
    best = SIZES[0]
    for size in SIZES:
        if -(-count // size) * size <= -(-count // best) * best:
            best = size
    return np.zeros((-(-count // best), columns, best), np.float32)


@loop()
def multiply_all(blocks, vectors, added, out):
    """out[m, :N] = matrix · vectors[m] + added[m mod C], by one thread."""
    groups = _groups(len(vectors), vectors.shape[1])
    _in_groups(vectors, groups)
    _multiply(blocks, groups, _starts(added, groups), out, 0, len(blocks))


@compiled("void(int64[::1], uint16[:,:,::1], float32[:,:], float32[:,::1], float32[:,:])")
def products(
    shared,  # `pieces`, of the threads that multiply these
    blocks,  # (N′ / ROWS, K, ROWS) a matrix, `packed`
    vectors,  # (M, K)
    added,  # (C, ≥ N′)
    out,  # (M, ≥ N′), each row one run through memory
):
    """out[m, :N] = matrix · vectors[m] + added[m mod C], of the pieces that no other thread takes.
    Raises ValueError where the shapes do not fit."""
    check(blocks, vectors, added, out, len(vectors))
    if shared[0] * _RUN >= len(blocks):  # others have taken all while this thread awoke
        return
    groups = _groups(len(vectors), vectors.shape[1])
    _in_groups(vectors, groups)
    starts = _starts(added, groups)
    while True:
        first = take(shared.ctypes.data) * _RUN
        if first >= len(blocks):
            return
        _multiply(blocks, groups, starts, out, first, min(first + _RUN, len(blocks)))


@compiled(
    "void(int64[::1], uint16[:,:,:,::1], float32[:,::1], float32[:,:,:], float32[:,:,:])",
)
def projections(
    shared,  # `pieces`, of the threads that compute these
    matrices,  # (C, E′ / ROWS, H, ROWS) each `packed`
    offsets,  # (C, ≥ E′)
    states,  # (C, R, H)
    out,  # (R, ≥ C, ≥ E′)
):
    """out[:, k, :E] = P_k h + q_k, of each kind's states h, likewise."""
    if not len(matrices) == len(states) == len(offsets) <= out.shape[1]:
        raise ValueError("there are not as many kinds of each")
    while True:
        k = take(shared.ctypes.data)
        if k >= len(matrices):
            return
        added = offsets[k : k + 1]
        check(matrices[k], states[k], added, out[:, k], states.shape[1])
        multiply_all(matrices[k], states[k], added, out[:, k])


def packed(matrix: Tensor) -> np.ndarray:
    """(N′ / ROWS, K, ROWS): the bits of a matrix (N, K), N filled up to whole blocks of rows."""
    rows, columns = matrix.shape
    blocks = -(-rows // ROWS)
    whole = matrix.new_zeros(blocks * ROWS, columns, dtype=torch.float16)
    whole[:rows] = matrix
    return whole.view(blocks, ROWS, columns).transpose(1, 2).contiguous().numpy().view(np.uint16)
