"""The colour of a cell: the paper's rectangle, for the terminal.

The page has the same arithmetic in TypeScript; tests/fixtures/colour_cases.json holds both to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Rectangle:
    """colour: of the classes with the most mass together, #rrggbb. p: that mass, absolute."""

    colour: str
    p: float


def rectangle(
    mass: Sequence[float], classes: Sequence[str], palette: Mapping[str, str]
) -> Rectangle:
    """The winning colour of a cell's ``mass`` (K,), summed per colour: classes that share a colour
    are one. In a tie the colour of the earliest class wins. No mass at all is white.
    """
    sums: dict[str, float] = {}
    for name, part in zip(classes, mass, strict=True):
        colour = palette[name].lower()
        sums[colour] = sums.get(colour, 0.0) + part
    best = Rectangle("#ffffff", 0.0)
    for colour, p in sums.items():  # in the order of the classes
        if p > best.p:
            best = Rectangle(colour, p)
    return best


def dilute(colour: str, p: float) -> Rgb:
    """``white + p · (colour − white)`` per sRGB channel, not rounded."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return (255 + p * (r - 255), 255 + p * (g - 255), 255 + p * (b - 255))


def dark_ink(background: Rgb) -> bool:
    """Whether black reads better on ``background`` than white, by WCAG's relative luminance."""
    linear = [_linear(channel / 255) for channel in background]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05)


def _linear(s: float) -> float:
    return s / 12.92 if s <= 0.04045 else float(((s + 0.055) / 1.055) ** 2.4)
