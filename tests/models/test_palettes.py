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


# Machado, Oliveira and Fernandes 2009, severity 1: what such an eye makes of linear sRGB.
EYES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def seen(colour: str, eye: str) -> str:
    """sRGB ``#rrggbb`` as an eye sees it."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    ]
    sums = (sum(a * c for a, c in zip(row, linear, strict=True)) for row in EYES[eye])
    clipped = [min(1.0, max(0.0, value)) for value in sums]
    encoded = (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in clipped)
    return "#" + "".join(f"{round(255 * value):02x}" for value in encoded)


@pytest.mark.parametrize("eye", EYES)
def test_such_an_eye_takes_red_and_green_for_each_other_but_not_greys(eye: str) -> None:
    assert seen("#808080", eye) == "#808080"
    red, green = oklab(seen("#d03030", eye)), oklab(seen("#707000", eye))
    assert math.dist(red[1:], green[1:]) < 0.06
    assert math.dist(oklab("#d03030")[1:], oklab("#707000")[1:]) > 0.2


@pytest.mark.parametrize("eye", EYES)
def test_the_colour_blind_preset_can_be_told_apart(eye: str) -> None:
    """By three times what is just noticed, from each other and from white."""
    preset = next(palette for palette in PALETTES if palette.id == "colour-blind")
    colours = {*preset.colours.values(), "#ffffff"}
    apart = {
        (a, b): math.dist(oklab(seen(a, eye)), oklab(seen(b, eye)))
        for a, b in itertools.combinations(sorted(colours), 2)
    }
    assert min(apart.values()) > 0.07, min(apart, key=lambda pair: apart[pair])


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


def test_pronouns_are_nouns_to_the_paper_and_particles_adverbs() -> None:
    paper = next(palette for palette in PALETTES if palette.id == "paper").colours
    assert paper["PRON"] == paper["NOUN"] == "#7fc97f"
    assert paper["PRT"] == paper["ADV"] == "#fdc086"
    assert paper["VERB"] == "#beaed4"
    assert paper["ADJ"] == "#386cb0"
    others = {name for name, colour in paper.items() if colour == "#ffff99"}
    assert others == {"DET", "ADP", "CONJ", "NUM", "PUNCT", "X", "SPECIAL"}
