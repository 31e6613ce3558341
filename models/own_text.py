"""Text as a vocabulary of another's making has it: a model that was imported reads so.

Lines are sentences. In a vocabulary of words, what stands between spaces and is in the vocabulary
is a word as it is, with or without quotation marks and the like around it; all else is split as in
`models.text`, so that typed text need not be set in tokens. In one of characters, each is a token.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from models.text import (
    BOS,
    BREAKS,
    EOS,
    SPECIALS,
    UNK,
    Token,
    normalise,
    tokenise_sentence,
    unified,
)

WORD, CHARACTER = "word", "character"
UNITS = (WORD, CHARACTER)

# What has no picture of its own, and what is shown in its place.
SHOWN = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
LINE = re.compile(f"[^{''.join(sorted(BREAKS))}]+")
PIECE = re.compile(r"\S+")
# What stands around a word: marks that open, at most, and marks that close.
_EDGES = re.compile(r"""(["'“”„‘’«»(\[{—–]{0,4}).*?([.,;:!?…"'“”‘’«»)\]}—–]{0,4})""", re.DOTALL)


@dataclass(frozen=True)
class OwnText:
    """unit: a token is a ``word`` or a ``character``. lower: no word has an upper-case letter, but
    for those in capitals throughout, and typed ones lose theirs. written: how a corpus writes a
    word → how the vocabulary shows it, where the two differ (``</s>``: ``<eos>``). unknown, start,
    end: the words that stand for a word that is not in the vocabulary, and before and after a
    sentence; they may be the same.
    """

    unit: str = WORD
    lower: bool = False
    written: Mapping[str, str] = field(default_factory=dict)
    unknown: str = UNK
    start: str = BOS
    end: str = EOS

    @cached_property
    def edges(self) -> tuple[str, ...]:
        """What stands only before and after a sentence, whatever it is called; a full stop or a
        line break that ends one is a word of the text as well."""
        return tuple(word for word in (self.start, self.end) if any(map(str.isalpha, word)))

    def find(self, text: str, words: Container[str], corpus: bool = False) -> str | None:
        """The vocabulary's word for a piece of text, if it has one. Only in a corpus is a special
        token one."""
        for form in (text, text.lower()) if self.lower else (text,):
            word = self.written.get(form, form)
            if word in words and (corpus or not (word in SPECIALS or word in self.edges)):
                return word
        return None

    def tokens(self, line: str, words: Container[str], corpus: bool = False) -> list[Token]:
        """The tokens of a line. words: those of the vocabulary. A token that it lacks has, as its
        word, what was looked for."""
        if self.unit == CHARACTER:
            return [
                Token(c, self._character(c, words, corpus), (i, i + 1)) for i, c in enumerate(line)
            ]
        pieces = PIECE.finditer(line)
        return [token for piece in pieces for token in self._piece(piece, words, corpus)]

    def sentences(self, text: str, words: Container[str]) -> Iterator[tuple[list[Token], bool]]:
        """The tokens of each line that has some, with spans in the text, and whether it is ended by
        a line break."""
        for line in LINE.finditer(text):
            if line[0].isspace():
                continue
            start = line.start()
            tokens = [
                token._replace(span=(token.span[0] + start, token.span[1] + start))
                for token in self.tokens(line[0], words)
            ]
            yield tokens, line.end() < len(text)

    def _character(self, typed: str, words: Container[str], corpus: bool) -> str:
        word = self.find(typed, words, corpus) or self.find(normalise(typed), words)
        return word or self._lacked(typed)

    def _piece(self, piece: re.Match[str], words: Container[str], corpus: bool) -> list[Token]:
        """A piece between spaces."""
        word = self.find(piece[0], words, corpus)
        if word is not None:
            edge = corpus and (word in (BOS, EOS) or word in self.edges)
            return [] if edge else [Token(piece[0], word, piece.span())]
        a, b, word = self._known(piece[0], words)
        if not word:
            return self._split(piece, 0, None, words)
        known = Token(piece[0][a:b], word, (piece.start() + a, piece.start() + b))
        return [*self._split(piece, 0, a, words), known, *self._split(piece, b, None, words)]

    def _known(self, piece: str, words: Container[str]) -> tuple[int, int, str]:
        """Where in a piece a word of the vocabulary stands, but for the marks around it (``don't``
        in ``"don't,``), and that word: the longest. Nowhere, and "", where there is none."""
        edges = _EDGES.fullmatch(piece)
        lead, trail = (len(edges[1]), len(edges[2])) if edges else (0, 0)
        places = [(a, len(piece) - b) for a in range(lead + 1) for b in range(trail + 1)]
        for a, b in sorted(places, key=lambda place: place[0] - place[1]):
            form = piece[a:b]
            word = self.find(form, words) or self.find(unified(form), words)
            if word and any(map(str.isalnum, form)):
                return a, b, word
        return 0, 0, ""

    def _split(
        self, piece: re.Match[str], a: int, b: int | None, words: Container[str]
    ) -> list[Token]:
        """A part of a piece as all text is split."""
        start = piece.start() + a
        return [
            Token(t.surface, self._word(t, words), (t.span[0] + start, t.span[1] + start))
            for t in tokenise_sentence(piece[0][a:b])
        ]

    def _word(self, token: Token, words: Container[str]) -> str:
        word = self.find(token.surface, words) or self.find(unified(token.surface), words)
        # As typed words are normalised, quotes and numbers too, but for a case that counts.
        if word is None and (self.lower or token.surface == token.surface.lower()):
            return self._lacked(token.word)
        return word or self._lacked(token.surface)

    def _lacked(self, word: str) -> str:
        """What was looked for. An edge is in the vocabulary, and is nothing that can be typed."""
        return "" if word in self.edges else word
