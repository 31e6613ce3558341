"""Two texts side by side: aligned token by token, and how far each cell's prediction in one is from
its prediction in the other.

C columns (the output last), R timesteps, A steps of the alignment, H units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.alignment import Step, align
from models.artifact import Model
from models.decode.kernel import divergences
from models.distributions import all_logits
from models.kinds import Column
from models.reading import ReadSentence, TracedToken, read, rows_of, token_count
from models.states import StatesOf, computed_by, output_reads
from models.trace import TraceRefused, check_question

RANKED = 50
DECIMALS = 6  # of a divergence: what is smaller is rounding
_PAIRS = 12  # of timesteps at a time: × 2 × 18 columns × 15,000 words × 4 bytes are 26 MB


@dataclass(frozen=True, slots=True)
class Parted:
    """A cell that differs. pair: index into the alignment. column: index into the columns.
    divergence: bits.
    """

    pair: int
    column: int
    divergence: float


@dataclass(frozen=True)
class Comparison:
    """tokens: of each text, a timestep each. alignment: A steps. divergence: (A, C) that of Jensen
    and Shannon, in bits, between the full distributions of a cell in the two texts; nan where a
    step is no pair. ranked: the cells that part most, at most `RANKED`, by falling divergence;
    none that is 0.
    """

    model: str
    fingerprint: str
    semantic: str
    tokens: tuple[tuple[TracedToken, ...], tuple[TracedToken, ...]]
    columns: tuple[Column, ...]
    alignment: tuple[Step, ...]
    divergence: np.ndarray
    ranked: tuple[Parted, ...]


@torch.no_grad()
def compare(
    model: Model,
    texts: Sequence[str],
    *,
    semantic: str | None = None,
    token_limit: int = 512,
    states_of: StatesOf | None = None,
) -> Comparison:
    """Read two texts with the model and compare every cell of the timesteps that are aligned.

    states_of: where the states (C − 1, T, H) of a sentence's ids may have been kept.
    Raises TraceRefused for a semantic that the model has no heads for, and for more than
    ``token_limit`` tokens in both texts together.
    """
    semantic = semantic or model.default_semantic
    check_question(model, semantic, bars=1, top=1)
    first, second = (read(model.vocabulary, text) for text in texts)
    _check_length(token_count(first), token_count(second), token_limit)
    tokens = rows_of(first), rows_of(second)
    alignment = align(*tokens)

    paired = [at for at, step in enumerate(alignment) if None not in step]
    divergence = np.full((len(alignment), len(model.columns)), np.nan)
    divergence[paired] = 0.0
    parted = _parted(alignment, *tokens, model.network.bidirectional)
    if parted:
        at, rows_first, rows_second = (list(places) for places in zip(*parted, strict=True))
        read_by = states_of or computed_by(model.network)
        both = [
            (states[:, rows], reads[rows])
            for text, rows in ((first, rows_first), (second, rows_second))
            for states, reads in [_states(model, read_by, text)]
        ]
        divergence[at] = _divergences(model, semantic, *both)
    return Comparison(
        model=model.id,
        fingerprint=model.fingerprint,
        semantic=semantic,
        tokens=tokens,
        columns=model.columns,
        alignment=tuple(alignment),
        divergence=divergence,
        ranked=_ranked(divergence),
    )


def _check_length(first: int, second: int, limit: int) -> None:
    if first > limit:
        message = f"The first text has {first:,} tokens; the limit is {limit:,} for both."
        raise TraceRefused("too_many_tokens", message, "texts[0]")
    if first + second > limit:
        message = (
            f"The texts have {first + second:,} tokens together, {second:,} of them in the second; "
            f"the limit is {limit:,} for both."
        )
        raise TraceRefused("too_many_tokens", message, "texts[1]")


# The states (C − 1, R, H) of R timesteps, and what the decoder reads at each (R, E).
_Read = tuple[Tensor, Tensor]


def _states(model: Model, states_of: StatesOf, sentences: Sequence[ReadSentence]) -> _Read:
    """Of all sentences, each from state zero."""
    each = [states_of(sentence.ids) for sentence in sentences]
    pairs = zip(sentences, each, strict=True)
    reads = [output_reads(model.network, sentence.ids, states) for sentence, states in pairs]
    return torch.cat(each, 1), torch.cat(reads)


def _parted(
    alignment: Sequence[Step],
    first: Sequence[TracedToken],
    second: Sequence[TracedToken],
    bidirectional: bool = False,
) -> list[tuple[int, int, int]]:
    """The pairs that the network can tell apart: step of the alignment, timestep of each text.

    Where both sentences are equal up to a pair, so are the states: their divergence is 0, and not
    what rounding makes of it. To a bidirectional network the sentences must be equal to their ends.
    """
    # A number for each beginning of a sentence, from the number of the one that is a word shorter.
    known: dict[tuple[int, int], int] = {}
    beginnings: tuple[list[int], list[int]] = [], []
    for tokens, numbers in zip((first, second), beginnings, strict=True):
        for token in tokens:
            shorter = 0 if token.span is None else numbers[-1]
            numbers.append(known.setdefault((shorter, token.id), len(known) + 1))
    if bidirectional:
        for tokens, numbers in zip((first, second), beginnings, strict=True):
            _as_at_the_end(tokens, numbers, known)
    return [
        (at, i, j)
        for at, (i, j, _) in enumerate(alignment)
        if i is not None and j is not None and beginnings[0][i] != beginnings[1][j]
    ]


def _as_at_the_end(
    tokens: Sequence[TracedToken], numbers: list[int], known: dict[tuple[int, int], int]
) -> None:
    """Each timestep's number becomes one of its whole sentence and its place there."""
    start = len(tokens)
    end = start
    while end:
        start = max(i for i in range(end) if tokens[i].span is None)
        for at in range(start, end):
            key = (-numbers[end - 1], at - start)
            numbers[at] = known.setdefault(key, len(known) + 1)
        end = start


def _divergences(model: Model, semantic: str, first: _Read, second: _Read) -> np.ndarray:
    """(P, C) of P pairs of timesteps, a block of pairs at a time."""
    blocks = []
    for pair in range(0, len(first[1]), _PAIRS):
        block = slice(pair, pair + _PAIRS)
        p, q = (_logits(model, semantic, s[:, block], r[block]) for s, r in (first, second))
        bits = np.empty(len(p))
        divergences(p, q, np.empty((3, p.shape[1]), np.float32), bits)
        blocks.append(bits.reshape(len(model.columns), -1).T)
    return np.concatenate(blocks)


def _logits(model: Model, semantic: str, states: Tensor, reads: Tensor) -> np.ndarray:
    """(C · P, V) of the states (C − 1, P, H) of every column, and what the decoder reads (P, E)."""
    logits = all_logits(model, semantic, states, reads).float().flatten(0, 1)
    return logits.contiguous().numpy()


def _ranked(divergence: np.ndarray) -> tuple[Parted, ...]:
    """By falling divergence; equal ones in the order of the grid."""
    told = np.nan_to_num(np.round(divergence, DECIMALS))
    order = np.argsort(-told, axis=None, kind="stable")[:RANKED]
    places = zip(*np.unravel_index(order, told.shape), strict=True)
    return tuple(Parted(int(p), int(c), float(told[p, c])) for p, c in places if told[p, c] > 0)
