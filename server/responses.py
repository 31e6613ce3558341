"""The shapes of the answers, as the OpenAPI document tells them.

Answers are written by orjson from numpy arrays, not through these models; the tests check every
answer against them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.schema import Semantic

Task = Literal["language", "tagging", "classification"]
Id = Annotated[int, Field(ge=0)]
Probability = Annotated[float, Field(ge=0, le=1)]
Bits = Annotated[float, Field(ge=0)]
Rank = Annotated[int, Field(ge=1)]
Layer = Annotated[int, Field(ge=0)] | None
Perplexity = Annotated[float, Field(ge=1)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]


class Answer(BaseModel):
    """Nothing but its fields."""

    model_config = ConfigDict(extra="forbid")


class Status(Answer):
    status: Literal["ok"]


class ErrorBody(Answer):
    code: str
    message: str
    field: str | None


class ErrorAnswer(Answer):
    error: ErrorBody


class ModelSummary(Answer):
    id: str
    name: str
    description: str
    task: Task = Field(description="what the network says: the next word, or labels")
    perplexity: dict[str, Perplexity] = Field(description="of the network: valid, test")
    accuracy: dict[str, Probability] | None = Field(None, description="of labels: valid, test")
    fingerprint: str = Field(description="of all that an answer depends on")
    network_fingerprint: str = Field(description="of the network's weights alone")


class ModelList(Answer):
    default: str
    models: list[ModelSummary]


class Architecture(Answer):
    cell: str = Field(description="an id of models.kinds.CELL_NAMES: lstm, gru, …")
    cell_name: str = Field(description="what that cell is called")
    layers: int
    units: int | list[int] = Field(description="of every layer, or of each")
    vocabulary: int
    tied: bool
    projection: int | None = Field(None, description="of the output states, where there is one")
    embedding: int | None = Field(None, description="units, where they are not the last layer's")
    bidirectional: bool | None = Field(None, description="each layer reads in both directions")


class ColumnId(Answer):
    kind: str
    layer: Layer = Field(description="0 for the embedding, null for the output")


class OperandId(ColumnId):
    lag: int = Field(description="1: of the timestep before, the row above; −1: the row below")


class ColumnInfo(ColumnId):
    symbol: str
    name: str
    equation: str
    operands: list[OperandId]
    depth: int
    gate: bool = Field(description="only weighs other states, between 0 and 1")
    direction: Literal["forward", "backward"] | None = Field(
        description="in which a bidirectional layer reads; null for others"
    )
    units: int | None = Field(description="of its vector; null for the output, which has none")
    perplexity: dict[Semantic, Perplexity]


class WordClass(Answer):
    id: str
    name: str


class PaletteInfo(Answer):
    id: str
    name: str
    colours: dict[str, Colour]
    groups: dict[Colour, str] = Field(description="what classes of one colour are called together")


class Limits(Answer):
    tokens: int
    bytes: int
    bars: int


class Example(Answer):
    text: str
    shows: str
    group: str | None = Field(None, description="what it belongs to, for a list by groups")
    compare: str | None = Field(None, description="a second text to compare it with")
    unit: str | None = Field(
        None, description="a unit to show along it: kind, layer and number from 1, with full stops"
    )
    follow: str | None = Field(None, description="what the unit follows, such as depth")


class ModelInfo(ModelSummary):
    architecture: Architecture
    unit: Literal["word", "character", "symbol"] = Field(description="what a token is")
    ends: bool = Field(description="whether the end of a sentence is predicted too")
    baselines: dict[str, Perplexity] = Field(description="of n-gram models, on the same text")
    imported: bool = Field(description="its weights came from elsewhere, trained on who knows what")
    forms: dict[Semantic, Literal["shared", "linear"]] = Field(
        description="of heads: maps into the network's own decoder, or a matrix for each kind"
    )
    semantics: list[Semantic]
    columns: list[ColumnInfo]
    classes: list[WordClass]
    palettes: list[PaletteInfo]
    limits: Limits
    examples: list[Example]


class TokenInfo(Answer):
    id: Id
    surface: str
    word: str
    known: bool
    span: tuple[int, int] | None = Field(description="code points of the text as sent")


class RowsInfo(Answer):
    """R rows, C columns, B bars, K classes. Row r is timestep from + r."""

    top_ids: list[list[list[Id]]]
    top_probs: list[list[list[Probability]]]
    mass: list[list[list[Probability]]]
    entropy: list[list[Bits]]
    divergence: list[list[Probability]]
    label_ids: list[Id | None]
    label_ranks: list[list[Rank] | None]
    label_probs: list[list[Probability] | None]
    next_ids: list[Id | None]
    next_ranks: list[Rank | None]
    next_probs: list[Probability | None]
    surprisal: list[Bits | None]
    watch_ranks: list[list[Rank]] | None = Field(None, description="only with a watched word")
    watch_probs: list[list[Probability]] | None = Field(
        None, description="only with a watched word"
    )


class WatchInfo(Answer):
    word: str = Field(description="what the network reads: <unk> for an unknown word")
    id: Id
    known: bool


class TokensAnswer(Answer):
    model: str
    fingerprint: str
    count: int = Field(ge=0, description="what the limit is about: starts of sentences aside")
    tokens: list[TokenInfo]
    watch: WatchInfo | None = Field(
        None, description="only with a word to watch; null when it is not one word, or no label"
    )


class MissingWords(Answer):
    """Words of an own class that the vocabulary lacks."""

    id: str = Field(description="of the class, as in classes")
    name: str
    words: list[str]


class TraceAnswer(Answer):
    model: str
    fingerprint: str
    semantic: Semantic
    bars: int
    top: float
    top_words: int
    start: int = Field(alias="from")
    tokens: list[TokenInfo]
    columns: list[ColumnId]
    classes: list[str]
    words: dict[str, str]
    word_classes: dict[str, int]
    rows: RowsInfo
    perplexity: float | None
    watch: WatchInfo | None = Field(None, description="only with a watched word")
    missing: list[MissingWords] | None = Field(None, description="only with own classes")
