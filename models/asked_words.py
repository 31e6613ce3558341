"""Words that a person names apart from the text: the one to watch, those of a class of their own.

They go by the rules of `models.text`, but stand alone: what the vocabulary has as one word is one,
though in a sentence it may be read as two (``mr.`` at the end of a text), and a special token may
be named as the page shows it (``<eos>``), which in a text it never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.labels import Labels, Outputs
from models.reading import sentences_of
from models.text import SPECIALS
from models.text_rules import RULES


@dataclass(frozen=True, slots=True)
class Watch:
    """A watched word. word: what the network reads; ``<unk>``, and not known, for another."""

    word: str
    id: int
    known: bool


@dataclass(frozen=True, slots=True)
class OwnClass:
    """A class of words that a person has named."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """The words of an own class that are not in the vocabulary, as they were given."""

    id: str
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Classes:
    """The classes that masses are summed by. names: K ids, those of own classes last (``own:0``).
    indices: (V,) class of each word. missing: of each own class.
    """

    names: tuple[str, ...]
    indices: np.ndarray
    missing: tuple[Missing, ...] = ()


def word_id(vocabulary: Outputs, named: str) -> int | None:
    """The id of a word that the vocabulary has, or of a label; else None."""
    if isinstance(vocabulary, Labels):
        return vocabulary.ids.get(named.strip())
    if vocabulary.own is not None:
        word = vocabulary.own.find(named, vocabulary.ids, corpus=True)
        named = named.strip() if word is None else word
        if named in vocabulary.ids:
            return vocabulary.ids[named]
        tokens = vocabulary.own.tokens(named, vocabulary.ids)
        return vocabulary.ids.get(tokens[0].word) if len(tokens) == 1 else None
    named = named.strip()
    normalised = RULES[vocabulary.rules].word
    return vocabulary.ids.get(named if named in SPECIALS else normalised(named))


def watch_word(vocabulary: Outputs, named: str) -> Watch | None:
    """The watched word; None when what is named is not one word, or not a label."""
    id = word_id(vocabulary, named)
    if isinstance(vocabulary, Labels):
        return None if id is None else Watch(vocabulary.words[id], id, True)
    sentences = sentences_of(vocabulary, named.strip())
    if id is None and sum(len(tokens) for tokens, _ in sentences) != 1:
        return None
    known = id is not None
    id = vocabulary.unk if id is None else id
    return Watch(vocabulary.words[id], id, known)


def with_own_classes(vocabulary: Outputs, own: Sequence[OwnClass] = ()) -> Classes:
    """The classes of the words or labels, and a person's own: a word is of the last of those that
    names it."""
    names = list(vocabulary.class_names)
    indices = np.array(vocabulary.classes, dtype=np.int64)
    missing = []
    for k, named in enumerate(own):
        ids = {word: word_id(vocabulary, word) for word in named.words}
        indices[[id for id in ids.values() if id is not None]] = len(names)
        names.append(f"own:{k}")
        lacking = tuple(word for word, id in ids.items() if id is None)
        missing.append(Missing(names[-1], named.name, lacking))
    return Classes(tuple(names), indices, tuple(missing))
