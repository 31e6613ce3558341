"""By which rules a model reads a typed text: ``text.rules`` in its ``config.json``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.own_text import LINE, PIECE
from models.text import SPECIALS, Token, corpus_words, is_complete, normalise, tokenise


@dataclass(frozen=True)
class TextRules:
    """sentences: text → its sentences, each of tokens, and whether its end is to be predicted too.
    line: the words of a line of a corpus, which is read as one sentence. word: what the vocabulary
    is asked for, for a word that is named alone.
    """

    sentences: Callable[[str], list[tuple[list[Token], bool]]]
    line: Callable[[str], list[str]]
    word: Callable[[str], str]


def _penn(text: str) -> list[tuple[list[Token], bool]]:
    return [(tokens, is_complete(tokens)) for tokens in tokenise(text)]


def _symbols(text: str) -> list[tuple[list[Token], bool]]:
    """Each character that is no white space is a token, as it is. A line is a sentence; one that a
    line break ends is complete."""
    sentences = []
    for line in LINE.finditer(text):
        places = enumerate(line[0], start=line.start())
        tokens = [Token(c, c, (at, at + 1)) for at, c in places if not c.isspace()]
        if tokens:
            sentences.append((tokens, line.end() < len(text)))
    return sentences


def _spaces(text: str) -> list[tuple[list[Token], bool]]:
    """What white space parts is a token, as it is: of a corpus that is read in its own tokens. A
    line is a sentence; it is complete where a line break or a terminal mark ends it."""
    sentences = []
    for line in LINE.finditer(text):
        start = line.start()
        tokens = [
            Token(piece[0], _as_it_is(piece[0]), (start + piece.start(), start + piece.end()))
            for piece in PIECE.finditer(line[0])
        ]
        if tokens:
            sentences.append((tokens, line.end() < len(text) or is_complete(tokens)))
    return sentences


def _as_it_is(word: str) -> str:
    """A word that is typed; a special token cannot be."""
    word = word.strip()
    return word.strip("<>") if word in SPECIALS else word


# Those of a vocabulary that others made: `models.own_text`.
OWN = "own"
RULES = {
    "penn": TextRules(_penn, corpus_words, normalise),
    "spaces": TextRules(_spaces, str.split, _as_it_is),
    "symbols": TextRules(_symbols, lambda line: list("".join(line.split())), str.strip),
}
