"""CoNLL-U, the format of Universal Dependencies (universaldependencies.org/format.html).

A sentence is a block of lines of ten columns; UPOS, the fourth, gives the class. Where a range
(``1-2``) says that several words are written as one token, the text has that token and its words
only give the classes. Empty nodes (``1.1``) and comments are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from models.corpora import CorpusError, Document, Sentence
from models.readers.files import LONGEST_LINE, numbered_lines, read_documents, shown
from models.readers.tagsets import class_of
from models.readers.units import Unit, own_sentence, typed_sentence

ENDINGS = (".conllu",)
_COLUMNS = 10
_ID = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", re.ASCII)
_EMPTY_NODE = re.compile(r"[0-9]{1,9}\.[1-9][0-9]{0,8}", re.ASCII)


def read_conllu(path: Path, raw: bool = False) -> list[Document]:
    """The text is put together again from the forms (``SpaceAfter=No``) and read as if typed.

    raw: the syntactic words' own forms, with their case and digits. Raises CorpusError.
    """

    def sentences(file: Path) -> Iterator[Sentence]:
        for block in _blocks(file):
            yield own_sentence(block.words) if raw else typed_sentence(block.tokens)

    return read_documents(path, ENDINGS, sentences)


@dataclass
class _Block:
    """A sentence as it is read. words: the syntactic words; tokens: what is written.

    A range waits until its last word has been read.
    """

    words: list[Unit] = field(default_factory=list)
    tokens: list[Unit] = field(default_factory=list)
    range: Unit | None = None
    range_end: int = 0
    length: int = 0

    def begin_range(self, form: str, first: int, last: int, joined: bool) -> str:
        """What is wrong, or nothing."""
        if self.range or first != len(self.words) + 1 or last <= first:
            return f"the range {first}-{last} does not begin at the next word"
        self.range, self.range_end = Unit(form, (), joined), last
        return ""

    def add(self, word: Unit) -> None:
        self.words.append(word)
        self.length += len(word.form)
        if self.range is None:
            self.tokens.append(word)
            return
        self.range = Unit(self.range.form, (*self.range.classes, *word.classes), self.range.joined)
        if len(self.words) == self.range_end:
            self.tokens.append(self.range)
            self.range = None


def _blocks(path: Path) -> Iterator[_Block]:
    block = _Block()
    place = ""
    for number, line in numbered_lines(path):
        if not line.strip():
            if block.words or block.range:
                yield _complete(block, place)
            block = _Block()
        elif not line.startswith("#"):
            place = f"{path}, line {number}"
            _read_line(line, block, place)
    if block.words or block.range:
        yield _complete(block, place)


def _read_line(line: str, block: _Block, place: str) -> None:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise CorpusError(
            f"{place}: {len(columns)} columns parted by tabs; a line of CoNLL-U has {_COLUMNS}."
        )
    identity, form, upos, misc = columns[0], columns[1], columns[3], columns[9]
    if _EMPTY_NODE.fullmatch(identity):
        return
    if not form.strip():
        raise CorpusError(f"{place}: the form is empty.")
    joined = "SpaceAfter=No" in misc.split("|")
    match = _ID.fullmatch(identity)
    if match and match[2]:
        fault = block.begin_range(form, int(match[1]), int(match[2]), joined)
    elif match and int(match[1]) == len(block.words) + 1:
        fault = ""
        block.add(Unit(form, (class_of(upos, "universal", place),), joined))
    else:
        fault = f"the id {shown(identity)} is not {len(block.words) + 1}, the next word's"
    if fault:
        raise CorpusError(f"{place}: {fault}.")
    if block.length > LONGEST_LINE:
        raise CorpusError(
            f"{place}: the sentence is longer than {LONGEST_LINE:,} characters; a blank line ends "
            "a sentence."
        )


def _complete(block: _Block, place: str) -> _Block:
    if block.range is not None:
        raise CorpusError(f"{place}: the sentence ends before word {block.range_end} of a range.")
    return block
