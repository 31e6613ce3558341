"""Anything that may be typed or sent: no 5xx, and every answer fits the served OpenAPI."""

from __future__ import annotations

import json
import random
import re

import pytest
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
from tests.server.conftest import REQUESTS, SENTENCE, examples

TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["we", "stand", ".", '"', "’", "<b>", "&", "\n", "3rd", "½", "🙂", "\x00", "зебра"]
    )
).map(" ".join)
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=examples(50), suppress_health_check=FIXTURES)
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


@settings(max_examples=examples(40), suppress_health_check=FIXTURES)
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


_bounded = settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))

GOOD = {
    "trace": {"text": SENTENCE, "bars": 2, "from": 9, "watch": "she", "classes": []},
    "tokens": {"text": SENTENCE, "watch": "she", "model": "tiny-lstm"},
    "cell": {"text": "we stand", "timestep": 1, "kind": "cell_state", "layer": 1, "bars": 2},
    "compare": {"texts": ["we stand", "he"], "semantic": "this", "top": 0.1, "model": "tiny-lstm"},
}
# Bytes that mean something to a parser, or to what stands behind it.
PIECES = [
    *(b'"', b"\\", b"\\u", b"\\ud800", b"\\u0000", b"{", b"}", b"[", b"]", b",", b":", b"\xff"),
    *(b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf0\x9f\x99\x82", b"\x00", b"\n", b"-", b"<b>"),
]
TOKENS = re.compile(rb'"[^"]*"|[\d.]+|\w+|.')
VALUES = [
    *(b'"we"', b"0", b"-1", b"2", b"1.0", b"0.5", b"1e999", b"NaN", b"9" * 40, b"null", b"true"),
    *(b"[]", b"{}", b'["we", "he"]', b'"__proto__"', b'"../"', b'"\\u0000"', b'"text"'),
]


def mutated(body: bytes, draw: random.Random) -> bytes:
    """The body with a value in another's place, or some bytes of it cut out, doubled or filled:
    most of the first are JSON still, most of the second are not.
    """
    if draw.random() < 0.7:
        tokens = TOKENS.findall(body)
        for _ in range(draw.randint(1, 2)):
            at = draw.randrange(len(tokens))
            if tokens[at].strip(b"{}[]:, "):
                tokens[at] = draw.choice(VALUES)
        return b"".join(tokens)
    at = draw.randint(0, len(body))
    end = at + draw.randint(0, 12)
    piece = draw.choice([b"", body[at:end] * 2, draw.choice(PIECES), draw.randbytes(3)])
    return body[:at] + piece + body[end:]


@pytest.mark.parametrize("path", GOOD)
def test_every_mutated_body_is_answered_below_500(client, conforms, path):
    draw = random.Random(f"{path} {REQUESTS}")
    whole = json.dumps(GOOD[path]).encode()
    url = f"/api/v1/{path}"
    answered: set[int] = set()
    for _ in range(REQUESTS * 2 // 10):
        body = mutated(whole, draw)
        response = client.post(url, data=body, content_type="application/json")
        assert response.status_code < 500, body
        conforms(response, url, "post")
        answered.add(response.status_code)
    assert answered >= {200, 400, 422}
