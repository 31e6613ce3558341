"""How much of the probability of the likeliest words is each class's.

V words in the order of `WordOrder`, K classes.
"""

from __future__ import annotations

import numpy as np

from models.compiling import loop
from models.decode.buckets import bucket_of, found
from models.decode.order import most_likely
from models.decode.sums import total_above


@loop()
def least_of(row, ids, buckets, counts, top_words, near, last):
    """The least of so many of the largest logits. Of those equal to it, the first by id that belong
    to them: their places are written to ``last``, and how many they are is the second answer.

    counts: of the buckets, up to that of the least. near: scratch.
    """
    bucket, before = bucket_of(counts, top_words)
    n = found(buckets, bucket, bucket, near)
    some = np.empty(n, np.float32)
    for i in range(n):
        some[i] = row[near[i]]
    some.sort()
    least = some[n - (top_words - before)]
    equal, above = 0, before
    for i in range(n):
        above += row[near[i]] > least
        if row[near[i]] == least:
            near[equal] = near[i]
            equal += 1
    most_likely(row, ids, near[:equal], last[: top_words - above])
    return least, top_words - above


@loop()
def add_up(
    row,  # (V,) logits
    e,  # (V,) what is added up
    least,
    last,  # places of words as likely as the least that are added up too
    ids,  # (V,) of the word at each place
    runs,  # (·, 3) class, first place and the one after the last
    moved,  # places of words that are of another class than that they are sorted by
    sorted_by,  # (V,) by id, the class that they are sorted by
    classes,  # (V,) by id, theirs
    masses,  # (K,) out
):
    """Σ e of each class, over the words above the least and the last of them."""
    for k in range(len(masses)):
        masses[k] = 0
    for k in range(len(runs)):
        a, b = runs[k, 1], runs[k, 2]
        masses[runs[k, 0]] += total_above(row[a:b], least, e[a:b])
    for place in moved:
        if row[place] > least:
            masses[sorted_by[ids[place]]] -= e[place]
            masses[classes[ids[place]]] += e[place]
    for place in last:
        masses[classes[ids[place]]] += e[place]
