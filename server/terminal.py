"""The grid in a terminal: timesteps down, kinds across, the rectangle behind the top word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from itertools import accumulate, groupby, takewhile
from typing import TYPE_CHECKING

import numpy as np

from server.colour import dark_ink, dilute, rectangle

if TYPE_CHECKING:
    from models.kinds import Column
    from models.trace import Trace

LABEL, CELL = 14, 9  # characters: of the row's token, of a cell with the space after it
_RESET = "\x1b[0m"
NOTHING = "There is nothing to read in this text."


def draw(trace: Trace, palette: Mapping[str, str], width: int, colour: bool) -> str:
    """The whole grid as lines of at most ``width`` characters.

    Columns that do not fit go into further blocks, split between layers where that is possible.
    palette: class → #rrggbb.
    """
    if not trace.tokens:
        return f"{NOTHING}\n"
    room = max(1, (width - LABEL) // CELL)
    blocks = ["\n".join(_block(trace, palette, b, colour)) for b in _blocks(trace, room)]
    # Of y, whatever the kinds are asked for; a typed text has no labels to score by.
    told = [f"text perplexity {_perplexity(trace)}"] if trace.semantic != "label" else []
    told += [trace.model, f"semantic: {trace.semantic}"]
    return "\n\n".join([*blocks, " · ".join(told)]) + "\n"


def _perplexity(trace: Trace) -> str:
    """With what flatters it, as the page says it."""
    typed = [token for token in trace.tokens if token.span]
    unknown = [token for token in typed if not token.known]
    if typed and len(unknown) == len(typed):
        return f"not told: it would be that of {unknown[0].word}"
    if trace.perplexity is None:
        return "not told"
    figure = f"{trace.perplexity:.1f} (next word)"
    if not unknown:
        return figure
    scored = trace.surprisal[np.isfinite(trace.surprisal)]
    known = trace.surprisal[np.isfinite(trace.surprisal) & (trace.next_ids != unknown[0].id)]
    easy = len(known) > 0 and scored.mean() < known.mean()
    said = f"{len(unknown)} of {len(typed)} tokens unknown: read as {unknown[0].word}"
    return f"{figure}, {said}{', which is easy to predict' if easy else ''}"


def _blocks(trace: Trace, room: int) -> list[list[int]]:
    """Columns of each block: whole layers together while they fit, a wide layer cut in pieces."""
    blocks: list[list[int]] = [[]]
    indices = range(len(trace.columns))
    for _, members in groupby(indices, key=lambda i: trace.columns[i].layer):
        layer = list(members)
        if len(blocks[-1]) + len(layer) > room and blocks[-1]:
            blocks.append([])
        while len(layer) > room:
            blocks[-1] += layer[:room]
            layer = layer[room:]
            blocks.append([])
        blocks[-1] += layer
    return [block for block in blocks if block]


def _block(
    trace: Trace, palette: Mapping[str, str], indices: list[int], colour: bool
) -> Iterator[str]:
    heads = [fit(_head(trace.columns[i]), CELL - 1) for i in indices]
    yield " ".join([fit("", LABEL - 1), *heads]).rstrip()
    for r, token in enumerate(trace.tokens[trace.start :]):
        cells = [_cell(trace, palette, r, i, colour) for i in indices]
        yield " ".join([fit(token.surface or token.word, LABEL - 1), *cells]).rstrip()


def _head(column: Column) -> str:
    return column.symbol if not column.layer else f"{column.symbol} {column.layer}"


def _cell(trace: Trace, palette: Mapping[str, str], r: int, i: int, colour: bool) -> str:
    word = fit(trace.words[int(trace.top_ids[r, i, 0])], CELL - 1)
    if not colour:
        return word
    won = rectangle(trace.mass[r, i].tolist(), trace.classes, palette)
    ground = dilute(won.colour, won.p)
    red, green, blue = (int(channel + 0.5) for channel in ground)
    ink = "0;0;0" if dark_ink(ground) else "255;255;255"
    return f"\x1b[48;2;{red};{green};{blue}m\x1b[38;2;{ink}m{word}{_RESET}"


def fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` columns of a terminal, cut with … where it is longer.

    What is not printable becomes ·: typed escape sequences must not reach the terminal.
    """
    clean = "".join(c if c.isprintable() else "·" for c in text)
    if _width(clean) > width:
        kept = takewhile(lambda end: end < width, accumulate(map(_width, clean)))
        clean = clean[: len(list(kept))] + "…"
    return clean + " " * (width - _width(clean))


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
