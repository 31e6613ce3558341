"""The labels that a tagger or a classifier chooses among: each its own class and colour."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from models.palettes import PALETTES
from models.vocabulary import Vocabulary
from models.word_classes import CLASSES

MOST = 64  # labels: what a legend can list


@dataclass(frozen=True)
class Labels:
    """words: the L labels in the order of their ids, as a cell shows them. Raises ValueError unless
    there are two to `MOST`, all different and printable.
    """

    words: tuple[str, ...]
    ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 2 <= len(self.words) <= MOST:
            raise ValueError(f"there are {len(self.words)} labels; there must be 2 to {MOST}")
        if len(set(self.words)) != len(self.words):
            raise ValueError("a label is named twice")
        if not all(word.strip() and word.isprintable() for word in self.words):
            raise ValueError("a label is empty, or not printable")
        ids = {word: index for index, word in enumerate(self.words)}
        object.__setattr__(self, "ids", ids)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def classes(self) -> tuple[int, ...]:
        """Of each label, the index of its class: its own."""
        return tuple(range(len(self.words)))

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.words


# What a network chooses among; both have words, classes, class_names, ids and a length.
Outputs = Vocabulary | Labels

# Told apart at a glance; the first four also with deuteranopia and protanopia.
_COLOURS = (
    "#4e79a7 #e9a23b #59a14f #c8507a #7a52c7 #5cc0c7 "
    "#e15759 #9c755f #edc948 #56606b #f5a3c0 #a9b93f"
).split()
# Okabe and Ito's.
_SAFE = "#0072b2 #e69f00 #009e73 #d55e00 #cc79a7 #56b4e9 #f0e442 #5c5c5c".split()


def palettes_of(labels: Sequence[str]) -> list[dict[str, Any]]:
    """Presets in the form of ``config.json``. Labels that are word classes have those of words."""
    if set(labels) <= set(CLASSES):
        return [
            {
                "id": preset.id,
                "name": preset.name,
                "colours": {label: preset.colours[label] for label in labels},
                "groups": {
                    colour: name
                    for colour, name in preset.groups.items()
                    if colour in {preset.colours[label] for label in labels}
                },
            }
            for preset in PALETTES
        ]
    presets = [("labels", "Labels", _COLOURS)]
    if len(labels) <= len(_SAFE):
        presets.append(("colour-blind", "Colour-blind safe", _SAFE))
    return [
        {
            "id": id,
            "name": name,
            "colours": {label: _colour(i, colours) for i, label in enumerate(labels)},
            "groups": {},
        }
        for id, name, colours in presets
    ]


def _colour(index: int, colours: Sequence[str]) -> str:
    """The listed ones, then hues a golden section of the circle apart: no two alike."""
    if index < len(colours):
        return colours[index]
    more = index - len(colours)
    channels = colorsys.hls_to_rgb((more * 0.618034) % 1, (0.4, 0.55, 0.7)[more % 3], 0.5)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
