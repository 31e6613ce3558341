"""What a request may say: strict types, no unknown fields, and one sentence for each refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from models.semantics import SEMANTICS
from server.errors import ApiError

BARS_LIMIT = 50
WORD_LIMIT, NAME_LIMIT = 100, 40  # characters
CLASSES_LIMIT, CLASS_WORDS_LIMIT = 8, 200
NUMBER_LIMIT = 1e12  # in size: what a unit is to follow

if TYPE_CHECKING:  # a checker of types reads no list
    Semantic = str
else:
    Semantic = Literal[SEMANTICS]


def _integral(value: Any) -> Any:
    """JSON Schema's integer admits 46.0, so 46.0 is a whole number here too."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


_WHOLE = BeforeValidator(_integral)


class _Fields(BaseModel):
    """Before its colon, the description of a field says what it must be: the refusal's sentence."""

    model_config = ConfigDict(extra="forbid", strict=True)


Text = Annotated[str, Field(description="a string: the text to read")]
ModelId = Annotated[
    str | None,
    Field(description="the id of a model: which one reads; the default one if left out"),
]
Asked = Annotated[
    Semantic | None,
    Field(
        description=f"one of {', '.join(SEMANTICS)}: what each state is asked for; if left out "
        "what the network itself says, next or label"
    ),
]
Bars = Annotated[
    int,
    Field(
        ge=1,
        le=BARS_LIMIT,
        description=f"a whole number from 1 to {BARS_LIMIT}: the most likely words of a cell",
    ),
    _WHOLE,
]
Top = Annotated[
    float,
    Field(
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="a number over 0 and at most 1: the part of the vocabulary summed into classes",
    ),
]
Word = Annotated[str, Field(min_length=1, max_length=WORD_LIMIT)]


class OwnClassRequest(_Fields):
    """A class of the person's own."""

    name: str = Field(
        min_length=1,
        max_length=NAME_LIMIT,
        description=f"a string of 1 to {NAME_LIMIT} characters: what the class is called",
    )
    words: list[Word] = Field(
        max_length=CLASS_WORDS_LIMIT,
        description=f"a list of at most {CLASS_WORDS_LIMIT} words: those of the class",
    )


Classes = Annotated[
    list[OwnClassRequest],
    Field(
        max_length=CLASSES_LIMIT,
        description=f"a list of at most {CLASSES_LIMIT} classes: classes of your own; a word is of "
        "the last that names it, and no longer of the model's",
    ),
]


class TraceRequest(_Fields):
    """The body of POST /api/v1/trace."""

    text: Text
    model: ModelId = None
    semantic: Asked = None
    bars: Bars = 10
    top: Top = 0.1
    start: Annotated[int, _WHOLE] = Field(
        0,
        ge=0,
        alias="from",
        description="a whole number, 0 or more: the first timestep to decode; past the end, none",
    )
    watch: Word | None = Field(
        None,
        description=f"one word of at most {WORD_LIMIT} characters: its rank and probability are "
        "given in every cell",
    )
    classes: Classes = []


class TokensRequest(_Fields):
    """The body of POST /api/v1/tokens."""

    text: Text
    watch: Word | None = Field(
        None,
        description=f"one word of at most {WORD_LIMIT} characters: whether it can be watched",
    )
    model: ModelId = None


class CellRequest(_Fields):
    """The body of POST /api/v1/cell."""

    text: Text
    timestep: Annotated[int, _WHOLE] = Field(
        ge=0, description="a whole number, 0 or more: the row; 0 is the first start of a sentence"
    )
    kind: str = Field(description="a kind of the model's columns: which one")
    layer: Annotated[int | None, _WHOLE] = Field(
        None, description="a layer of that kind: 0 for the embedding, null for the output"
    )
    model: ModelId = None
    semantic: Asked = None
    bars: Bars = 50
    top: Top = 0.1
    classes: Classes = []


Number = Annotated[float, Field(ge=-NUMBER_LIMIT, le=NUMBER_LIMIT, allow_inf_nan=False)]


class UnitRequest(_Fields):
    """The body of POST /api/v1/unit."""

    text: Text
    kind: str = Field(description="a kind of the model's columns, but for output: which one")
    layer: Annotated[int | None, _WHOLE] = Field(
        description="a layer of that kind: 0 for the embedding"
    )
    unit: Annotated[int, _WHOLE] = Field(
        0, ge=0, description="a whole number, 0 or more: which unit of the vector"
    )
    follow: list[Number | None] | None = Field(
        None,
        description="a list of numbers, or null: one for each timestep, null to leave one out; "
        "the units that follow them best are given",
    )
    all_kinds: bool = Field(
        False, description="true or false: search the units of all kinds, or those of this one"
    )
    model: ModelId = None


class CompareRequest(_Fields):
    """The body of POST /api/v1/compare."""

    texts: list[str] = Field(
        min_length=2, max_length=2, description="a list of two strings: the texts to compare"
    )
    model: ModelId = None
    semantic: Asked = None
    # A trace's question may be sent as it is: nothing of a comparison depends on these.
    bars: Bars = 10
    top: Top = 0.1


Body = TypeVar("Body", TokensRequest, TraceRequest, CellRequest, UnitRequest, CompareRequest)

# What the parts of a list must be, by their path.
_PARTS = {
    "texts[]": "a string",
    "follow[]": "a number from -1e12 to 1e12, or null",
    "classes[]": "an object with the fields name and words",
    "classes[].words[]": f"a string of 1 to {WORD_LIMIT} characters",
}


def parse(kind: type[Body], body: bytes) -> Body:
    """The raw body, checked. Raises ApiError: 400 when it is no JSON, 422 for a wrong field.

    Pydantic reads the bytes itself: it refuses deep nesting, lone surrogates and bad UTF-8.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        # Without the input: what was typed is not copied into a refusal or a log.
        raise _refusal(kind, error.errors(include_url=False, include_input=False)[0]) from None


def _refusal(kind: type[BaseModel], detail: ErrorDetails) -> ApiError:
    if detail["type"] == "json_invalid":
        return ApiError(400, "invalid_json", "The body is not valid JSON in UTF-8.")
    *owner, last = detail["loc"] or [None]
    if last is None:
        return ApiError(422, "invalid_body", "The body must be a JSON object.")
    name = _path(*owner, last)
    own = _must_be(OwnClassRequest if owner else kind)
    if detail["type"] == "extra_forbidden":
        of = f" of {_path(*owner)}" if owner else ""
        sentence = f"There is no field {name}; the fields{of} are {', '.join(own)}."
        return ApiError(422, "unknown_field", sentence, name)
    if detail["type"] == "missing":
        return ApiError(422, "missing_field", f"The field {name} is missing.", name)
    must_be = own[last] if isinstance(last, str) else _PARTS[re.sub(r"\d+", "", name)]
    return ApiError(422, "invalid_field", f"The field {name} must be {must_be}.", name)


def _path(*parts: int | str) -> str:
    """``classes[3].name``. The name of an unknown field is the client's: no more than 64 of it."""
    dotted = (f"[{part}]" if isinstance(part, int) else f".{part[:64]}" for part in parts)
    return "".join(dotted).removeprefix(".")


def _must_be(kind: type[BaseModel]) -> dict[str, str]:
    return {
        field.alias or name: str(field.description).split(":")[0]
        for name, field in kind.model_fields.items()
    }
