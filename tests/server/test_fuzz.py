"""Anything that may be typed or sent: no 5xx, and every answer fits the served OpenAPI."""

from __future__ import annotations

import json

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server import create_app

TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["we", "stand", ".", '"', "’", "<b>", "&", "\n", "3rd", "½", "🙂", "\x00", "зебра"]
    )
).map(" ".join)
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=60, deadline=None, suppress_health_check=FIXTURES)
@given(
    text=TEXTS,
    semantic=st.sampled_from(["next", "this"]),
    bars=st.integers(1, 50),
    top=st.floats(0, 1, exclude_min=True),
)
def test_every_text_gives_a_grid(trace, text, semantic, bars, top):
    answer = trace(text=text, semantic=semantic, bars=bars, top=top)
    shapes = {len(answer["rows"][name]) for name in answer["rows"]}
    assert shapes == {len(answer["tokens"])}
    for token in answer["tokens"]:
        if token["span"] is not None:
            assert text[slice(*token["span"])] == token["surface"]


@settings(max_examples=60, deadline=None, suppress_health_check=FIXTURES)
@given(body=st.binary(max_size=40) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["text", "bars", "top", "from", "model", "x"]), inner),
    max_leaves=6,
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_every_body_is_answered_below_500(client, conforms, body):
    response = client.post("/api/v1/trace", data=body, content_type="application/json")
    assert response.status_code < 500
    conforms(response, "/api/v1/trace", "post")


def test_schemathesis_finds_nothing(settings: object, inference: object) -> None:
    app = create_app(settings, inference)  # type: ignore[arg-type]
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @_bounded
        @given(case=operation.as_strategy())
        def attempt(case: schemathesis.Case) -> None:
            nonlocal tried
            # Schemathesis asks for gzip, but does not unpack what a WSGI app answers.
            case.call_and_validate(checks=checks, headers={"Accept-Encoding": "identity"})
            tried += 1

        attempt()
    assert tried >= 30


_bounded = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
