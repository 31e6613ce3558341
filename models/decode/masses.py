"""How much of the probability of the likeliest words is each class's.

V words in the order of `WordOrder`, K classes.
"""

from __future__ import annotations

from models.compiling import loop
from models.decode.buckets import bucket_of
from models.decode.order import likeliest
from models.decode.search import found
from models.decode.sums import total_before


@loop()
def last_of(row, ids, place_of, buckets, counts, top_words, near, last):
    """The bucket of the least likely of so many of the likeliest words. Of its words, those that
    belong to them: their places are written to ``last``, and how many they are is the second
    answer.

    counts: of the buckets, up to that one. near: scratch.
    """
    bucket, before = bucket_of(counts, top_words)
    n = found(buckets, bucket, bucket, near)
    belong = min(top_words - before, n)
    likeliest(row, ids, place_of, near[:n], last[:belong])
    return bucket, belong


@loop()
def add_up(e, buckets, bucket, last, words, masses):
    """Σ e of each class into masses (K,), over the words of the buckets before the one given, and
    the last: places of words of that bucket. words: see `models.decode.arguments`."""
    for k in range(len(masses)):
        masses[k] = 0
    ids, runs = words.ids, words.runs
    for k in range(len(runs)):
        a, b = runs[k, 1], runs[k, 2]
        masses[runs[k, 0]] += total_before(buckets[a:b], bucket, e[a:b])
    for place in words.moved:
        if buckets[place] < bucket:
            masses[words.sorted_by[ids[place]]] -= e[place]
            masses[words.classes[ids[place]]] += e[place]
    for place in last:
        masses[words.classes[ids[place]]] += e[place]
