"""Corpora: documents of tagged sentences, in the words and classes of the network.

`models.readers` reads them; which documents train and which are held out is `split`.
"""

from __future__ import annotations

from dataclasses import dataclass


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
