"""Why a checkpoint is not imported."""

from __future__ import annotations

from collections.abc import Iterable

# Said where a network gives labels.
NOT_LABELS = (
    "Taggers and classifiers are not imported, but trained here by a recipe: docs/labels.md."
)


class ImportRefused(Exception):
    """One sentence that names the file or the weight, with what mends it."""


def listed(names: Iterable[str], most: int = 3) -> str:
    """The first few names, and how many more there are."""
    every = list(names)
    told = ", ".join(every[:most])
    return told if len(every) <= most else f"{told} and {len(every) - most} more"
