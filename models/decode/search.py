"""Words by their buckets: which are in some of them, and how many are in those before.

Of 64 words at a time the answer is one number of 64 bits, a bit for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling import loop
from models.compiling.elementary import in_all

_AT_ONCE = 64
_BUCKETS = ir.VectorType(ir.IntType(16), _AT_ONCE)
_BITS = ir.IntType(_AT_ONCE)


@intrinsic
def _within(_: Any, at: Any, first: Any, width: Any) -> Any:
    """Of the 64 buckets at an address, a bit for each that is one of first … first + width."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        at, first, width = args
        buckets = b.load(b.inttoptr(at, _BUCKETS.as_pointer()), align=2)
        above = b.sub(buckets, in_all(b, first, _AT_ONCE))  # one comparison for both ends
        return b.bitcast(b.icmp_unsigned("<=", above, in_all(b, width, _AT_ONCE)), _BITS)

    return types.uint64(types.int64, types.int16, types.int16), code


def _counting(name: str, *more: Any) -> Any:
    """A count of bits that LLVM knows by name."""

    def typing(_: Any, bits: Any) -> Any:
        def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
            given = ir.FunctionType(_BITS, [_BITS, *[ir.IntType(1) for _ in more]])
            count = b.module.declare_intrinsic(name, [_BITS], given)
            return b.call(count, [args[0], *[ir.Constant(ir.IntType(1), flag) for flag in more]])

        return types.int64(types.uint64), code

    return intrinsic(typing)


_ones = _counting("llvm.ctpop")
_lowest = _counting("llvm.cttz", 1)  # its place; of 0 it says nothing


@loop()
def _without_lowest(bits):
    return bits & (bits - np.uint64(1))


@loop()
def found(buckets, first, last, out):
    """Write the places of the words in the buckets first … last; how many there are."""
    n = 0
    if last < first:
        return n
    start, width = np.int16(first), np.int16(last - first)
    at, whole = buckets.ctypes.data, len(buckets) // _AT_ONCE * _AT_ONCE
    for i in range(0, whole, _AT_ONCE):
        bits = _within(at + 2 * i, start, width)
        while bits:  # few of them hold one
            out[n] = i + _lowest(bits)
            n += 1
            bits = _without_lowest(bits)
    for i in range(whole, len(buckets)):
        if first <= buckets[i] <= last:
            out[n] = i
            n += 1
    return n


@loop()
def rank(x, buckets, ids, place):
    """Rank from 1 of the word at a place; equal logits go by id."""
    own, bucket = x[place], buckets[place]
    above = 0
    at, whole = buckets.ctypes.data, len(buckets) // _AT_ONCE * _AT_ONCE
    for i in range(0, whole, _AT_ONCE):
        if bucket > 0:
            above += _ones(_within(at + 2 * i, np.int16(0), np.int16(bucket - 1)))
        bits = _within(at + 2 * i, bucket, np.int16(0))
        while bits:
            other = i + _lowest(bits)
            above += x[other] > own or (x[other] == own and ids[other] < ids[place])
            bits = _without_lowest(bits)
    for i in range(whole, len(buckets)):
        above += x[i] > own or (x[i] == own and ids[i] < ids[place])
    return above + 1
