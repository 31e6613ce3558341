"""Two token sequences side by side: the fewest changes that turn one into the other.

Edit distance by dynamic programming (Wagner and Fischer 1974), one row of the table at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from models.reading import TracedToken

SAME, CHANGED, INSERTED, DELETED = "same", "changed", "inserted", "deleted"


class Step(NamedTuple):
    """A pair of timesteps. first: of the first text, None where the second has one more (op
    ``inserted``); second: None where it has one less (``deleted``). ``same``: the network reads
    the same word in both; ``changed``: it does not.
    """

    first: int | None
    second: int | None
    op: str


def align(first: Sequence[TracedToken], second: Sequence[TracedToken]) -> list[Step]:
    """Every timestep of both texts once, in order, in as few changes as there can be.

    Of such ways the one with the most words that are the same, then the one whose pairs are typed
    most alike from the first letter on: keys and key, were and was. The start of a sentence is
    only ever paired with one. Aligning the texts the other way round gives the same pairs.
    """
    a, b = [t.id for t in first], [t.id for t in second]
    if b < a:  # of several answers that are as good, the same one from both sides
        mirrored = align(second, first)
        return _in_order(Step(j, i, _MIRRORED.get(op, op)) for i, j, op in mirrored)
    return _in_order(_traced_back(*_costs(first, second)))


_LETTERS = 8  # of a word that are compared
_MIRRORED = {INSERTED: DELETED, DELETED: INSERTED}


def _costs(
    first: Sequence[TracedToken], second: Sequence[TracedToken]
) -> tuple[np.ndarray, np.ndarray, int]:
    """(N, M) cost of pairing each token with each, (N, M) whether they are the same, and the cost
    of leaving one alone. A cost holds three sums, each less than a unit of the one before: the
    changes, the pairs that are changed, and how differently the pairs are typed.
    """
    ids_a, ids_b = (np.array([t.id for t in side], dtype=np.int64) for side in (first, second))
    start_a, start_b = (np.array([t.span is None for t in s], bool) for s in (first, second))
    same = ids_a[:, None] == ids_b
    pairs = len(first) + len(second) + 1
    pair_changed = (_LETTERS + 1) * pairs
    change = pair_changed * pairs
    costs = np.where(same, 0, change + pair_changed) + _unlike(first, second)
    costs[start_a[:, None] != start_b] = 3 * change  # dearer than leaving both alone
    return costs, same, change


def _unlike(first: Sequence[TracedToken], second: Sequence[TracedToken]) -> np.ndarray:
    """(N, M) how many of the first letters are not shared; 0 for words that are typed the same."""
    typed_a, typed_b = (np.array([t.surface for t in s], "U") for s in (first, second))
    letters_a, letters_b = (
        np.char.lower(side).astype(f"U{_LETTERS}").view(np.uint32).reshape(-1, _LETTERS)
        for side in (typed_a, typed_b)
    )
    alike = (letters_a[:, None] == letters_b) & (letters_a[:, None] != 0)
    shared = np.logical_and.accumulate(alike, 2).sum(2)
    return np.where(typed_a[:, None] == typed_b, 0, np.maximum(_LETTERS - shared, 1))


def _traced_back(costs: np.ndarray, same: np.ndarray, alone: int) -> list[Step]:
    """The cheapest way through, from first to last."""
    n, m = costs.shape
    gaps = alone * np.arange(m + 1)
    table = np.empty((n + 1, m + 1), dtype=np.int64)
    table[0] = gaps
    for i in range(n):
        row = table[i + 1]
        row[0] = table[i, 0] + alone
        np.minimum(table[i, 1:] + alone, table[i, :-1] + costs[i], out=row[1:])
        # Insertions follow one another within the row: a running minimum in place of a loop.
        row[:] = np.minimum.accumulate(row - gaps) + gaps

    steps = []
    i, j = n, m
    while i or j:
        if i and j and table[i, j] == table[i - 1, j - 1] + costs[i - 1, j - 1]:
            i, j = i - 1, j - 1
            steps.append(Step(i, j, SAME if same[i, j] else CHANGED))
        elif j and table[i, j] == table[i, j - 1] + alone:
            j -= 1
            steps.append(Step(None, j, INSERTED))
        else:
            i -= 1
            steps.append(Step(i, None, DELETED))
    return steps[::-1]


def _in_order(steps: Iterator[Step] | list[Step]) -> list[Step]:
    """What is deleted before what is inserted at the same place."""
    ordered: list[Step] = []
    for alone, run in groupby(steps, key=lambda step: step.op in _MIRRORED):
        together = list(run)
        ordered += sorted(together, key=lambda step: step.op) if alone else together
    return ordered
