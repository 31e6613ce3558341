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
def add_up(
    e,  # (V,) what is added up
    buckets,  # (V,)
    bucket,
    last,  # places of words of the bucket
    ids,  # (V,) of the word at each place
    runs,  # (·, 3) class, first place and the one after the last
    moved,  # places of words that are of another class than that they are sorted by
    sorted_by,  # (V,) by id, the class that they are sorted by
    classes,  # (V,) by id, theirs
    masses,  # (K,) out
):
    """Σ e of each class, over the words of the buckets before the one given, and the last."""
    for k in range(len(masses)):
        masses[k] = 0
    for k in range(len(runs)):
        a, b = runs[k, 1], runs[k, 2]
        masses[runs[k, 0]] += total_before(buckets[a:b], bucket, e[a:b])
    for place in moved:
        if buckets[place] < bucket:
            masses[sorted_by[ids[place]]] -= e[place]
            masses[classes[ids[place]]] += e[place]
    for place in last:
        masses[classes[ids[place]]] += e[place]
