"""The word classes that a user gives for a corpus without tags."""

from __future__ import annotations

from pathlib import Path

from models.corpora import CorpusError
from models.readers.files import numbered_lines, shown
from models.readers.tagsets import TAGGED_CLASSES
from models.text import normalise


def class_file(path: Path, raw: bool = False) -> dict[str, str]:
    """Word → word class, from lines of ``word<TAB>CLASS``; blank lines are passed over.

    Words are normalised as typed ones are, unless the corpus is read raw. Raises CorpusError for a
    line of another form, an unknown class, and a word that is given two.
    """
    classes: dict[str, str] = {}
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        surface, tab, name = line.partition("\t")
        word, name = surface.strip(), name.strip()
        if not tab or not word:
            raise CorpusError(f"{place}: {shown(line)} is not of the form word<TAB>CLASS.")
        if name not in TAGGED_CLASSES:
            known = ", ".join(TAGGED_CLASSES)
            raise CorpusError(f"{place}: {shown(name)} is not a word class; {known} are.")
        word = word if raw else normalise(word)
        if classes.setdefault(word, name) != name:
            raise CorpusError(f"{place}: {shown(word)} was {classes[word]} in a line before.")
    if not classes:
        raise CorpusError(f"{path}: there is no word in this file.")
    return classes
