"""The most likely of V words, without an order of all: words are counted by how likely they are,
in buckets, and only those of the buckets in question are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling import AS_WRITTEN, loop

BUCKETS = 2048
TABLES = 4
_F = np.float32
_LAST = _F(BUCKETS - 1)
_CHUNK = 64


@loop(AS_WRITTEN)
def in_buckets(x, most, least, out):
    """The bucket of each of the logits x, of which the largest and the least are given: the larger
    the logit, the smaller the bucket, or equal."""
    spread = most - least
    scale = _LAST / spread if spread > 0 else _F(0)
    for i in range(len(x)):
        place = (most - x[i]) * scale
        out[i] = np.int16(np.int32(place if place < _LAST else _LAST))


@loop()
def counted(buckets, counts):
    """How many words are in each bucket, into counts[0]. counts: (TABLES, BUCKETS), since of one
    table each count would wait for the one before, where both are of the same bucket."""
    first, second, third, fourth = counts[0], counts[1], counts[2], counts[3]
    for k in range(BUCKETS):
        first[k] = second[k] = third[k] = fourth[k] = 0
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
def bucket_of(counts, n):
    """The bucket of the n-th largest, and how many lie before it."""
    before = 0
    for bucket in range(len(counts)):
        if before + counts[bucket] >= n:
            return bucket, before
        before += counts[bucket]
    return len(counts) - 1, before


@intrinsic
def _seen(_: Any, seen: Any, bucket: Any, first: Any, width: Any) -> Any:
    """1 where a bucket is one of first … first + width, or where it was ``seen`` before; in sixteen
    bits, which numba would widen, and 32 at a time would be eight."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        seen, bucket, first, width = args
        within = b.icmp_unsigned("<=", b.sub(bucket, first), width)  # one comparison for both ends
        return b.or_(seen, b.zext(within, ir.IntType(16)))

    return types.int16(types.int16, types.int16, types.int16, types.int16), code


@loop()
def found(buckets, first, last, out):
    """Write the places of the words in the buckets first … last; how many there are."""
    n = 0
    start, width = np.int16(first), np.int16(last - first)
    # As many words at a time as are known beforehand: few of them hold one.
    whole = len(buckets) // _CHUNK * _CHUNK
    for at in range(0, whole, _CHUNK):
        any_ = np.int16(0)
        some = buckets[at : at + _CHUNK]
        for i in range(_CHUNK):
            any_ = _seen(any_, some[i], start, width)
        if any_:
            for i in range(at, at + _CHUNK):
                if first <= buckets[i] <= last:
                    out[n] = i
                    n += 1
    for i in range(whole, len(buckets)):
        if first <= buckets[i] <= last:
            out[n] = i
            n += 1
    return n


@loop()
def _before(x, ids, a, b):
    """Whether the word at a is more likely than that at b; equal ones go by id."""
    return x[a] > x[b] or (x[a] == x[b] and ids[a] < ids[b])


@loop()
def most_likely(x, ids, places, out):
    """Write the places of the most likely of ``places``, in order, as many as out holds."""
    n = 0
    for place in places:
        if n == len(out):
            if not _before(x, ids, place, out[n - 1]):
                continue
            n -= 1
        at = n
        while at > 0 and _before(x, ids, place, out[at - 1]):
            out[at] = out[at - 1]
            at -= 1
        out[at] = place
        n += 1


@loop(fastmath=True)
def rank(x, ids, place):
    """Rank from 1 of the word at a place; equal logits go by id."""
    own = x[place]
    above, equal = 0, 0
    for i in range(len(x)):
        above += np.int32(x[i] > own)
        equal += np.int32(x[i] == own)
    if equal > 1:
        for i in range(len(x)):
            above += x[i] == own and ids[i] < ids[place]
    return above + 1
