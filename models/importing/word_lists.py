"""A vocabulary as others write it: the words of a file, in the order of their ids."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.importing.digits import whole
from models.importing.refused import ImportRefused, listed

# Under which a JSON file may keep the words, beside others: torchtext's and the usual names.
_NESTS = ("idx2word", "itos", "id2word", "index_to_word", "words", "vocab")
_NESTED_IDS = ("word2idx", "stoi", "word2id", "word_to_index", "vocab")


def read_words(path: Path) -> list[str]:
    """The words of a vocabulary in id order: a word a line; numbered lines (``17 the``, ``the
    17``); a JSON list, or object of word → id or id → word; or the list ``idx2word`` of PyTorch's
    word-language-model example, printed or as JSON. Raises ImportRefused.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ImportRefused(f"{path}: cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise ImportRefused(
            f"{path}: this is not UTF-8 text: write the vocabulary as text, a word a line, or as "
            "JSON; a pickle is not read, since to load it would run code that came with it."
        ) from error
    words = _json(text, path) if path.suffix == ".json" else _text(text, path)
    _check(words, path)
    return words


def _text(text: str, path: Path) -> list[str]:
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if len(lines) == 1 and lines[0].startswith("["):
        try:  # as Python prints a list, or as JSON: both are literals
            value = ast.literal_eval(lines[0])
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            value = None
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return value
    words = _numbered(lines) or lines
    _check_alone(words, path)
    return words


def _numbered(lines: Sequence[str]) -> list[str] | None:
    """The words of lines that each hold a word and its id, on either side; else None."""
    for id_first in (True, False):
        ids: dict[int, str] = {}
        for line in lines:
            left, space, right = line.partition("\t") if "\t" in line else line.partition(" ")
            number, word = (left, right) if id_first else (right, left)
            id = whole(number)
            if not space or id is None:
                break
            ids[id] = word
        if len(ids) == len(lines) and set(ids) == set(range(len(lines))):
            return [ids[id] for id in range(len(lines))]
    return None


def _check_alone(lines: Sequence[str], path: Path) -> None:
    """Most lines of a word list are a word alone. Raises ImportRefused where they are not: no text
    would ever have such words."""
    parted = [line for line in lines if any(map(str.isspace, line)) and not line.isspace()]
    if 2 * len(parted) > len(lines):
        raise ImportRefused(
            f"{path}: most lines have white space in them, such as {parted[0]!r}: a line is to be "
            "a word alone, or all lines a word and its id, from 0 without a gap; leave counts out."
        )


def _json(text: str, path: Path) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f"{path}: this cannot be read as JSON ({error}).") from error
    if isinstance(value, dict):
        value = next((value[k] for k in _NESTS if isinstance(value.get(k), list)), value)
    if isinstance(value, dict):
        value = next((value[k] for k in _NESTED_IDS if isinstance(value.get(k), dict)), value)
        value = _by_id(value, path)
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise ImportRefused(
            f"{path}: the vocabulary must be a JSON list of words in the order of their ids, or an "
            "object of word and id."
        )
    return value


def _by_id(value: Mapping[str, Any], path: Path) -> list[str]:
    if value and all(isinstance(word, str) and id.isdecimal() for id, word in value.items()):
        told = [(whole(id), word) for id, word in value.items()]
    else:
        told = [(id if type(id) is int else None, word) for word, id in value.items()]
    pairs: dict[int, str] = {}
    for id, word in told:
        if id is None:
            raise ImportRefused(f"{path}: not every word of this object has a number for its id.")
        if id in pairs:
            raise ImportRefused(f"{path}: {pairs[id]!r} and {word!r} both have the id {id}.")
        pairs[id] = word
    if set(pairs) != set(range(len(pairs))):
        missing = min(set(range(len(pairs))) - set(pairs))
        raise ImportRefused(f"{path}: no word has the id {missing}; ids go from 0 without a gap.")
    return [pairs[id] for id in range(len(pairs))]


def _check(words: Sequence[str], path: Path) -> None:
    if len(words) < 2:
        raise ImportRefused(f"{path}: a vocabulary has two words at least.")
    seen: set[str] = set()
    for number, word in enumerate(words):
        if word in seen or not word:
            what = f"the word {word!r} stands here twice" if word else "a word is empty"
            raise ImportRefused(
                f"{path}: {what} (id {number}): the ids of a network are of one word each."
            )
        seen.add(word)
    odd = [word for word in words if any(0xD800 <= ord(c) < 0xE000 for c in word)]
    if odd:
        raise ImportRefused(f"{path}: {listed(map(repr, odd))}: half of a surrogate pair.")
