"""By which rules a model reads a typed text: ``text.rules`` in its ``config.json``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.text import Token, is_complete, normalise, tokenise


@dataclass(frozen=True)
class TextRules:
    """sentences: text → its sentences, each of tokens, and whether its end is to be predicted too.
    word: what the vocabulary is asked for, for a word that is named alone.
    """

    sentences: Callable[[str], list[tuple[list[Token], bool]]]
    word: Callable[[str], str]


def _penn(text: str) -> list[tuple[list[Token], bool]]:
    return [(tokens, is_complete(tokens)) for tokens in tokenise(text)]


def _symbols(text: str) -> list[tuple[list[Token], bool]]:
    """Each character that is no white space is a token, as it is. A line is a sentence; one that a
    line break ends is complete."""
    sentences = []
    start = 0
    for line in text.splitlines(keepends=True):
        tokens = [
            Token(c, c, (start + i, start + i + 1)) for i, c in enumerate(line) if not c.isspace()
        ]
        if tokens:
            sentences.append((tokens, line.splitlines()[0] != line))
        start += len(line)
    return sentences


# Those of a vocabulary that others made: `models.own_text`.
OWN = "own"
RULES = {
    "penn": TextRules(_penn, normalise),
    "symbols": TextRules(_symbols, str.strip),
}
