"""The numbers of one cell, compiled: every line that touches V words is a run through memory.

C columns (the output last), V words in the order of `WordOrder`, K classes, B bars. numba turns
these functions into loops over eight words at a time. All of them stand in this file: numba keeps
what it compiled until the file of the outermost function changes.

Single precision for what there are V of, double for what is summed: a sum of 15,000 numbers in
single precision loses its last digits, and a nearly certain word would cost the others theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from models.decode.compiling import compiled

BUCKETS = 2048
_F = np.float32
_LAST = _F(BUCKETS - 1)
_CHUNK = 64
_TINY = _F(1e-37)  # added before a logarithm is taken: 0 · log 0 is 0

# exp and log as in the Cephes library (S. Moshier; expf.c, logf.c): to the last digit or the one
# before. ln 2 in two parts, the first short enough for its multiples to be exact.
_LOG2E, _LN2_HIGH, _LN2_LOW = _F(1.44269504088896341), _F(0.693359375), _F(-2.12194440e-4)
_E5, _E4, _E3 = _F(1.9875691500e-4), _F(1.3981999507e-3), _F(8.3334519073e-3)
_E2, _E1, _E0 = _F(4.1665795894e-2), _F(1.6666665459e-1), _F(5.0000001201e-1)
_L8, _L7, _L6 = _F(7.0376836292e-2), _F(-1.1514610310e-1), _F(1.1676998740e-1)
_L5, _L4, _L3 = _F(-1.2420140846e-1), _F(1.4249322787e-1), _F(-1.6668057665e-1)
_L2, _L1, _L0 = _F(2.0000714765e-1), _F(-2.4999993993e-1), _F(3.3333331174e-1)
_LN2 = float(np.log(2))
_HALF, _ONE, _LEAST = _F(0.5), _F(1), _F(-87)  # exp of less is no normal number: 0
_INT, _FLOAT = ir.IntType(32), ir.FloatType()

# Sums may be taken in any order; what rounds on purpose (exp, log) is left as it is written.
_AS_WRITTEN = {"contract", "nsz"}
_ANY_ORDER = {"contract", "nsz", "reassoc"}


@intrinsic
def _power_of_two(_: Any, n: Any) -> Any:
    """2ⁿ of a 32-bit n: numba would widen the sum, and eight at a time would be four."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        exponent = b.add(args[0], ir.Constant(_INT, 127))
        return b.bitcast(b.shl(exponent, ir.Constant(_INT, 23)), _FLOAT)

    return types.float32(types.int32), code


@intrinsic
def _exponent(_: Any, x: Any) -> Any:
    """n of x = m · 2ⁿ, √½ ≤ m < √2, for a positive normal x."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        above = b.sub(b.bitcast(args[0], _INT), ir.Constant(_INT, 0x3F3504F3))  # the bits of √½
        return b.ashr(above, ir.Constant(_INT, 23))

    return types.int32(types.float32), code


@intrinsic
def _mantissa(_: Any, x: Any, n: Any) -> Any:
    """m of x = m · 2ⁿ."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        shifted = b.shl(args[1], ir.Constant(_INT, 23))
        return b.bitcast(b.sub(b.bitcast(args[0], _INT), shifted), _FLOAT)

    return types.float32(types.float32, types.int32), code


def _turned(b: Any, bits: Any) -> Any:
    """The bits of a negative number but for its sign turned over, which is its own inverse."""
    negative = b.ashr(bits, ir.Constant(_INT, 31))
    return b.xor(bits, b.and_(negative, ir.Constant(_INT, 0x7FFFFFFF)))


@intrinsic
def _key(_: Any, x: Any) -> Any:
    """A whole number that is larger for a larger x. The largest of whole numbers is found eight at
    a time; of floats one after the other, each waiting for the one before."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        return _turned(b, b.bitcast(args[0], _INT))

    return types.int32(types.float32), code


@intrinsic
def _of_key(_: Any, key: Any) -> Any:
    """The inverse of `_key`."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        return b.bitcast(_turned(b, args[0]), _FLOAT)

    return types.float32(types.int32), code


@njit(nogil=True, fastmath=True)
def _biased(x, bias, out):
    """The logits x with their biases; the largest and the least of them."""
    most = least = _key(x[0] + bias[0])
    for i in range(len(x)):
        logit = x[i] + bias[i]
        out[i] = logit
        key = _key(logit)
        most, least = max(most, key), min(least, key)
    return _of_key(most), _of_key(least)


@njit(nogil=True, fastmath=_AS_WRITTEN)
def _exponentials(x, most, out):
    for i in range(len(x)):
        below = x[i] - most
        d = below if below > _LEAST else _LEAST
        n = np.int32(d * _LOG2E - _HALF)  # to the nearest: d is not positive
        whole = _F(n)
        r = d - whole * _LN2_HIGH - whole * _LN2_LOW
        p = ((((_E5 * r + _E4) * r + _E3) * r + _E2) * r + _E1) * r + _E0
        power = (p * (r * r) + r + _ONE) * _power_of_two(n)
        out[i] = power if below > _LEAST else _F(0)


