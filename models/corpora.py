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
