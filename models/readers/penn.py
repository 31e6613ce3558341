"""What the Penn Treebank writes in a way of its own: traces, brackets, slashes and stars."""

from __future__ import annotations

import re
from collections.abc import Iterable

from models.readers.tagsets import class_of
from models.readers.units import Unit

TRACE = "-NONE-"
_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_ESCAPED = re.compile(r"\\([/*])")


def penn_word(word: str) -> str:
    """The word itself: ``(`` for ``-LRB-``, ``1/2`` for ``1\\/2``."""
    return _BRACKETS.get(word) or _ESCAPED.sub(r"\1", word)


def penn_units(pairs: Iterable[tuple[str, str]], place: str, tags: str = "penn") -> list[Unit]:
    """Units of (word, tag) pairs, without the traces, which nobody wrote. Raises CorpusError."""
    return [
        Unit(penn_word(word), (class_of(tag, tags, place),)) for word, tag in pairs if tag != TRACE
    ]
