"""From the words that a corpus tags to the words that typing its text gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.corpora import Sentence
from models.text import BOS, EOS, NUM, UNK, Token, tokenise_sentence


@dataclass(frozen=True, slots=True)
class Unit:
    """What a corpus takes for one word. classes: one, or several where it stands for several words
    (``cannot``). joined: no space follows it."""

    form: str
    classes: tuple[str, ...]
    joined: bool = False


def typed_sentence(units: Sequence[Unit]) -> Sentence:
    """The words of the units' text as it would be typed, each with its class.

    The pieces of a unit (``can not`` of ``cannot``) take its classes in order. Where they do not
    tally, a piece without letter or digit is PUNCT and every other takes the first class. A word
    that runs over several units (``well-known`` of ``well - known``) takes the first class that
    is not PUNCT.
    """
    text = "".join(unit.form if unit.joined else f"{unit.form} " for unit in units)
    words: list[str] = []
    classes: list[str] = []
    tokens = iter(tokenise_sentence(text))
    token = next(tokens, None)
    end = 0
    for index, unit in enumerate(units):
        last = end + len(unit.form)
        pieces: list[Token] = []
        while token is not None and token.span[0] < last:
            pieces.append(token)
            token = next(tokens, None)
        words += [piece.word for piece in pieces]
        if len(pieces) == 1:
            classes.append(_class_of_run(units, index, pieces[0].span[1] - end))
        else:
            classes += _shared_out(unit, pieces)
        end = last + (not unit.joined)
    return Sentence(tuple(words), tuple(classes))


def own_sentence(units: Sequence[Unit]) -> Sentence:
    """The corpus's own words, unchanged, each with the first of its classes."""
    return Sentence(
        tuple(own_word(unit.form) for unit in units), tuple(unit.classes[0] for unit in units)
    )


def own_word(word: str) -> str:
    """A corpus may write ``<unk>`` and ``<num>`` itself, but the edges of a sentence are ours."""
    return word.strip("<>") if word in (BOS, EOS) else word


def untagged(words: Sequence[str], classes: Mapping[str, str] | None) -> Sentence:
    """Words with the classes that a user gave them; those not given one are X."""
    given = classes or {}
    return Sentence(tuple(words), tuple(_SPECIAL.get(w) or given.get(w, "X") for w in words))


_SPECIAL = {NUM: "NUM", UNK: "SPECIAL"}


def _class_of_run(units: Sequence[Unit], first: int, length: int) -> str:
    """The class of the one word that begins in a unit and is ``length`` characters of text long,
    counted from where the unit begins."""
    names: list[str] = []
    for unit in units[first:]:
        if length <= 0:
            break
        names += unit.classes
        length -= len(unit.form) + (not unit.joined)
    return next((name for name in names if name != "PUNCT"), "PUNCT")


def _shared_out(unit: Unit, pieces: Sequence[Token]) -> Sequence[str]:
    if len(pieces) == len(unit.classes):
        return unit.classes
    return [
        unit.classes[0] if any(c.isalnum() for c in piece.word) else "PUNCT" for piece in pieces
    ]
