"""Plain text, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from models.corpora import Document, Sentence
from models.readers.files import numbered_lines, read_documents
from models.readers.units import own_word, untagged
from models.text_rules import RULES
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
    white space parts, with their case and digits. vocabulary: of the model that is to read them,
    by its text rules. Raises CorpusError.
    """

    own = vocabulary.own if vocabulary else None
    known = vocabulary.ids if vocabulary else {}
    rules = RULES["spaces" if raw else vocabulary.rules if vocabulary and not own else "penn"]

    def sentences(file: Path) -> Iterator[Sentence]:
        for _, line in numbered_lines(file):
            if own is not None:
                words = [token.word for token in own.tokens(line, known, corpus=True)]
            else:
                words = [own_word(word) for word in rules.line(line)]
            yield untagged(words, classes)

    return read_documents(path, ENDINGS, sentences)
