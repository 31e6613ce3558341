"""The shapes of the answers about cells, units and two texts; see `server.responses`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from server.responses import (
    Answer,
    Bits,
    ColumnId,
    Id,
    Layer,
    MissingWords,
    Probability,
    TokenInfo,
)
from server.schema import Semantic

Timestep = Annotated[int, Field(ge=0)]
Values = list[float]  # H of them


class CellColumn(ColumnId):
    symbol: str
    name: str
    equation: str


class CellBars(Answer):
    """The most likely words, in descending order."""

    ids: list[Id]
    words: list[str]
    probs: list[Probability]
    classes: list[Id] = Field(description="of each word, an index into classes")


class OperandInfo(Answer):
    kind: str
    layer: Layer
    lag: int = Field(description="1: of the timestep before, the row above; −1: the row below")
    timestep: Timestep | None = Field(description="null for the zeros beside a sentence")
    symbol: str
    name: str
    zero: bool = Field(description="whether these are the zeros beside a sentence")
    values: Values
    divergence: Probability | None = Field(
        description="of its encoding from the cell's, in bits; null for the zeros"
    )
    term: Values | None = Field(
        description="what it adds to the kind's weighted sum; null for a kind that has none"
    )


class WonInfo(Answer):
    """In how many units each has the larger absolute value."""

    long_term: int
    short_term: int
    equal: int


class CellAnswer(Answer):
    model: str
    fingerprint: str
    semantic: Semantic
    top: float
    top_words: int
    timestep: Timestep
    column: CellColumn
    bars: CellBars
    classes: list[str]
    mass: list[Probability]
    entropy: Bits
    divergence: Probability = Field(description="Jensen–Shannon, from y_t, in bits")
    values: Values | None = Field(description="null for the output")
    operands: list[OperandInfo]
    bias: Values | None = Field(description="of the weighted sum; null where there is none")
    won: WonInfo | None = Field(description="only of a cell state")
    missing: list[MissingWords] | None = Field(None, description="only with own classes")


Pearson = Annotated[float, Field(ge=-1, le=1, description="Pearson's correlation")]


class FoundUnit(ColumnId):
    unit: int = Field(ge=0)
    r: Pearson


class UnitAnswer(Answer):
    model: str
    fingerprint: str
    column: ColumnId
    unit: int = Field(ge=0)
    units: int = Field(ge=1, description="how many the kind has")
    values: Values = Field(description="of the unit, one for each timestep")
    r: Pearson | None = Field(
        description="of the values with follow; null where nothing is followed, one of the two "
        "is the same at every timestep, or fewer than three numbers are given"
    )
    found: list[FoundUnit] = Field(
        description="the units that follow best, by falling absolute correlation, at most 10"
    )


class PartedInfo(Answer):
    pair: int = Field(ge=0, description="an index into alignment")
    column: int = Field(ge=0, description="an index into columns")
    divergence: Probability


Step = tuple[Timestep | None, Timestep | None, Literal["same", "changed", "inserted", "deleted"]]


class ComparisonAnswer(Answer):
    model: str
    fingerprint: str
    semantic: Semantic
    tokens: tuple[list[TokenInfo], list[TokenInfo]]
    columns: list[ColumnId]
    alignment: list[Step] = Field(description="timestep of the first text, of the second, and op")
    divergence: list[list[Probability] | None] = Field(
        description="for each step of the alignment, C Jensen–Shannon divergences in bits; null "
        "where the step is no pair"
    )
    ranked: list[PartedInfo] = Field(description="the cells that part most, at most 50")
