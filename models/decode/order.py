"""The most likely of few words in question, and the rank of a word among all."""

from __future__ import annotations

import numpy as np

from models.compiling import loop


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
