"""Text of ``word/tag``, one sentence a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from models.corpora import CorpusError, Document, Sentence, retokenise
from models.readers.files import document, numbered_lines, read_documents, shown
from models.readers.penn import penn_units
from models.readers.tagsets import TAGSETS, class_of
from models.readers.units import Unit, own_sentence, typed_sentence
from models.word_classes import piece_classes

ENDINGS = (".txt", ".tag", ".tagged", ".pos")
_BROWN_FILE = re.compile(r"c([a-r])\d\d")

Pairs = list[tuple[str, str]]


def read_tagged(path: Path, tags: str = "universal", raw: bool = False) -> list[Document]:
    """Each line that is not blank is a sentence of items ``word/tag``, parted by white space; the
    tag is what follows the last slash.

    tags: ``brown``, ``penn`` or ``universal`` (the twelve, or Universal Dependencies'). An unknown
    tag is an error, but X for Brown, which has hundreds of composed ones. raw: the corpus's own
    words, with their case and digits. Raises CorpusError; ValueError for another tagset.
    """
    if tags != "brown" and tags not in TAGSETS:
        raise ValueError(f"the tagset {tags!r} is not one of brown, {', '.join(sorted(TAGSETS))}")

    def sentences(file: Path) -> Iterator[Sentence]:
        for place, pairs in _tagged_lines(file):
            if tags == "brown":
                yield own_sentence(_brown_units(pairs)) if raw else retokenise(pairs)
            else:
                units = (
                    penn_units(pairs, place)
                    if tags == "penn"
                    else [Unit(word, (class_of(tag, tags, place),)) for word, tag in pairs]
                )
                yield own_sentence(units) if raw else typed_sentence(units)

    return read_documents(path, ENDINGS, sentences)


def read_brown_raw(folder: Path) -> list[Document]:
    """The Brown corpus as `models.corpora.read_brown` reads it, but in its own tokens: case kept,
    numbers as they stand, ``didn't`` one word (with the class of ``did``). Raises CorpusError.
    """
    if not folder.is_dir():
        raise CorpusError(f"{folder}: there is no such folder.")
    found = ((_BROWN_FILE.fullmatch(file.name), file) for file in sorted(folder.iterdir()))
    documents = [
        document(
            file.name,
            file,
            (own_sentence(_brown_units(pairs)) for _, pairs in _tagged_lines(file)),
            match[1],
        )
        for match, file in found
        if match
    ]
    if not documents:
        raise CorpusError(f"{folder}: no file named like Brown's (ca01 … cr09) is in this folder.")
    return documents


def _tagged_lines(path: Path) -> Iterator[tuple[str, Pairs]]:
    """The place and the (word, tag) pairs of each line that is not blank."""
    for number, line in numbered_lines(path):
        place = f"{path}, line {number}"
        pairs = [_pair(item, place) for item in line.split()]
        if pairs:
            yield place, pairs


def _pair(item: str, place: str) -> tuple[str, str]:
    word, _, tag = item.rpartition("/")
    if not word or not tag:
        raise CorpusError(f"{place}: {shown(item)} is not of the form word/tag.")
    return word, tag


def _brown_units(pairs: Pairs) -> list[Unit]:
    return [Unit(word, tuple(piece_classes([word], tag))) for word, tag in pairs]
