"""Whole numbers in what others wrote."""

from __future__ import annotations

_MOST = 18  # digits; Python itself reads no more than 4,300


def whole(text: str) -> int | None:
    """The number that decimal digits are; None for other texts, and beyond what any file counts."""
    return int(text) if text.isdecimal() and len(text) <= _MOST else None
