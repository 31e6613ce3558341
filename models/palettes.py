"""Presets that map word classes to colours. The page starts with the first, and may change any.

Only the presets are here: what colour a cell takes is decided where it is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from models.word_classes import CLASSES


@dataclass(frozen=True)
class Palette:
    """colours: word class → sRGB ``#rrggbb``; classes that share a colour count as one.

    groups: colour → what its classes are called together, where a list of them is no name.
    """

    id: str
    name: str
    colours: dict[str, str]
    groups: dict[str, str] = field(default_factory=dict)


_PAPER = {"noun": "#7fc97f", "verb": "#beaed4", "adverb": "#fdc086", "adjective": "#386cb0"}
_PAPER_OTHER = "#ffff99"
# How the paper's five classes follow from the twelve: pronouns are nouns, particles adverbs, all
# else is "other".
_PAPER_CLASSES = {
    "NOUN": "noun",
    "PRON": "noun",
    "VERB": "verb",
    "ADV": "adverb",
    "PRT": "adverb",
    "ADJ": "adjective",
}

PALETTES = (
    # The special tokens are no class of words: a quiet grey, and no other grey beside it.
    Palette(
        "twelve",
        "Twelve classes",
        {
            "NOUN": "#4e79a7",
            "PRON": "#5cc0c7",
            "VERB": "#e15759",
            "ADJ": "#edc948",
            "ADV": "#f28e2b",
            "DET": "#59a14f",
            "ADP": "#b07aa1",
            "CONJ": "#f5a3c0",
            "NUM": "#9c755f",
            "PRT": "#7a52c7",
            "PUNCT": "#56606b",
            "X": "#a9b93f",
            "SPECIAL": "#a29e97",
        },
    ),
    Palette(
        "paper",
        "The paper's five",
        {
            name: _PAPER[_PAPER_CLASSES[name]] if name in _PAPER_CLASSES else _PAPER_OTHER
            for name in CLASSES
        },
        {_PAPER_OTHER: "other"},
    ),
    # Okabe and Ito's eight and a grey, told apart with deuteranopia and protanopia; classes of like
    # function share a colour, since no twelve colours can be told apart so. The grey is a dark one:
    # to those who see no green, a middle grey is the reddish purple.
    Palette(
        "colour-blind",
        "Colour-blind safe",
        {
            "NOUN": "#0072b2",
            "PRON": "#56b4e9",
            "VERB": "#d55e00",
            "ADJ": "#e69f00",
            "ADV": "#f0e442",
            "DET": "#009e73",
            "ADP": "#cc79a7",
            "CONJ": "#cc79a7",
            "NUM": "#000000",
            "PRT": "#cc79a7",
            "PUNCT": "#5c5c5c",
            "X": "#5c5c5c",
            "SPECIAL": "#5c5c5c",
        },
        {"#cc79a7": "function word", "#5c5c5c": "all else"},
    ),
)
