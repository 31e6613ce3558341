"""The most likely of few words in question."""

from __future__ import annotations

from models.compiling import loop

_FEW = 48  # words


@loop()
def _before(x, ids, a, b):
    """Whether the word at a is more likely than that at b; equal ones go by id."""
    return (x[a] > x[b]) | ((x[a] == x[b]) & (ids[a] < ids[b]))


@loop()
def most_likely(x, ids, places, out):
    """Write the places of the most likely of ``places``, in order, as many as out holds."""
    if len(places) <= _FEW:
        _ranked(x, ids, places, out)
        return
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


@loop()
def _ranked(x, ids, places, out):
    """Each with each: of few words sooner done than what depends on what was found before."""
    for place in places:
        rank = 0
        for other in places:
            rank += _before(x, ids, other, place)
        if rank < len(out):
            out[rank] = place


@loop()
def likeliest(x, ids, place_of, places, out):
    """The same in any order, in less time for many: as when one logit is far below all others."""
    if len(places) <= _FEW:
        _ranked(x, ids, places, out)
        return
    values = x[places]
    values.sort()
    least = values[len(places) - len(out)]
    equal = ids[places[x[places] == least]]
    equal.sort()
    n = 0
    for place in places:
        if x[place] > least:
            out[n] = place
            n += 1
    for id in equal[: len(out) - n]:
        out[n] = place_of[id]
        n += 1
