"""The numbers of one cell, compiled: every line that touches V words is a run through memory.

R timesteps, C columns (the output last), V words in the order of `WordOrder`, K classes, B bars. V′
is V or a few more, so that rows start at lines of the processor's cache.
"""

from __future__ import annotations

import numpy as np

from models.compiling import compiled, loop
from models.compiling.taking import take
from models.decode.buckets import bucket_of, counted, in_buckets
from models.decode.masses import add_up, last_of
from models.decode.order import most_likely
from models.decode.search import found, rank
from models.decode.sums import biased, both, ends, exponentials, largest, sums, terms, total

_F = np.float32
_LN2 = float(np.log(2))


@loop()
def _logits(x, column, biases, scratch):
    """A cell's logits with their biases; the largest and the least of them."""
    if len(biases) == 0:
        most, lowest = ends(x)
        return x, most, lowest
    row = scratch[: len(x)]
    most, lowest = biased(x, biases[column], row)
    return row, most, lowest


@loop()
def _asked(row, buckets, ids, e, whole, place):
    """Rank and probability of the word at a place."""
    return rank(row, buckets, ids, place), e[place] / whole


@compiled(
    "void(int64[::1], int64, float32[:,:,::1], float32[:,::1], int64[::1], int64[::1], int64[::1],"
    "int64[::1], int64[:,::1], int64[::1], int64, int64[::1], int64[::1], int64, float32[:,::1],"
    "int16[::1], int16[::1], int32[:,::1], int64[:,::1], int32[:,:,::1], float32[:,:,::1],"
    "float32[:,:,::1], float32[:,::1], float32[:,::1], int32[:,::1], float32[:,::1], int32[::1],"
    "float32[::1], float32[::1], int32[:,::1], float32[:,::1])",
)
def cells(
    shared,  # `pieces`, of the threads that write these cells
    parts,  # of a timestep's columns, each a piece
    x,  # (R, C, V′) logits
    biases,  # (C, V′) that are to be added yet, or (0, V′)
    ids,  # (V,) of the word at each place
    place_of,  # (V,) its inverse
    classes,  # (V,) of each word by id, as asked for
    sorted_by,  # (V,) the same, as the places are sorted by
    runs,  # (·, 3) class, first place and the one after the last
    moved,  # places of the words whose two classes differ
    top_words,
    labels,  # (R,) ids of words that are asked for in every column, −1 for none
    following,  # (R,) id of the actual next word, −1 for none
    watch,  # id of a word that is asked for in every cell, −1 for none
    rows,  # (4, V′) scratch
    buckets,  # (V,) scratch
    likely,  # (V,) scratch
    counts,  # (TABLES, BUCKETS) scratch
    places,  # (2, V) scratch
    top_ids,  # (R, C, B) out, and all that follow; see `Decoded`
    top_probs,  # (R, C, B)
    mass,  # (R, C, K)
    entropy,  # (R, C)
    divergence,  # (R, C)
    label_ranks,  # (R, C)
    label_probs,  # (R, C)
    next_ranks,  # (R,)
    next_probs,  # (R,)
    surprisal,  # (R,)
    watch_ranks,  # (R, C), or none
    watch_probs,
):
    """From the logits of some timesteps to their numbers in the grid: of the pieces that no other
    thread takes."""
    output, bars, words = x.shape[1] - 1, top_ids.shape[2], len(ids)
    near, chosen = places[0], places[1]
    masses = np.zeros(mass.shape[2])
    y, other, both_terms = rows[0][:words], rows[1][:words], rows[2][:words]
    scale_y, nats_y, whole_y, weighted_y = _F(0), 0.0, 0.0, 0.0
    of = -1  # the timestep whose output is y
    while True:
        piece = take(shared.ctypes.data)
        r, part = piece // parts, piece % parts
        if r >= len(x):
            return
        if r != of:
            row, most, _ = _logits(x[r, output][:words], output, biases, rows[3])
            exponentials(row, most, y)
            whole_y, weighted_y = sums(row, most, y)
            scale_y, nats_y = _F(1.0 / whole_y), np.log(whole_y) - weighted_y / whole_y
            of = r
        for c in range(part * x.shape[1] // parts, (part + 1) * x.shape[1] // parts):
            row, most, lowest = _logits(x[r, c][:words], c, biases, rows[3])
            e, whole, weighted = y, whole_y, weighted_y
            if c != output:  # the others are compared with it
                e = other
                exponentials(row, most, e)
                whole, weighted = sums(row, most, e)

            in_buckets(row, most, lowest, buckets)
            counted(buckets, max(bars, top_words), likely, counts)
            bucket, _ = bucket_of(counts[0], bars)
            n = found(buckets, 0, bucket, near)
            most_likely(row, ids, near[:n], chosen[:bars])
            for b in range(bars):
                top_ids[r, c, b] = ids[chosen[b]]
                top_probs[r, c, b] = e[chosen[b]] / whole

            nats = np.log(whole) - weighted / whole
            entropy[r, c] = max(nats, 0.0) / _LN2
            divergence[r, c] = 0.0
            if c != output:
                # H(m) − ½ H(p) − ½ H(y), m = (p + y) / 2; rounding may leave 0 … 1.
                both(e, _F(1.0 / whole), y, scale_y, both_terms)
                bits = 1 - (total(both_terms) + nats + nats_y) / (2 * _LN2)
                divergence[r, c] = min(max(bits, 0.0), 1.0)

            label_ranks[r, c], label_probs[r, c] = 0, np.nan
            if labels[r] >= 0:
                place = place_of[labels[r]]
                label_ranks[r, c], label_probs[r, c] = _asked(row, buckets, ids, e, whole, place)
            if watch >= 0:
                place = place_of[watch]
                watch_ranks[r, c], watch_probs[r, c] = _asked(row, buckets, ids, e, whole, place)
            if c == output:
                next_ranks[r], next_probs[r], surprisal[r] = 0, np.nan, np.nan
                if following[r] >= 0:
                    place = place_of[following[r]]
                    next_ranks[r], next_probs[r] = _asked(row, buckets, ids, e, whole, place)
                    # Also where the probability is 0 in single precision.
                    nats = np.log(whole) - (np.float64(row[place]) - np.float64(most))
                    surprisal[r] = (0.0 if nats < 0 else nats) / _LN2  # nan stays nan

            bucket, n = last_of(row, ids, place_of, buckets, counts[0], top_words, near, chosen)
            last = chosen[:n]
            add_up(e, buckets, bucket, last, ids, runs, moved, sorted_by, classes, masses)
            for k in range(len(masses)):
                mass[r, c, k] = max(masses[k], 0.0) / whole


@compiled("void(float32[:,::1], float32[:,::1], float32[:,::1], float64[::1])")
def divergences(first, second, rows, out):
    """Jensen–Shannon, in bits, of the distributions of logits (N, V), row by row, into out (N,); 0
    exactly for equals, 1 for disjoint ones. rows: (3, V) scratch.
    """
    p, q = rows[0], rows[1]
    for n in range(len(first)):
        for x, e in ((first[n], p), (second[n], q)):
            exponentials(x, largest(x), e)
        scale_p, scale_q = _F(1.0 / total(p)), _F(1.0 / total(q))
        terms(p, scale_p, q, scale_q, rows[2])
        nats = total(rows[2])
        terms(q, scale_q, p, scale_p, rows[2])
        nats += total(rows[2])
        out[n] = min(max(nats / (2 * _LN2), 0.0), 1.0)
