"""What the words of a foreign vocabulary are: its unit, its special tokens, its classes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from models.character_classes import CHARACTER_CLASSES, class_of_character
from models.importing.refused import ImportRefused
from models.own_text import CHARACTER, SHOWN, WORD, OwnText
from models.text import BOS, EOS, NUM, UNK
from models.text_rules import OWN
from models.vocabulary import Vocabulary
from models.word_classes import CLASSES

# How each special token is written, the likeliest first.
_WRITTEN = {
    UNK: (UNK, "<UNK>", "[UNK]", "<oov>", "<OOV>", "<unknown>", "UNK"),
    BOS: (BOS, "<s>", "<sos>", "<start>", "<BOS>", "<SOS>", "<S>", "[BOS]"),
    EOS: (EOS, "</s>", "<eol>", "<end>", "<EOS>", "</S>", "[EOS]", "<|endoftext|>"),
    NUM: (NUM, "<NUM>", "<number>", "N"),
}
_OPTIONS = {UNK: "--unk", BOS: "--bos", EOS: "--eos"}
# Of the words of a vocabulary, how many a list of classes must know to be of its language.
_KNOWN_ENOUGH = 0.5


def understand(
    words: Sequence[str],
    *,
    unit: str | None = None,
    told: Mapping[str, str] | None = None,
    classes: Mapping[str, str] | None = None,
) -> Vocabulary:
    """The vocabulary of a network of ours, with the rules by which text is read for it.

    unit: ``word`` or ``character``; by default characters, where no word is longer but the special
    tokens. told: special token (``<unk>``, ``<bos>``, ``<eos>``) → the word that is it. classes: of
    words, for those that have one; see `classes_of_words`. A vocabulary without a start of its own
    begins a sentence with the end of the one before, as PyTorch's example does. Raises
    ImportRefused.
    """
    told = told or {}
    unit = unit or _unit(words)
    # What is in capitals throughout stands for something (N, for a number; URL), and says nothing
    # of the others' case.
    exempt = {w for w in words if w == w.upper()} | {*told.values()} if unit == WORD else set()
    plain = [w for w in words if not _is_marked(w)]
    lower = all(w == w.lower() for w in plain if w not in exempt)
    # Where there are no others, all is in capitals: then that is how its text is written.
    lower = lower and (all(w == w.lower() for w in plain) or any(w != w.upper() for w in plain))
    roles = {role: _role(role, words, unit, told, lower) for role in _WRITTEN}
    if roles[BOS] is None:
        roles[BOS] = roles[EOS]
    for role in (EOS, UNK):
        if roles[role] is None:
            raise ImportRefused(_lacking(role, unit))

    written: dict[str, str] = {}
    for role, word in roles.items():
        if word is not None and word != role and word in _WRITTEN[role] and role not in words:
            written.setdefault(word, role)
    written |= {c: shown for c, shown in SHOWN.items() if c in words and shown not in words}
    shown_words = tuple(written.get(word, word) for word in words)
    as_shown = {role: written.get(word, word) for role, word in roles.items() if word is not None}
    if lower and classes:  # the list may have capitals where the vocabulary has none
        classes = {word.lower(): name for word, name in classes.items()} | dict(classes)
    own = OwnText(unit, lower, written, as_shown[UNK], as_shown[BOS], as_shown[EOS])
    if unit == CHARACTER:
        names, of_each = _characters(words, own)
    else:
        names, of_each = _words(shown_words, classes or {}, own)
    return Vocabulary(shown_words, tuple(map(names.index, of_each)), names, OWN, own)


def unmatched(classes: Mapping[str, str], vocabulary: Vocabulary) -> list[str]:
    """The words of a list of classes that are in the vocabulary neither as they are written nor,
    where it has no capitals, in lower case: how `understand` looks for them."""
    known, own = vocabulary.ids, vocabulary.own
    lower = own is not None and own.lower
    return [w for w in classes if w not in known and not (lower and w.lower() in known)]


def classes_of_words(path: Path, words: Sequence[str], always: bool) -> dict[str, str]:
    """Word → class from the ``vocab.json`` of a model folder, for the words of another vocabulary:
    none, unless half of them are in it or it is ``always`` to be taken. Raises ImportRefused."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        names = record["classes"]
        known = {word: names[index] for word, index in record["words"]}
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise ImportRefused(f"{path}: this is not the vocabulary of a model ({error}).") from error
    found = {word: known[word.lower()] for word in words if word.lower() in known}
    return found if always or len(found) >= _KNOWN_ENOUGH * len(words) else {}


def _unit(words: Sequence[str]) -> str:
    plain = [word for word in words if not _is_marked(word)]
    return CHARACTER if all(len(word) == 1 for word in plain) else WORD


def _is_marked(word: str) -> bool:
    """Written as only special tokens are: ``<unk>``, ``[UNK]``."""
    return len(word) > 2 and word[0] + word[-1] in ("<>", "[]")


def _role(
    role: str, words: Sequence[str], unit: str, told: Mapping[str, str], lower: bool
) -> str | None:
    """The word that is a special token, as the vocabulary writes it."""
    if role in told:
        plain = {shown: c for c, shown in SHOWN.items()}
        word = plain.get(told[role], told[role])
        if word not in words:
            raise ImportRefused(f"{_OPTIONS[role]} {told[role]}: the vocabulary has no such word.")
        return word
    candidates = _WRITTEN[role]
    if role == EOS and unit == CHARACTER:
        candidates = (*candidates, "\n")
    if role == NUM and not lower:  # where capitals are kept, N is a letter
        candidates = candidates[:-1]
    if unit == CHARACTER:
        candidates = tuple(word for word in candidates if len(word) > 1 or word == "\n")
    return next((word for word in candidates if word in words), None)


def _lacking(role: str, unit: str) -> str:
    if role == EOS:
        between = "lines" if unit == WORD else "lines (a line break, or else a full stop)"
        return (
            f"the vocabulary has no end of a sentence ({', '.join(_WRITTEN[EOS][:3])}): say with "
            f"--eos which word stood between {between} in training."
        )
    return (
        f"the vocabulary has no word for unknown ones ({', '.join(_WRITTEN[UNK][:3])}): say with "
        "--unk as which of its words an unknown one is to be read."
    )


def _words(
    words: Sequence[str], given: Mapping[str, str], own: OwnText
) -> tuple[tuple[str, ...], list[str]]:
    def class_of(word: str) -> str:
        if word == NUM:
            return "NUM"
        if _is_marked(word) or word in own.edges:
            return "SPECIAL"
        if word in given:
            return given[word]
        if word == own.unknown:  # and no word of the language
            return "SPECIAL"
        if any(c.isalpha() for c in word):
            return "X"
        return "NUM" if any(c.isdigit() for c in word) else "PUNCT"

    return CLASSES, [class_of(word) for word in words]


def _characters(words: Sequence[str], own: OwnText) -> tuple[tuple[str, ...], list[str]]:
    special = [len(word) > 1 or word in own.edges for word in words]
    return CHARACTER_CLASSES, [
        "special" if marked else class_of_character(word)
        for word, marked in zip(words, special, strict=True)
    ]
