"""A matrix of half precision, packed for products with few vectors: it is read once, from its first
number to its last, and its numbers are widened on the way. A library would read one of single
precision, twice as much memory.

N rows, K columns, M vectors; C kinds, R timesteps, H units, E that the decoder reads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from torch import Tensor

from models.compiling import compiled, has_many_registers, loop
from models.compiling.elementary import widened

# Up to so many vectors: with many, the library is faster (docs/performance.md).
FEW = 72

# Rows at a time, a vector of the processor's each; and vectors at a time, whose sums all stay in
# its registers: of 32, or of 16 that hold half as much.
_ROWS = 16
_VECTORS = 18 if has_many_registers() else 6
_RUN = 32  # blocks of rows that are taken with one group after the other: 300 kB of 300 columns

_INT, _LONG, _FLOAT = ir.IntType(32), ir.IntType(64), ir.FloatType()
_SUMS = ir.VectorType(_FLOAT, _ROWS)
_BITS = ir.VectorType(ir.IntType(16), _ROWS)
_SAME = ir.Constant(ir.VectorType(_INT, _ROWS), [0] * _ROWS)
_NONE = ir.Constant(_SUMS, [0.0] * _ROWS)


def _long(value: int) -> Any:
    return ir.Constant(_LONG, value)


@intrinsic
def _block(_: Any, rows: Any, vectors: Any, columns: Any, out: Any, apart: Any, last: Any) -> Any:
    """The products of _ROWS rows with the first of _VECTORS vectors, up to the ``last``. Addresses:
    of the rows (K, _ROWS), halves; of the vectors (K, _VECTORS); of what is written, for each
    vector so many bytes ``apart``."""

    def code(context: Any, b: Any, _signature: Any, args: Any) -> Any:
        rows, vectors, columns, out, apart, last = args
        before, column = b.block, b.append_basic_block("column")
        after = b.append_basic_block("sums")
        b.branch(column)
        b.position_at_end(column)
        k = b.phi(_LONG)
        sums = [b.phi(_SUMS) for _ in range(_VECTORS)]
        read = b.inttoptr(b.add(rows, b.mul(k, _long(2 * _ROWS))), _BITS.as_pointer())
        row = widened(b, b.load(read, align=2), _ROWS)
        first = b.add(vectors, b.mul(k, _long(4 * _VECTORS)))
        more = []
        for m, sum_ in enumerate(sums):
            at = b.inttoptr(b.add(first, _long(4 * m)), _FLOAT.as_pointer())
            one = b.insert_element(
                ir.Constant(_SUMS, ir.Undefined), b.load(at), ir.Constant(_INT, 0)
            )
            all_ = b.shuffle_vector(one, ir.Constant(_SUMS, ir.Undefined), _SAME)
            product = b.fmul(row, all_, flags=("contract",))
            more.append(b.fadd(product, sum_, flags=("contract",)))
        next_ = b.add(k, _long(1))
        for phi, start, new in zip(
            [k, *sums], [_long(0), *_VECTORS * [_NONE]], [next_, *more], strict=True
        ):
            phi.add_incoming(start, before)
            phi.add_incoming(new, column)
        b.cbranch(b.icmp_signed("<", next_, columns), column, after)
        b.position_at_end(after)
        # Those after the last are written where it belongs, before it is.
        for m, sum_ in reversed(list(enumerate(more))):
            there = b.select(b.icmp_signed("<", last, _long(m)), last, _long(m))
            at = b.add(out, b.mul(apart, there))
            b.store(sum_, b.inttoptr(at, _SUMS.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(*6 * [types.int64]), code


@loop()
def _grouped(vectors, group):
    """One group: vectors (m, K), of _VECTORS or fewer, into (K, _VECTORS)."""
    for m in range(len(vectors)):
        for k in range(len(group)):
            group[k, m] = vectors[m, k]


@loop()
def multiply(blocks, vectors, out, first, end, group):
    """out (M, ≥ N) = vectors (M, K) · matrixᵀ, of the blocks first … end − 1 of its rows: (N / _ROWS,
    K, _ROWS) the bits of halves. Each row of out is one run through memory. group: (K, _VECTORS)
    scratch."""
    columns, apart, to = blocks.shape[1], out.strides[0], out.ctypes.data
    for m in range(0, len(vectors), _VECTORS):
        some = vectors[m : m + _VECTORS]
        _grouped(some, group)
        for at in range(first, end):
            rows, place = blocks[at].ctypes.data, to + m * apart + 4 * _ROWS * at
            _block(rows, group.ctypes.data, columns, place, apart, len(some) - 1)


@compiled("void(uint16[:,:,::1], float32[:,:], float32[:,:], int64, int64)")
def products(blocks, vectors, out, first, end):
    """`multiply`, a run of blocks after the other: so many are still near when the next vectors
    come."""
    group = np.zeros((blocks.shape[1], _VECTORS), np.float32)
    for run in range(first, end, _RUN):
        multiply(blocks, vectors, out, run, min(run + _RUN, end), group)


@compiled(
    "void(uint16[:,:,:,::1], float32[:,::1], float32[:,:,:], float32[:,:,:], int64, int64)",
)
def projections(
    matrices,  # (C, E′ / _ROWS, H, _ROWS) the bits of halves
    offsets,  # (C, E)
    states,  # (C, R, H)
    out,  # (R, ≥ C, ≥ E′)
    first,  # of the kinds first … end − 1
    end,
):
    """out[:, k] = P_k h + q_k of every kind's states h."""
    group = np.zeros((states.shape[2], _VECTORS), np.float32)
    for k in range(first, end):
        multiply(matrices[k], states[k], out[:, k], 0, matrices.shape[1], group)
        for r in range(len(out)):
            row = out[r, k]
            for e in range(offsets.shape[1]):
                row[e] += offsets[k, e]


def packed(matrix: Tensor) -> np.ndarray:
    """(N′ / _ROWS, K, _ROWS): the bits of a matrix (N, K), N filled up to whole blocks of rows."""
    rows, columns = matrix.shape
    blocks = -(-rows // _ROWS)
    whole = matrix.new_zeros(blocks * _ROWS, columns, dtype=torch.float16)
    whole[:rows] = matrix
    return whole.view(blocks, _ROWS, columns).transpose(1, 2).contiguous().numpy().view(np.uint16)


def can_pack(matrix: Tensor) -> bool:
    """Whether all its numbers are finite ones of half precision."""
    return all(
        bool((some == (half := some.half())).all() and half.isfinite().all())
        for some in matrix.split(1024)  # of a large matrix no copy
    )
