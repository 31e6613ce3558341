"""The presets: colours that can be told apart, in OKLab (Ottosson 2020), a uniform colour space."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from models.palettes import PALETTES
from models.word_classes import CLASSES


def oklab(colour: str) -> tuple[float, float, float]:
    """sRGB ``#rrggbb`` → L, a, b."""
    bytes_ = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in bytes_)
    long, middle, short = (
        math.cbrt(a * red + b * green + c * blue)
        for a, b, c in (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        )
    )
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def test_the_space_is_oklab() -> None:
    assert oklab("#ffffff") == pytest.approx((1, 0, 0), abs=1e-4)
    # Red in the author's own description of the space.
    assert oklab("#ff0000") == pytest.approx((0.6280, 0.2249, 0.1258), abs=1e-3)


def test_twelve_classes_and_special_tokens_can_be_told_apart() -> None:
    """0.02 is about what is just noticed side by side; far apart and small, five times that."""
    colours = PALETTES[0].colours
    apart = {
        (a, b): math.dist(oklab(colours[a]), oklab(colours[b]))
        for a, b in itertools.combinations(CLASSES, 2)
    }
    assert min(apart.values()) > 0.1, min(apart, key=lambda pair: apart[pair])


def test_special_tokens_are_a_quiet_grey() -> None:
    _, a, b = oklab(PALETTES[0].colours["SPECIAL"])
    assert math.hypot(a, b) < 0.02


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.id)
def test_every_class_has_a_colour_and_a_group_name_is_for_a_shared_one(palette) -> None:
    assert set(palette.colours) == set(CLASSES)
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in palette.colours.values())
    for colour in palette.groups:
        assert list(palette.colours.values()).count(colour) > 1


def test_the_papers_fifth_class_is_other() -> None:
    paper = next(palette for palette in PALETTES if palette.id == "paper")
    assert paper.groups[paper.colours["DET"]] == "other"
