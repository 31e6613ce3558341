"""Classes of characters, for a network that reads one at a time, and their colours."""

from __future__ import annotations

import unicodedata

from models.palettes import Palette

CHARACTER_CLASSES = ("letter", "digit", "space", "punctuation", "other", "special")
# The colours of the colour-blind preset for words.
CHARACTER_PALETTE = Palette(
    "characters",
    "Characters",
    {
        "letter": "#0072b2",
        "digit": "#d55e00",
        "space": "#e69f00",
        "punctuation": "#009e73",
        "other": "#cc79a7",
        "special": "#5c5c5c",
    },
)
_BY_CATEGORY = {
    "L": "letter",
    "M": "letter",  # the marks on them
    "N": "digit",
    "P": "punctuation",
    "S": "punctuation",
}


def class_of_character(character: str) -> str:
    """By its general category in Unicode."""
    if character.isspace():
        return "space"
    return _BY_CATEGORY.get(unicodedata.category(character)[0], "other")
