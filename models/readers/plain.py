"""Plain text, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from models.corpora import Document, Sentence
from models.readers.files import numbered_lines, read_documents
from models.readers.units import own_word, untagged
from models.text import tokenise_sentence
from models.vocabulary import Vocabulary

ENDINGS = (".txt",)


def read_text(
    path: Path,
    classes: Mapping[str, str] | None = None,
    raw: bool = False,
    vocabulary: Vocabulary | None = None,
) -> list[Document]:
    """Each line is a sentence, whatever marks are in it; blank lines are passed over.

    classes: word → word class (`class_file`); a word without one is X. raw: the words are what
    white space parts, with their case and digits. vocabulary: read as its own text rules say, if it
    has some. Raises CorpusError.
    """

    own = vocabulary.own if vocabulary else None
    known = vocabulary.ids if vocabulary else {}

    def sentences(file: Path) -> Iterator[Sentence]:
        for _, line in numbered_lines(file):
            if own is not None:
                words = [token.word for token in own.tokens(line, known, corpus=True)]
            elif raw:
                words = [own_word(word) for word in line.split()]
            else:
                words = [token.word for token in tokenise_sentence(line)]
            yield untagged(words, classes)

    return read_documents(path, ENDINGS, sentences)