@njit(nogil=True, fastmath=_ANY_ORDER)
def _sums(x, most, e):
    """Σ e and Σ e · (x − most)."""
    total, weighted = 0.0, 0.0
    for i in range(len(x)):
        total += np.float64(e[i])
        weighted += np.float64(e[i] * (x[i] - most))
    return total, weighted


@njit(inline="always")  # so that what rounds is the caller's choice
def _log(v):
    """ln v of a positive normal v."""
    n = _exponent(v)
    whole = _F(n)
    r = _mantissa(v, n) - _ONE
    z = r * r
    p = ((((_L8 * r + _L7) * r + _L6) * r + _L5) * r + _L4) * r + _L3
    p = ((p * r + _L2) * r + _L1) * r + _L0
    p = p * r * z + whole * _LN2_LOW - _HALF * z
    return r + p + whole * _LN2_HIGH


@njit(nogil=True, fastmath=_AS_WRITTEN)
def _both(e, scale, y, scale_y, out):
    """2m ln 2m of 2m = p + y."""
    for i in range(len(e)):
        v = e[i] * scale + y[i] * scale_y + _TINY
        out[i] = v * _log(v)


@njit(nogil=True, fastmath={"nsz"})  # nothing contracted: of equals each term is exactly 0
def _terms(e, scale, other, scale_other, out):
    """p ln (p / m) of m = (p + q) / 2."""
    for i in range(len(e)):
        p = e[i] * scale
        m = (p + other[i] * scale_other) * _HALF
        v = (p + _TINY) / (m + _TINY)
        out[i] = p * _log(v)


@njit(nogil=True, fastmath=True)
def _largest(x):
    most = _key(x[0])
    for i in range(len(x)):
        most = max(most, _key(x[i]))
    return _of_key(most)


@njit(nogil=True, fastmath=_ANY_ORDER)
def _total(x):
    total = 0.0
    for i in range(len(x)):
        total += np.float64(x[i])
    return total


@njit(nogil=True, fastmath=_ANY_ORDER)
def _total_above(x, least, e):
    total = 0.0
    for i in range(len(x)):
        p = e[i]
        total += np.float64(p if x[i] > least else _F(0))
    return total


@njit(nogil=True, fastmath=_AS_WRITTEN)
def _buckets(x, most, scale, out):
    """The bucket of each logit: the larger the logit, the smaller the bucket, or equal."""
    for i in range(len(x)):
        place = (most - x[i]) * scale
        out[i] = np.int16(np.int32(place if place < _LAST else _LAST))


@njit(nogil=True)
def _counted(buckets, counts):
    counts[:] = 0
    for i in range(len(buckets)):
        counts[buckets[i]] += 1


@njit(nogil=True)
def _bucket_of(counts, n):
    """The bucket of the n-th largest, and how many lie before it."""
    before = 0
    for bucket in range(len(counts)):
        if before + counts[bucket] >= n:
            return bucket, before
        before += counts[bucket]
    return len(counts) - 1, before


@njit(nogil=True)
def _found(buckets, first, last, out):
    """Write the places of the words in the buckets first … last; how many there are."""
    n = 0
    # One comparison for both ends, and as many words as are known beforehand: eight at a time.
    start, width = np.int32(first), np.uint32(last - first)
    whole = len(buckets) // _CHUNK * _CHUNK
    for at in range(0, whole, _CHUNK):
        any_ = np.int32(0)
        for i in range(_CHUNK):
            any_ += np.int32(np.uint32(np.int32(buckets[at + i]) - start) <= width)
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


@njit(nogil=True)
def _before(x, ids, a, b):
    """Whether the word at a is more likely than that at b; equal ones go by id."""
    return x[a] > x[b] or (x[a] == x[b] and ids[a] < ids[b])


@njit(nogil=True)
def _most_likely(x, ids, places, out):
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


@njit(nogil=True, fastmath=True)
def _rank(x, ids, place):
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


