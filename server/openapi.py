"""The OpenAPI document, made from the pydantic models of requests and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from models.artifact.folder import ID
from server import cell_responses as c
from server import responses as r
from server.schema import CellRequest, CompareRequest, TokensRequest, TraceRequest, UnitRequest

_REF = "#/components/schemas/{model}"
_ERRORS = {
    "400": "What was sent is no HTTP or no JSON, or the host name is not one of the server's.",
    "404": "There is no such model.",
    "405": "This address does not accept this method.",
    "408": "The body did not arrive in time.",
    "413": "The body is over the byte limit.",
    "415": "The body is not application/json.",
    "422": "A field is missing, unknown or out of range, or a text has too many tokens.",
    "429": "More questions in a minute than a client may ask.",
    "500": "The server failed.",
    "503": "The server is not ready, or has as many questions as it can answer.",
}
_OF_QUESTIONS = ("404", "408", "413", "415", "422", "429", "503")
_RETRY = {
    "Retry-After": {
        "description": "seconds; not of a server that is not ready",
        "schema": {"type": "integer", "minimum": 1},
    }
}


def document(version: str) -> dict[str, Any]:
    """OpenAPI 3.1 of the whole API."""
    _, definitions = models_json_schema(
        [
            *((m, "validation") for m in (TokensRequest, TraceRequest, CellRequest)),
            *((m, "validation") for m in (UnitRequest, CompareRequest)),
            *((m, "serialization") for m in (r.ModelList, r.ModelInfo)),
            *((m, "serialization") for m in (r.TokensAnswer, r.TraceAnswer)),
            *((m, "serialization") for m in (c.CellAnswer, c.UnitAnswer, c.ComparisonAnswer)),
            *((m, "serialization") for m in (r.ErrorAnswer, r.Status)),
        ],
        by_alias=True,
        ref_template=_REF,
    )
    model_id = {
        "name": "id",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "minLength": 1, "pattern": f"^{ID}$"},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Unrolled",
            "version": version,
            "description": "Every hidden state of a recurrent network, as the words it predicts.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            "/api/v1/models": {"get": _operation("models", "The models", r.ModelList)},
            "/api/v1/models/{id}": {
                "get": _operation("model", "One model", r.ModelInfo, "404")
                | {"parameters": [model_id]}
            },
            "/api/v1/tokens": _question(
                "tokens", "How a text is read, however long", TokensRequest, r.TokensAnswer
            ),
            "/api/v1/trace": _tagged(
                _question(
                    "trace", "Every hidden state of a text, decoded", TraceRequest, r.TraceAnswer
                )
            ),
            "/api/v1/cell": _question(
                "cell",
                "The inside of one cell, and what it is computed from",
                CellRequest,
                c.CellAnswer,
            ),
            "/api/v1/unit": _question(
                "unit",
                "One unit along a text, and the units that follow a number best",
                UnitRequest,
                c.UnitAnswer,
            ),
            "/api/v1/compare": _question(
                "compare",
                "Two texts aligned, and where their cells part",
                CompareRequest,
                c.ComparisonAnswer,
            ),
            "/healthz": {"get": _operation("healthz", "The process lives", r.Status)},
            "/readyz": {"get": _operation("readyz", "A forward pass works", r.Status, "503")},
        },
        "components": {"schemas": definitions["$defs"]},
    }


def _operation(name: str, title: str, answer: type[BaseModel], *errors: str) -> dict[str, Any]:
    codes = sorted({*errors, "400", "405", "500"})
    refusals: dict[str, dict[str, Any]]
    refusals = {c: {"description": _ERRORS[c], "content": _json(r.ErrorAnswer)} for c in codes}
    for code in {"429", "503"} & refusals.keys():
        refusals[code]["headers"] = _RETRY
    return {
        "operationId": name,
        "summary": title,
        "responses": {"200": {"description": title, "content": _json(answer)}} | refusals,
    }


def _question(
    name: str, title: str, body: type[BaseModel], answer: type[BaseModel]
) -> dict[str, Any]:
    """A path that a question to a model is posted to."""
    operation = _operation(name, title, answer, *_OF_QUESTIONS)
    return {"post": operation | {"requestBody": {"required": True, "content": _json(body)}}}


def _tagged(path: dict[str, Any]) -> dict[str, Any]:
    """The same, of a question whose answer has a tag to ask for it again."""
    tag = {"ETag": {"description": "of the question", "schema": {"type": "string"}}}
    answers = path["post"]["responses"]
    answers["200"]["headers"] = tag
    answers["304"] = {"description": "The client has this answer: If-None-Match.", "headers": tag}
    return path


def _json(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(model=model.__name__)}}}
