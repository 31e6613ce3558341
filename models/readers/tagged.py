"""Text of ``word/tag``, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from models.corpora import Document, Sentence
from models.readers.brown import brown_own, retokenise, tagged_lines
from models.readers.files import read_documents
from models.readers.penn import penn_units
from models.readers.tagsets import TAGSETS, class_of
from models.readers.units import Unit, own_sentence, typed_sentence

ENDINGS = (".txt", ".tag", ".tagged", ".pos")


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
        for number, words, given in tagged_lines(file):
            if tags == "brown":
                yield brown_own(words, given) if raw else retokenise(words, given)
            else:
                pairs = list(zip(words, given, strict=True))
                place = f"{file}, line {number}"
                units = (
                    penn_units(pairs, place)
                    if tags == "penn"
                    else [Unit(word, (class_of(tag, tags, place),)) for word, tag in pairs]
                )
                yield own_sentence(units) if raw else typed_sentence(units)

    return read_documents(path, ENDINGS, sentences)
