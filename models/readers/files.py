"""The files of a corpus, and their lines: read one by one, bounded, numbered."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from sys import intern

from models.corpora import CorpusError, Document, Sentence

# Bytes. The longest sentence of the Brown corpus has about a thousand: what is longer by far is
# a file without line breaks, or no text.
LONGEST_LINE = 1 << 16


def read_documents(
    path: Path, endings: tuple[str, ...], sentences: Callable[[Path], Iterable[Sentence]]
) -> list[Document]:
    """A document for each file that `corpus_files` finds. Raises CorpusError."""
    return [document(name, file, sentences(file)) for name, file in corpus_files(path, endings)]


def document(name: str, path: Path, sentences: Iterable[Sentence], genre: str = "") -> Document:
    """Its sentences that have words. Every word is held in memory once, however often it occurs.

    Raises CorpusError when there is none.
    """
    kept = tuple(
        Sentence(tuple(map(intern, sentence.words)), sentence.classes, sentence.label)
        for sentence in sentences
        if sentence.words
    )
    if not kept:
        raise CorpusError(f"{path}: there is no sentence in this file.")
    return Document(name, genre, kept)


def corpus_files(path: Path, endings: tuple[str, ...]) -> list[tuple[str, Path]]:
    """The file itself, whatever its name; or the files in and below a folder whose names have one
    of the endings, in the order of their names, which are given beside them. Raises CorpusError.
    """
    if path.is_file():
        return [(path.name, path)]
    if not path.is_dir():
        raise CorpusError(f"{path}: there is no such file or folder.")
    named = (
        (file.relative_to(path).as_posix(), file)
        for file in path.rglob("*")
        if file.suffix in endings and file.is_file()
    )
    found = sorted((name, file) for name, file in named if not _hidden(name))
    if not found:
        raise CorpusError(f"{path}: no file in this folder ends in {' or '.join(endings)}.")
    return found


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file, numbered from 1, without their ends (``\\n`` or ``\\r\\n``).

    No more than one line is in memory. Raises CorpusError for a line over LONGEST_LINE, without
    reading it to its end, and for bytes that are no text.
    """
    try:
        with path.open("rb") as file:
            lines = iter(partial(file.readline, LONGEST_LINE + 2), b"")
            for number, line in enumerate(lines, 1):
                if line == b"\n":  # as every second one of Brown's: nothing to check
                    yield number, ""
                else:
                    yield number, _text(line.removesuffix(b"\n").removesuffix(b"\r"), path, number)
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read ({error.strerror}).") from error


def shown(text: str) -> str:
    """A piece of a corpus as a message quotes it."""
    return f"`{text}`" if len(text) <= 40 else f"`{text[:40]}…`"


def _text(line: bytes, path: Path, number: int) -> str:
    if len(line) > LONGEST_LINE:
        raise CorpusError(
            f"{path}, line {number}: longer than {LONGEST_LINE:,} bytes. A line is one sentence, "
            "or less."
        )
    if number == 1:
        line = line.removeprefix(codecs.BOM_UTF8)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{path}, line {number}: not UTF-8 text (byte {error.start + 1} of the line is "
            f"0x{line[error.start]:02x})."
        ) from error
    if "\0" in text:  # as every other byte of UTF-16 is
        raise CorpusError(f"{path}, line {number}: a NUL is in it: this is not UTF-8 text.")
    return text


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
