"""What is done to all V words of a cell: exponentials, sums, terms of divergences.

Single precision for what there are V of, double for what is summed: a sum of 15,000 numbers in
single precision loses its last digits, and a nearly certain word would cost the others theirs.
Where all are summed, four at a time are added up before they are widened, since half as many
doubles are taken at once.
"""

from __future__ import annotations

import numpy as np

from models.compiling import ANY_ORDER, AS_WRITTEN, loop
from models.compiling.elementary import exp, key, log, of_key

_F = np.float32
_HALF = _F(0.5)
_TINY = _F(1e-37)  # added before a logarithm is taken: 0 · log 0 is 0


@loop(fastmath=True)
def biased(x, bias, out):
    """The logits x with their biases; the largest and the least of them."""
    most = least = key(x[0] + bias[0])
    for i in range(len(x)):
        logit = x[i] + bias[i]
        out[i] = logit
        k = key(logit)
        most, least = max(most, k), min(least, k)
    return of_key(most), of_key(least)


@loop(fastmath=True)
def ends(x):
    """The largest and the least."""
    most = least = key(x[0])
    for i in range(len(x)):
        k = key(x[i])
        most, least = max(most, k), min(least, k)
    return of_key(most), of_key(least)


@loop(fastmath=True)
def largest(x):
    return ends(x)[0]


@loop(AS_WRITTEN)
def exponentials(x, most, out):
    for i in range(len(x)):
        out[i] = exp(x[i] - most)


@loop(ANY_ORDER)
def sums(x, most, e):
    """Σ e and Σ e · (x − most)."""
    quarter = len(x) // 4
    x0, x1, x2, x3 = _quarters(x, quarter)
    e0, e1, e2, e3 = _quarters(e, quarter)
    total, weighted = 0.0, 0.0
    for i in range(quarter):
        total += np.float64((e0[i] + e1[i]) + (e2[i] + e3[i]))
        two = e0[i] * (x0[i] - most) + e1[i] * (x1[i] - most)
        weighted += np.float64(two + (e2[i] * (x2[i] - most) + e3[i] * (x3[i] - most)))
    for i in range(4 * quarter, len(x)):
        total += np.float64(e[i])
        weighted += np.float64(e[i] * (x[i] - most))
    return total, weighted


@loop(ANY_ORDER)
def total(x):
    quarter = len(x) // 4
    x0, x1, x2, x3 = _quarters(x, quarter)
    total = 0.0
    for i in range(quarter):
        total += np.float64((x0[i] + x1[i]) + (x2[i] + x3[i]))
    for i in range(4 * quarter, len(x)):
        total += np.float64(x[i])
    return total


@loop()
def _quarters(x, quarter):
    return x[:quarter], x[quarter : 2 * quarter], x[2 * quarter : 3 * quarter], x[3 * quarter :]


@loop(ANY_ORDER)
def total_before(buckets, bucket, e):
    """Of the words that are in a bucket before one."""
    last = np.int16(bucket - 1)
    total = 0.0
    for i in range(len(buckets)):
        p = e[i]
        total += np.float64(p if buckets[i] <= last else _F(0))
    return total


@loop(AS_WRITTEN)
def both(e, scale, y, scale_y, out):
    """2m ln 2m of 2m = p + y."""
    for i in range(len(e)):
        v = e[i] * scale + (y[i] * scale_y + _TINY)
        out[i] = v * log(v)


@loop({"nsz"})  # nothing contracted: of equals each term is exactly 0
def terms(e, scale, other, scale_other, out):
    """p ln (p / m) of m = (p + q) / 2."""
    for i in range(len(e)):
        p = e[i] * scale
        m = (p + other[i] * scale_other) * _HALF
        v = (p + _TINY) / (m + _TINY)
        out[i] = p * log(v)
