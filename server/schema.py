"""What a request may say: strict types, no unknown fields, and one sentence for each refusal."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from server.errors import ApiError

BARS_LIMIT = 50

Semantic = Literal["next", "this", "previous", "after_next"]


def _integral(value: Any) -> Any:
    """JSON Schema's integer admits 46.0, so 46.0 is a whole number here too."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


Whole = Annotated[int, BeforeValidator(_integral)]


class TraceRequest(BaseModel):
    """The body of POST /api/v1/trace. Before its colon, a description says what a field must be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(description="a string: the text to read")
    model: str | None = Field(
        None, description="the id of a model: which one reads; the default one if left out"
    )
    semantic: Semantic = Field(
        "next",
        description="one of next, this, previous, after_next: the word each state is asked for",
    )
    bars: Whole = Field(
        10,
        ge=1,
        le=BARS_LIMIT,
        description=f"a whole number from 1 to {BARS_LIMIT}: the most likely words of a cell",
    )
    top: float = Field(
        0.1,
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="a number over 0 and at most 1: the part of the vocabulary summed into classes",
    )
    start: Whole = Field(
        0,
        ge=0,
        alias="from",
        description="a whole number, 0 or more: the first timestep to decode",
    )


_MUST_BE = {
    field.alias or name: str(field.description).split(":")[0]
    for name, field in TraceRequest.model_fields.items()
}


def parse_trace_request(body: bytes) -> TraceRequest:
    """The raw body, checked. Raises ApiError: 400 when it is no JSON, 422 for a wrong field.

    Pydantic reads the bytes itself: it refuses deep nesting, lone surrogates and bad UTF-8.
    """
    try:
        return TraceRequest.model_validate_json(body)
    except ValidationError as error:
        # Without the input: what was typed is not copied into a refusal or a log.
        raise _refusal(error.errors(include_url=False, include_input=False)[0]) from None


def _refusal(detail: ErrorDetails) -> ApiError:
    if detail["type"] == "json_invalid":
        return ApiError(400, "invalid_json", "The body is not valid JSON in UTF-8.")
    if not detail["loc"]:
        return ApiError(422, "invalid_body", "The body must be a JSON object.")
    name = str(detail["loc"][0])[:64]
    if detail["type"] == "extra_forbidden":
        known = ", ".join(_MUST_BE)
        sentence = f"There is no field {name}; the fields are {known}."
        return ApiError(422, "unknown_field", sentence, name)
    if detail["type"] == "missing":
        return ApiError(422, "missing_field", f"The field {name} is missing.", name)
    return ApiError(422, "invalid_field", f"The field {name} must be {_MUST_BE[name]}.", name)
