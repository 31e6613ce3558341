"""The corpus format ``nesting``: brackets and numbers that tell how deep they stand, generated.

A sentence such as ``0([2]1)0`` nests brackets of two sorts; a digit is the number of brackets that
are open around it. Only who counts knows the next digit, and only who remembers the sort of what
was opened closes it rightly: what lecture notes say an LSTM's memory can do ("the j-th long-term
memory element acts like a counter").
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.corpora import Document, Sentence
from models.text import SPECIALS
from models.vocabulary import Vocabulary

DEEPEST = 6
OPENING, CLOSING, DIGITS = "([", ")]", "0123456"
_CLASSES = ("opening", "closing", "digit", "SPECIAL")
_SENTENCES, _SEED = 5000, 1
_LONGEST = 24  # symbols until what is open is closed

PALETTES: list[dict[str, Any]] = [
    {
        "id": "symbols",
        "name": "Symbols",
        "colours": {
            "opening": "#4e79a7",
            "closing": "#e15759",
            "digit": "#59a14f",
            "SPECIAL": "#a29e97",
        },
        "groups": {},
    },
    {
        "id": "colour-blind",
        "name": "Colour-blind safe",
        "colours": {
            "opening": "#0072b2",
            "closing": "#d55e00",
            "digit": "#009e73",
            "SPECIAL": "#999999",
        },
        "groups": {},
    },
]
EXAMPLES = [
    {"text": "0([2(3)2]1)0", "shows": "Down and up again: which column knows the depth?"},
    {
        "text": "0([2(3)2]1)0",
        "shows": "The counter: one unit of the cell state follows the depth",
        "unit": "cell_state.1.25",
        "follow": "depth",
    },
    {"text": "(((((5", "shows": "Counting what is opened, with no digit on the way"},
    {"text": "[([([])])]", "shows": "Two sorts of bracket: each must be closed as it was opened"},
    {"text": "(1)[1](1)[1]0", "shows": "Shallow and long: back at zero again and again"},
    {"text": "([1)0", "shows": "Wrong twice: how surprised is the network?"},
]


def vocabulary() -> Vocabulary:
    """The special tokens and the eleven symbols, each read as it is."""
    words = (*SPECIALS, *OPENING, *CLOSING, *DIGITS)
    classes = [3] * len(SPECIALS) + [0] * 2 + [1] * 2 + [2] * len(DIGITS)
    return Vocabulary(words, tuple(classes), _CLASSES, rules="symbols")


def documents() -> list[Document]:
    """One document of sentences, the same each time."""
    rng = np.random.default_rng(_SEED)
    sentences = [expression(rng) for _ in range(_SENTENCES)]
    return [
        Document("nesting", "", tuple(Sentence(tuple(s), _classes(s)) for s in sentences)),
    ]


def expression(rng: np.random.Generator) -> str:
    """One sentence: brackets that close what was opened, digits that tell the depth."""
    symbols: list[str] = []
    opened: list[int] = []
    longest = int(rng.integers(4, _LONGEST))
    while len(symbols) < longest or opened:
        full = len(symbols) >= longest
        choice = rng.random()
        if full or (choice < 0.3 and opened):
            symbols.append(CLOSING[opened.pop()])
        elif choice < 0.65 and len(opened) < DEEPEST:
            opened.append(int(rng.integers(2)))
            symbols.append(OPENING[opened[-1]])
        else:
            symbols.append(DIGITS[len(opened)])
    return "".join(symbols)


def _classes(symbols: str) -> tuple[str, ...]:
    def of(symbol: str) -> str:
        return "opening" if symbol in OPENING else "closing" if symbol in CLOSING else "digit"

    return tuple(of(symbol) for symbol in symbols)
