"""Words by how likely they are, in buckets: where the n-th of V lies is found by counting, without
an order of all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling import AS_WRITTEN, keeps_some, loop
from models.compiling.elementary import in_all

BUCKETS = 2048
TABLES = 4
_F = np.float32
_LAST = _F(BUCKETS - 1)
_DEEPEST = _F(88)  # below the largest logit: `elementary.exp` of less is 0
_CHUNK = 64
_SAMPLED = 16  # every so many words, where not all are counted
_FROM = 2048  # words
_AT_ONCE = 32
_KEEPS = keeps_some()

_NUMBERS = ir.VectorType(ir.IntType(16), _AT_ONCE)
_ANY = ir.Constant(_NUMBERS, ir.Undefined)


@loop(AS_WRITTEN)
def in_buckets(x, most, least, out):
    """The bucket of each of the logits x, of which the largest and the least are given: the larger
    the logit, the smaller the bucket, or equal. What is so far below the largest that its
    exponential is 0 is in the last one: of buckets as wide as one logit of −10⁹ would make them,
    one would have all the others."""
    spread = min(most - least, _DEEPEST)
    scale = _LAST / spread if spread > 0 else _F(0)
    for i in range(len(x)):
        place = (most - x[i]) * scale
        out[i] = np.int16(np.int32(place if place < _LAST else _LAST))


@loop()
def counted(buckets, n, likely, counts):
    """How many words are in each bucket, into counts[0]: up to that of the n-th largest at least.

    counts: (TABLES, BUCKETS). likely: (V,) scratch. A sample tells up to where n words lie,
    as good as surely: those that lie further are left out, and if too many were, all are counted.
    """
    if _KEEPS and len(buckets) >= _FROM and 4 * n <= len(buckets):
        sampled = counts[0]
        _none(sampled)
        for i in range(0, len(buckets), _SAMPLED):
            sampled[np.uint64(buckets[i])] += 1
        wanted = n / _SAMPLED
        last, _ = bucket_of(sampled, int(wanted + 4 * np.sqrt(wanted)) + 8)
        some = likely[: keep_up_to(buckets, last, likely)]
        if len(some) >= n:
            _none(counts[0])
            for i in range(len(some)):  # so few that a second table would cost more than it saves
                counts[0, np.uint64(some[i])] += 1
            return
    counted_all(buckets, counts)


@loop()
def _none(counts):
    for k in range(len(counts)):
        counts[k] = 0


@loop()
def counted_all(buckets, counts):
    """How many are in each bucket, into counts[0]. In several tables: of one each count would wait
    for the one before, where both are of the same bucket."""
    first, second, third, fourth = counts[0], counts[1], counts[2], counts[3]
    for table in range(TABLES):
        _none(counts[table])
    whole = len(buckets) // TABLES * TABLES
    for i in range(0, whole, TABLES):  # of numbers without a sign none counts from the end
        first[np.uint64(buckets[i])] += 1
        second[np.uint64(buckets[i + 1])] += 1
        third[np.uint64(buckets[i + 2])] += 1
        fourth[np.uint64(buckets[i + 3])] += 1
    for i in range(whole, len(buckets)):
        first[np.uint64(buckets[i])] += 1
    for k in range(BUCKETS):
        first[k] += second[k] + third[k] + fourth[k]


@loop()
def keep_up_to(buckets, last, out):
    """Write those of the buckets that are ``last`` or less, in order; how many they are. out: as
    long as the buckets, since what is written at a time goes no further than what was read."""
    n, whole = 0, len(buckets) // _AT_ONCE * _AT_ONCE
    at, to, limit = buckets.ctypes.data, out.ctypes.data, np.int16(last)
    for i in range(0, whole, _AT_ONCE):
        n += _keep(at + 2 * i, limit, to + 2 * n)
    for i in range(whole, len(buckets)):
        if buckets[i] <= limit:
            out[n] = buckets[i]
            n += 1
    return n


@intrinsic
def _keep(_: Any, at: Any, limit: Any, to: Any) -> Any:
    """Of the numbers at an address those up to a limit, one beside the other; how many."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        at, limit, to = args
        numbers = b.load(b.inttoptr(at, _NUMBERS.as_pointer()), align=2)
        up_to = b.icmp_signed("<=", numbers, in_all(b, limit, _AT_ONCE))
        compress = b.module.declare_intrinsic(
            f"llvm.experimental.vector.compress.v{_AT_ONCE}i16",
            (),
            ir.FunctionType(_NUMBERS, [_NUMBERS, up_to.type, _NUMBERS]),
        )
        b.store(
            b.call(compress, [numbers, up_to, _ANY]),
            b.inttoptr(to, _NUMBERS.as_pointer()),
            align=2,
        )
        flags = ir.IntType(_AT_ONCE)
        count = b.module.declare_intrinsic("llvm.ctpop", [flags])
        return b.zext(b.call(count, [b.bitcast(up_to, flags)]), ir.IntType(64))

    return types.int64(types.int64, types.int16, types.int64), code


@loop()
def bucket_of(counts, n):
    """The bucket of the n-th largest, and how many lie before it."""
    before = 0
    for at in range(0, len(counts), _CHUNK):
        some, more = counts[at : at + _CHUNK], 0
        for i in range(_CHUNK):
            more += some[i]
        if before + more >= n:
            for i in range(_CHUNK):
                if before + some[i] >= n:
                    return at + i, before
                before += some[i]
        before += more
    return len(counts) - 1, before
