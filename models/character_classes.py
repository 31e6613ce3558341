"""Classes of characters, for a network that reads one at a time."""

from __future__ import annotations

import unicodedata

CHARACTER_CLASSES = ("LETTER", "DIGIT", "SPACE", "PUNCT", "X", "SPECIAL")
# Those that words have too have their names in `models.word_classes`.
CHARACTER_NAMES = {"LETTER": "letter", "DIGIT": "digit", "SPACE": "space"}


def class_of_character(character: str) -> str:
    """By its general category in Unicode. Marks on letters are letters, symbols punctuation."""
    if character.isspace():
        return "SPACE"
    category = unicodedata.category(character)[0]
    return {"L": "LETTER", "M": "LETTER", "N": "DIGIT", "P": "PUNCT", "S": "PUNCT"}.get(
        category, "X"
    )
