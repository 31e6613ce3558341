"""The numbers of one cell, compiled: every line that touches V words is a run through memory.

See `models.decode.arguments` for what is given.
"""

from __future__ import annotations

import numpy as np

from models.compiling import loop
from models.decode.buckets import bucket_of, counted, in_buckets
from models.decode.masses import add_up, last_of
from models.decode.order import most_likely
from models.decode.search import found, rank
from models.decode.sums import biased, both, ends, exponentials, sums, total

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
def _asked(row, words, scratch, e, whole, id):
    """Rank and probability of a word."""
    place = words.place_of[id]
    return rank(row, scratch.buckets, words.ids, place), e[place] / whole


@loop()
def output_of(x, biases, scratch):
    """y, what the others of a timestep are compared with, into the scratch's first row: Σ y and
    Σ y · ln y of it, of the largest 1; of the logits x (C, ≥ V) of that timestep."""
    output, y = len(x) - 1, scratch.rows[0][: len(scratch.buckets)]
    row, most, _ = _logits(x[output][: len(y)], output, biases, scratch.rows[3])
    exponentials(row, most, y)
    return sums(row, most, y)


@loop()
def write_cell(x, biases, r, c, of_output, words, asked, scratch, out):
    """The numbers of column c of timestep r, of the logits x (C, ≥ V) of that timestep.

    biases: (C, ≥ V) that are to be added yet, or (0, ·). of_output: as `output_of` said, which has
    left y in the scratch.
    """
    output, bars, count = len(x) - 1, out.top_ids.shape[2], len(scratch.buckets)
    y, both_terms = scratch.rows[0][:count], scratch.rows[2][:count]
    buckets, (near, chosen) = scratch.buckets, scratch.places
    whole_y, weighted_y = of_output
    nats_y = np.log(whole_y) - weighted_y / whole_y

    row, most, lowest = _logits(x[c][:count], c, biases, scratch.rows[3])
    e, whole, weighted = y, whole_y, weighted_y
    if c != output:
        e = scratch.rows[1][:count]
        exponentials(row, most, e)
        whole, weighted = sums(row, most, e)

    in_buckets(row, most, lowest, buckets)
    counted(buckets, max(bars, asked.top_words), scratch.likely, scratch.counts)
    counts = scratch.counts[0]
    bucket, _ = bucket_of(counts, bars)
    n = found(buckets, 0, bucket, near)
    most_likely(row, words.ids, near[:n], chosen[:bars])
    for b in range(bars):
        out.top_ids[r, c, b] = words.ids[chosen[b]]
        out.top_probs[r, c, b] = e[chosen[b]] / whole

    nats = np.log(whole) - weighted / whole
    out.entropy[r, c] = max(nats, 0.0) / _LN2
    out.divergence[r, c] = 0.0
    if c != output:
        # H(m) − ½ H(p) − ½ H(y), m = (p + y) / 2; rounding may leave 0 … 1.
        both(e, _F(1.0 / whole), y, _F(1.0 / whole_y), both_terms)
        bits = 1 - (total(both_terms) + nats + nats_y) / (2 * _LN2)
        out.divergence[r, c] = min(max(bits, 0.0), 1.0)

    out.label_ranks[r, c], out.label_probs[r, c] = 0, np.nan
    if asked.labels[r] >= 0:
        of = _asked(row, words, scratch, e, whole, asked.labels[r])
        out.label_ranks[r, c], out.label_probs[r, c] = of
    if asked.watch >= 0:
        of = _asked(row, words, scratch, e, whole, asked.watch)
        out.watch_ranks[r, c], out.watch_probs[r, c] = of
    if c == output:
        out.next_ranks[r], out.next_probs[r], out.surprisal[r] = 0, np.nan, np.nan
        if asked.following[r] >= 0:
            of = _asked(row, words, scratch, e, whole, asked.following[r])
            out.next_ranks[r], out.next_probs[r] = of
            # Also where the probability is 0 in single precision.
            logit = np.float64(row[words.place_of[asked.following[r]]])
            nats = np.log(whole) - (logit - np.float64(most))
            out.surprisal[r] = (0.0 if nats < 0 else nats) / _LN2  # nan stays nan

    bucket, n = last_of(
        row, words.ids, words.place_of, buckets, counts, asked.top_words, near, chosen
    )
    masses = np.empty(out.mass.shape[2])
    add_up(e, buckets, bucket, chosen[:n], words, masses)
    for k in range(len(masses)):
        out.mass[r, c, k] = max(masses[k], 0.0) / whole
