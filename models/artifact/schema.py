"""The JSON files of a model folder, each as one strict schema; a fault is one sentence.

What goes beyond a file's own form is checked where it is used: whether the architecture is one, and
that of the weights, in `network`, whether text rules and labels are of use in `config`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from models.artifact.folder import ArtifactError

Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
_Count = Annotated[int, Field(ge=1)]
_Figure = Annotated[float, Field(ge=1, allow_inf_nan=False)]  # a perplexity
_Share = Annotated[float, Field(ge=0, le=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Architecture(_Strict):
    cell: str
    layers: _Count
    units: Any
    vocabulary: _Count
    tied: bool
    projection: Annotated[int, Field(ge=0)] = 0
    embedding: _Count | None = None
    bidirectional: bool = False

    @field_validator("units")
    @classmethod
    def _of_layers(cls, units: Any) -> Any:
        for size in units if isinstance(units, list) else [units]:
            if type(size) is not int or size < 1:
                raise ValueError("must be a whole number over 0, or a list of them")
        return units


class _Text(_Strict):
    """`config.text_rules` says which rules there are, and what those of its own need."""

    rules: str = ""
    tokeniser: str = ""
    case: Literal["lower", "kept"] = "lower"
    numbers: str = ""
    minimum_count: _Count = 1
    counted: str = ""
    unit: str = ""
    written: dict[str, str] = {}
    unknown: str = ""
    sentence_start: str = ""
    sentence_end: str | None = None


class _Training(_Strict):
    recipe: str = ""
    network: dict[str, Any] = {}
    seed: int = 0
    heads: dict[str, dict[str, Any]] = {}


class _Palette(_Strict):
    id: str
    name: str
    colours: dict[str, Colour]
    groups: dict[Colour, str]


class _Example(_Strict):
    text: str
    shows: str
    group: str = ""
    compare: str = ""
    unit: str = ""
    follow: str = ""


class Config(_Strict):
    """``config.json``."""

    id: str
    name: str
    description: str
    architecture: _Architecture
    place: float | None = None
    task: str = ""
    labels: list[str] = []
    text: _Text = _Text()
    corpus: dict[str, str] = {}
    training: _Training = _Training()
    imported: dict[str, Any] = {}
    versions: dict[str, str] = {}
    palettes: list[_Palette] = []
    examples: list[_Example] = []


class _OnParts(_Strict):
    test: _Figure
    valid: _Figure | None = None


class _Right(_Strict):
    test: _Share
    valid: _Share | None = None


class _HeadFigures(BaseModel):
    perplexity: _Figure
    accuracy: _Share | None = None


class Metrics(BaseModel):
    """``metrics.json``: what is told of it. What else `unrolled evaluate` wrote is left alone."""

    network_fingerprint: str
    perplexity: _OnParts
    accuracy: _Right | None = None
    heads: dict[str, dict[str, dict[str, _HeadFigures]]] = {}


def check(kind: type[BaseModel], value: Any, path: Path) -> None:
    """Raises ArtifactError with the first fault: the file, the field, and what it must be."""
    try:
        kind.model_validate(value)
    except ValidationError as error:
        raise ArtifactError(f"{path}: {_said(error.errors()[0])}.") from error


def _said(fault: ErrorDetails) -> str:
    keys = (key for key in fault["loc"] if key != "[key]")
    where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)[1:]
    match fault["type"]:
        case "missing":
            return f"{where} is missing"
        case "extra_forbidden":
            return f"{where} is no field that is known"
        case "model_type" | "dict_type":
            return f"{where} must be an object"
        case "value_error":
            return f"{where} {fault['ctx']['error']}"
    said = fault["msg"][:1].lower() + fault["msg"][1:]
    return f"{where} must be {said.removeprefix('input should be ')}"