@compiled(
    "void(float32[:,::1], float32[:,::1], int64, int64, int64[::1], int64[::1], int64[::1],"
    "int64[:,::1], int64[::1], int64, int64[::1], int64, float32[:,::1], int16[::1], int32[::1],"
    "int64[:,::1], int32[:,::1], float32[:,::1], float32[:,::1], float32[::1], float32[::1],"
    "int32[:,::1], float32[:,::1], float64[::1])",
)
def timestep(
    x,  # (C, V) logits without biases
    biases,  # (C, V)
    first,  # the columns first … end − 1 are written
    end,
    ids,  # (V,) of the word at each place
    classes,  # (V,) of each word by id, as asked for
    sorted_by,  # (V,) the same, as the places are sorted by
    runs,  # (·, 3) class, first place and the one after the last
    moved,  # places of the words whose two classes differ
    top_words,
    asked,  # (A,) places of words that are asked for in every column, −1 for none
    following,  # place of the actual next word, −1 for none
    rows,  # (4, V) scratch
    buckets,  # (V,) scratch
    counts,  # (BUCKETS,) scratch
    places,  # (2, V) scratch
    top_ids,  # (C, B) out, and all that follow; see `Decoded`
    top_probs,  # (C, B)
    mass,  # (C, K)
    entropy,  # (C,)
    divergence,  # (C,)
    ranks,  # (C, A)
    probs,  # (C, A), nan for none
    of_next,  # (3,) with the output: its rank, probability and natural logarithm; 0, nan, nan
):
    """From the logits of a timestep to its numbers in the grid."""
    output, bars = len(x) - 1, top_ids.shape[1]
    found, chosen = places[0], places[1]
    sums = np.zeros(mass.shape[1])
    row, y = rows[0], rows[1]
    # The output first: the others are compared with it.
    most, lowest = _biased(x[output], biases[output], row)
    _exponentials(row, most, y)
    total, weighted = _sums(row, most, y)
    scale_y, nats_y = _F(1.0 / total), np.log(total) - weighted / total
    for c in range(end - 1, first - 1, -1):
        e = y if c == output else rows[2]
        if c != output:
            most, lowest = _biased(x[c], biases[c], row)
            _exponentials(row, most, e)
            total, weighted = _sums(row, most, e)

        spread = most - lowest
        _buckets(row, most, _LAST / spread if spread > 0 else _F(0), buckets)
        _counted(buckets, counts)
        bucket, _ = _bucket_of(counts, bars)
        n = _found(buckets, 0, bucket, found)
        _most_likely(row, ids, found[:n], chosen[:bars])
        for b in range(bars):
            top_ids[c, b] = ids[chosen[b]]
            top_probs[c, b] = e[chosen[b]] / total

        nats = np.log(total) - weighted / total
        entropy[c] = max(nats, 0.0) / _LN2
        divergence[c] = 0.0
        if c != output:
            # H(m) − ½ H(p) − ½ H(y), m = (p + y) / 2; rounding may leave 0 … 1.
            _both(e, _F(1.0 / total), y, scale_y, rows[3])
            bits = 1 - (_total(rows[3]) + nats + nats_y) / (2 * _LN2)
            divergence[c] = min(max(bits, 0.0), 1.0)

        for a in range(len(asked)):
            ranks[c, a], probs[c, a] = 0, np.nan
            if asked[a] >= 0:
                ranks[c, a] = _rank(row, ids, asked[a])
                probs[c, a] = e[asked[a]] / total
        if c == output:
            of_next[:] = np.nan
            of_next[0] = 0
            if following >= 0:
                of_next[0] = _rank(row, ids, following)
                of_next[1] = e[following] / total
                # Also where the probability is 0 in single precision.
                of_next[2] = np.float64(row[following]) - np.float64(most) - np.log(total)

        # The last of the words whose masses are summed; of those equal to it, the first by id.
        bucket, before = _bucket_of(counts, top_words)
        n = _found(buckets, bucket, bucket, found)
        some = np.empty(n, np.float32)
        for i in range(n):
            some[i] = row[found[i]]
        some.sort()
        least = some[n - (top_words - before)]
        equal, above = 0, before
        for i in range(n):
            above += row[found[i]] > least
            if row[found[i]] == least:
                found[equal] = found[i]
                equal += 1
        kept = chosen[: top_words - above]
        _most_likely(row, ids, found[:equal], kept)
        sums[:] = 0
        for k in range(len(runs)):
            a, b = runs[k, 1], runs[k, 2]
            sums[runs[k, 0]] += _total_above(row[a:b], least, e[a:b])
        for place in moved:
            if row[place] > least:
                sums[sorted_by[ids[place]]] -= e[place]
                sums[classes[ids[place]]] += e[place]
        for place in kept:
            sums[classes[ids[place]]] += e[place]
        for k in range(len(sums)):
            mass[c, k] = max(sums[k], 0.0) / total


@compiled("void(float32[:,::1], float32[:,::1], float32[:,::1], float64[::1])")
def divergences(first, second, rows, out):
    """Jensen–Shannon, in bits, of the distributions of logits (N, V), row by row, into out (N,); 0
    exactly for equals, 1 for disjoint ones. rows: (3, V) scratch.
    """
    p, q = rows[0], rows[1]
    for n in range(len(first)):
        for x, e in ((first[n], p), (second[n], q)):
            _exponentials(x, _largest(x), e)
        scale_p, scale_q = _F(1.0 / _total(p)), _F(1.0 / _total(q))
        _terms(p, scale_p, q, scale_q, rows[2])
        nats = _total(rows[2])
        _terms(q, scale_q, p, scale_p, rows[2])
        nats += _total(rows[2])
        out[n] = min(max(nats / (2 * _LN2), 0.0), 1.0)
