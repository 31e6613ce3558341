"""Text of ``label<TAB>sentence`` lines: a label for each sentence, whatever is to be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from models.corpora import CorpusError, Document, Sentence
from models.readers.files import numbered_lines, read_documents, shown
from models.readers.units import untagged
from models.text import corpus_words

ENDINGS = (".tsv", ".txt")
LONGEST_LABEL = 40  # characters: it stands beside a bar


def read_labelled(path: Path, classes: Mapping[str, str] | None = None) -> list[Document]:
    """Each line that is not blank is a label, a tab and a sentence, read as if typed.

    classes: word → word class (`class_file`); a word without one is X. Raises CorpusError.
    """

    def sentences(file: Path) -> Iterator[Sentence]:
        for number, line in numbered_lines(file):
            if line.strip():
                yield _sentence(line, f"{file}, line {number}", classes)

    return read_documents(path, ENDINGS, sentences)


def _sentence(line: str, place: str, classes: Mapping[str, str] | None) -> Sentence:
    label, tab, text = line.partition("\t")
    label = label.strip()
    if not tab or not label:
        raise CorpusError(f"{place}: {shown(line)} is not of the form label<TAB>sentence.")
    if len(label) > LONGEST_LABEL or not label.isprintable():
        raise CorpusError(
            f"{place}: the label {shown(label)} is not one of at most {LONGEST_LABEL} printable "
            "characters."
        )
    words = corpus_words(text)
    if not words:
        raise CorpusError(f"{place}: no sentence follows the label {shown(label)}.")
    return replace(untagged(words, classes), label=label)
