"""Bracketed trees, as the Penn Treebank and nltk write them: ``(S (NP (DT The) (NN dog)) …)``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.corpora import CorpusError, Document, Sentence
from models.readers.files import LONGEST_LINE, numbered_lines, read_documents, shown
from models.readers.penn import TRACE, penn_units
from models.readers.tagsets import TAGSETS
from models.readers.units import own_sentence, typed_sentence

ENDINGS = (".mrg", ".tree", ".trees", ".parse")
DEEPEST = 1_000
_SYMBOL = re.compile(r"[()]|[^\s()]+")

# A leaf's word, its tag, and the place where it stands.
_Leaf = tuple[str, str, str]


@dataclass(slots=True)
class _Bracket:
    label: str = ""
    word: str = ""
    parent: bool = False


def read_trees(path: Path, tags: str = "penn", raw: bool = False) -> list[Document]:
    """A file holds trees one after the other, each on one line or on many, with or without a
    bracket around the whole. A leaf is a word under its tag. Traces (``-NONE-``) are left out, and
    ``-LRB-`` and its like are brackets again.

    tags: ``penn`` or ``universal``; an unknown tag is an error. raw: the leaves' own words, with
    their case and digits. Raises CorpusError; ValueError for another tagset.
    """
    if tags not in TAGSETS:
        raise ValueError(f"the tagset {tags!r} is not one of {', '.join(sorted(TAGSETS))}")

    def sentences(file: Path) -> Iterator[Sentence]:
        for leaves in _trees(file):
            units = [
                unit
                for word, tag, place in leaves
                for unit in penn_units([(word, tag)], place, tags)
            ]
            yield own_sentence(units) if raw else typed_sentence(units)

    return read_documents(path, ENDINGS, sentences)


def _trees(path: Path) -> Iterator[list[_Leaf]]:
    """The leaves of each tree. Depth is a list's length, never the interpreter's."""
    open_brackets: list[_Bracket] = []
    leaves: list[_Leaf] = []
    length = begun = 0
    for number, line in numbered_lines(path):
        place = f"{path}, line {number}"
        for symbol in _SYMBOL.findall(line):
            if symbol == "(":
                begun = begun if open_brackets else number
                _open(open_brackets, place)
            elif symbol == ")":
                closed = _close(open_brackets, place)
                if closed.word and closed.label != TRACE:
                    leaves.append((closed.word, closed.label, place))
                    length += len(closed.word)
                if not open_brackets:
                    yield leaves
                    leaves, length = [], 0
            else:
                _name(open_brackets, symbol, place)
            if length > LONGEST_LINE:
                raise CorpusError(
                    f"{path}, line {begun}: the tree that begins here has more than "
                    f"{LONGEST_LINE:,} characters of words; is it closed?"
                )
    if open_brackets:
        raise CorpusError(f"{path}, line {begun}: the tree that begins here is not closed.")


def _open(open_brackets: list[_Bracket], place: str) -> None:
    if len(open_brackets) == DEEPEST:
        raise CorpusError(f"{place}: more than {DEEPEST:,} brackets are open.")
    if open_brackets:
        above = open_brackets[-1]
        if above.word:
            raise CorpusError(f"{place}: a bracket opens behind the word {shown(above.word)}.")
        above.parent = True
    open_brackets.append(_Bracket())


def _close(open_brackets: list[_Bracket], place: str) -> _Bracket:
    if not open_brackets:
        raise CorpusError(f"{place}: a bracket closes that was not opened.")
    closed = open_brackets.pop()
    if not closed.word and not closed.parent:
        raise CorpusError(f"{place}: nothing stands under the label {shown(closed.label)}.")
    return closed


def _name(open_brackets: list[_Bracket], symbol: str, place: str) -> None:
    """A label, when it is the first thing in its bracket; else a word under the label."""
    if not open_brackets:
        raise CorpusError(f"{place}: {shown(symbol)} stands outside every bracket.")
    bracket = open_brackets[-1]
    if bracket.parent or bracket.word:
        raise CorpusError(f"{place}: the word {shown(symbol)} has no tag of its own.")
    if bracket.label:
        bracket.word = symbol
    else:
        bracket.label = symbol
