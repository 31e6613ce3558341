"""The Penn Treebank as language models are measured on it (Mikolov et al. 2010).

It comes in tokens, lower-cased, with ``<unk>`` for rare words and N for numbers, in three parts:
``ptb.train.txt``, ``ptb.valid.txt``, ``ptb.test.txt``. Its words are kept as they are, but that N
is our ``<num>``. There are no tags.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from models.corpora import CorpusError, Document, Sentence
from models.readers.files import LONGEST_LINE, document, numbered_lines
from models.readers.units import own_word, untagged
from models.text import NUM

PTB_PARTS = ("train", "valid", "test")
_LARGEST_PACKAGE = 1 << 26  # bytes; the package's one file has 6 million
_VARIABLE = "penn"

_Classes = Mapping[str, str] | None


def read_ptb(path: Path, classes: _Classes = None) -> list[Document]:
    """One such file. classes: word → word class (`class_file`); a word without one is X.

    Raises CorpusError.
    """
    if not path.is_file():
        raise CorpusError(f"{path}: there is no such file.")
    lines = (line for _, line in numbered_lines(path))
    return [document(path.name, path, _sentences(lines, classes))]


def read_treebank_package(path: Path, part: str, classes: _Classes = None) -> list[Document]:
    """A part (``train``, ``valid``, ``test``) of the ``__init__.py`` of the Python package
    ``treebank`` 0.0.0, which holds the three as strings.

    The file is parsed and never imported: nothing in it is run. Raises CorpusError.
    """
    return [_package_part(path, _strings(path), part, classes)]


def read_ptb_parts(path: Path, classes: _Classes = None) -> dict[str, list[Document]]:
    """Part → documents, from a folder of the three files, or the package's folder or ``.py`` file.

    Raises CorpusError.
    """
    package = path / "__init__.py" if path.is_dir() else path
    if package.suffix == ".py" and package.is_file():
        strings = _strings(package)
        return {part: [_package_part(package, strings, part, classes)] for part in PTB_PARTS}
    if not path.is_dir():
        raise CorpusError(f"{path}: neither a folder of ptb.train.txt … nor a .py file.")
    return {part: read_ptb(path / f"ptb.{part}.txt", classes) for part in PTB_PARTS}


def _package_part(path: Path, strings: Mapping[str, str], part: str, classes: _Classes) -> Document:
    if part not in strings:
        raise CorpusError(f"{path}: no string {_VARIABLE}[{part!r}] is in this file.")
    return document(part, path, _sentences(_lines(strings[part], path, part), classes))


def _sentences(lines: Iterable[str], classes: _Classes) -> Iterator[Sentence]:
    for line in lines:
        words = [NUM if word == "N" else own_word(word) for word in line.split()]
        yield untagged(words, classes)


def _lines(text: str, path: Path, part: str) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise CorpusError(
                f"{path}, line {number} of {part}: longer than {LONGEST_LINE:,} characters."
            )
        yield line


def _strings(path: Path) -> dict[str, str]:
    """Every ``penn["key"] = "text"`` of a Python file, and every text of ``penn = {"key": …}``."""
    try:
        if path.stat().st_size > _LARGEST_PACKAGE:
            raise CorpusError(f"{path}: larger than {_LARGEST_PACKAGE:,} bytes.")
        with warnings.catch_warnings():
            # Its `1\/2` is no escape of Python's, which warns and reads it as it stands.
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read ({error.strerror}).") from error
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        raise CorpusError(f"{path}{where}: not Python ({error.msg}).") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise CorpusError(f"{path}: cannot be parsed as Python.") from error
    found: dict[str, str] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(ast.Name(id=name), ast.Constant(str(key)))],
                value=ast.Constant(str(text)),
            ) if name == _VARIABLE:
                found[key] = text
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys, values)) if (
                name == _VARIABLE
            ):
                for item in zip(keys, values, strict=True):
                    match item:
                        case ast.Constant(str(key)), ast.Constant(str(text)):
                            found[key] = text
    return found
