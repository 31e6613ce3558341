"""The JSON files of a model folder, each as one strict schema; a fault is one sentence.

What goes beyond a file's own form is checked where it is used: whether the architecture is one, and
that of the weights, in `network`, whether text rules, labels and palettes are of use in `config`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from models.artifact.folder import ArtifactError, is_id

# What is wrong with a value that stands at a place in a file, or nothing.
Check = Callable[[Any, str], str]

_COLOUR = re.compile(r"#[0-9a-f]{6}")


def check(schema: Check, value: Any, path: Path) -> None:
    """Raises ArtifactError with the first fault: the file, the field, and what it must be."""
    fault = schema(value, "")
    if fault:
        raise ArtifactError(f"{path}: {fault}.")


def _one(said: str, holds: Callable[[Any], bool]) -> Check:
    return lambda value, place: "" if holds(value) else f"{place} must be {said}"


def _number(value: Any) -> bool:
    """Finite, and within what JSON's readers take for a whole number."""
    return (type(value) is int and abs(value) < 1 << 63) or (
        type(value) is float and math.isfinite(value)
    )


def _whole(value: Any, least: int) -> bool:
    return type(value) is int and value >= least


def _sizes(value: Any) -> bool:
    sizes = value if isinstance(value, list) else [value]
    return bool(sizes) and all(_whole(size, 1) for size in sizes)


def _or_null(schema: Check) -> Check:
    return lambda value, place: "" if value is None else schema(value, place)


def _either(first: Check, of_labels: Check) -> Check:
    """An object is checked by the second: what is told of labels has more than one figure."""
    return lambda value, place: (of_labels if isinstance(value, dict) else first)(value, place)


def _list(item: Check) -> Check:
    def of(value: Any, place: str) -> str:
        if not isinstance(value, list):
            return f"{place} must be a list"
        faults = (item(one, f"{place}[{index}]") for index, one in enumerate(value))
        return next(filter(None, faults), "")

    return of


def _table(item: Check, key: Check | None = None) -> Check:
    """An object whose keys are not known beforehand."""

    def of(value: Any, place: str) -> str:
        if not isinstance(value, dict):
            return f"{place} must be an object"
        faults = (
            (key(name, f"the key {name!r} of {place}") if key else "")
            or item(one, f"{place}.{name}")
            for name, one in value.items()
        )
        return next(filter(None, faults), "")

    return of


def _object(needed: Mapping[str, Check], may: Mapping[str, Check], more: bool = False) -> Check:
    """more: whether it may have other fields beside, which are left alone."""
    known = {**needed, **may}

    def of(value: Any, place: str) -> str:
        if not isinstance(value, dict):
            return f"{place or 'the file'} must be an object"
        at = f"{place}." if place else ""
        for name in needed:
            if name not in value:
                return f"{at}{name} is missing"
        for name, one in value.items():
            if name not in known and not more:
                return f"{at}{name} is no field that is known"
            fault = known[name](one, f"{at}{name}") if name in known else ""
            if fault:
                return fault
        return ""

    return of


_ANY = _one("anything", lambda _: True)
_STRING = _one("a string", lambda value: isinstance(value, str))
_ID = _one(
    "a string of letters of English, digits, '.', '_' and '-'",
    lambda value: isinstance(value, str) and is_id(value),
)
_BOOL = _one("true or false", lambda value: isinstance(value, bool))
_COUNT = _one("a whole number over 0", lambda value: _whole(value, 1))
_NUMBER = _one("a number", _number)
_PERPLEXITY = _one("a number of at least 1", lambda value: _number(value) and value >= 1)
_SHARE = _one("a number from 0 to 1", lambda value: _number(value) and 0 <= value <= 1)
_HEX = _one(
    "a colour as #rrggbb, in lower case",
    lambda value: isinstance(value, str) and bool(_COLOUR.fullmatch(value)),
)

_ARCHITECTURE = _object(
    {
        "cell": _STRING,
        "layers": _COUNT,
        "units": _one("a whole number over 0, or a list of them", _sizes),
        "vocabulary": _COUNT,
        "tied": _BOOL,
    },
    {
        "projection": _one("a whole number of at least 0", lambda value: _whole(value, 0)),
        "embedding": _or_null(_COUNT),
        "bidirectional": _BOOL,
    },
)
_TEXT = _object(
    {},
    dict.fromkeys(
        ("rules", "tokeniser", "numbers", "counted", "unit", "unknown", "sentence_start"), _STRING
    )
    | {
        "case": _one("lower or kept", lambda value: value in ("lower", "kept")),
        "minimum_count": _COUNT,
        "written": _table(_STRING),
        "sentence_end": _or_null(_STRING),
    },
)
_TRAINING = _object(
    {},
    {
        "recipe": _STRING,
        "network": _table(_ANY),
        "restarts": _list(_table(_ANY)),
        "seed": _one("a whole number", lambda value: type(value) is int),
        "heads": _table(_table(_ANY)),
    },
)
_PALETTE = _object(
    {"id": _STRING, "name": _STRING, "colours": _table(_HEX)}, {"groups": _table(_STRING, _HEX)}
)
_EXAMPLE = _object(
    {"text": _STRING, "shows": _STRING},
    dict.fromkeys(("group", "compare", "unit", "follow"), _STRING),
)

CONFIG_FILE = _object(
    {"id": _ID, "name": _STRING, "description": _STRING, "architecture": _ARCHITECTURE},
    {
        "place": _or_null(_NUMBER),
        "task": _STRING,
        "labels": _list(_STRING),
        "text": _TEXT,
        "corpus": _table(_STRING),
        "training": _TRAINING,
        "imported": _table(_ANY),
        "versions": _table(_STRING),
        "palettes": _list(_PALETTE),
        "examples": _list(_EXAMPLE),
    },
)
_FIGURES = _object({"perplexity": _PERPLEXITY}, {"accuracy": _SHARE}, more=True)
# What is told of it; what else `unrolled evaluate` wrote is left alone.
METRICS_FILE = _object(
    {
        "network_fingerprint": _STRING,
        "perplexity": _object({"test": _PERPLEXITY}, {"valid": _PERPLEXITY}),
    },
    {
        "accuracy": _object({"test": _SHARE}, {"valid": _SHARE}),
        "heads": _table(_table(_table(_FIGURES))),
        "baselines": _table(_either(_PERPLEXITY, _FIGURES)),
    },
    more=True,
)
