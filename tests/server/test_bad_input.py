"""Every refusal is a 4xx in the one shape, names its field, and quotes nothing that was typed."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from server import create_app

URL = "/api/v1/trace"
JSON = "application/json"

# name: (body, status, code, field, a part of the sentence)
CASES = {
    "not JSON": (b"{", 400, "invalid_json", None, "not valid JSON"),
    "empty": (b"", 400, "invalid_json", None, "not valid JSON"),
    "UTF-16": ('{"text": "we"}'.encode("utf-16"), 400, "invalid_json", None, "UTF-8"),
    "byte order mark": (b'\xef\xbb\xbf{"text": "we"}', 400, "invalid_json", None, "UTF-8"),
    "bad UTF-8": (b'{"text": "\xff"}', 400, "invalid_json", None, "UTF-8"),
    "lone surrogate": (b'{"text": "\\ud800"}', 400, "invalid_json", None, "UTF-8"),
    "nested 8,000 deep": (b"[" * 8000 + b"]" * 8000, 400, "invalid_json", None, "JSON"),
    "nested in text": (b'{"text": ' + b"[" * 8000, 400, "invalid_json", None, "JSON"),
    "array": (b"[]", 422, "invalid_body", None, "JSON object"),
    "null": (b"null", 422, "invalid_body", None, "JSON object"),
    "string": (b'"we"', 422, "invalid_body", None, "JSON object"),
    "no text": (b"{}", 422, "missing_field", "text", "text is missing"),
    "text null": (b'{"text": null}', 422, "invalid_field", "text", "a string"),
    "text number": (b'{"text": 1}', 422, "invalid_field", "text", "a string"),
    "text array": (b'{"text": ["we"]}', 422, "invalid_field", "text", "a string"),
    "bars string": (b'{"text": "we", "bars": "3"}', 422, "invalid_field", "bars", "1 to 50"),
    "bars boolean": (b'{"text": "we", "bars": true}', 422, "invalid_field", "bars", "1 to 50"),
    "bars 0": (b'{"text": "we", "bars": 0}', 422, "invalid_field", "bars", "1 to 50"),
    "bars 51": (b'{"text": "we", "bars": 51}', 422, "invalid_field", "bars", "1 to 50"),
    "bars 2.5": (b'{"text": "we", "bars": 2.5}', 422, "invalid_field", "bars", "whole"),
    "bars NaN": (b'{"text": "we", "bars": NaN}', 422, "invalid_field", "bars", "whole"),
    "bars 1e999": (b'{"text": "we", "bars": 1e999}', 422, "invalid_field", "bars", "whole"),
    "bars null": (b'{"text": "we", "bars": null}', 422, "invalid_field", "bars", "whole"),
    "top 0": (b'{"text": "we", "top": 0}', 422, "invalid_field", "top", "over 0"),
    "top 1.1": (b'{"text": "we", "top": 1.1}', 422, "invalid_field", "top", "at most 1"),
    "top NaN": (b'{"text": "we", "top": NaN}', 422, "invalid_field", "top", "a number"),
    "top Infinity": (b'{"text": "we", "top": Infinity}', 422, "invalid_field", "top", "a number"),
    "top boolean": (b'{"text": "we", "top": true}', 422, "invalid_field", "top", "a number"),
    "from -1": (b'{"text": "we", "from": -1}', 422, "invalid_field", "from", "0 or more"),
    "from boolean": (b'{"text": "we", "from": false}', 422, "invalid_field", "from", "0 or more"),
    "start": (b'{"text": "we", "start": 1}', 422, "unknown_field", "start", "no field start"),
    "semantic": (b'{"text": "we", "semantic": "x"}', 422, "invalid_field", "semantic", "next"),
    "semantic that this model lacks": (
        b'{"text": "we", "semantic": "previous"}',
        *(422, "semantic_unavailable", "semantic", "next, this"),
    ),
    "unknown field": (b'{"text": "we", "x": 1}', 422, "unknown_field", "x", "no field x"),
    "__proto__": (
        b'{"text": "we", "__proto__": {"bars": 1}}',
        *(422, "unknown_field", "__proto__", "no field __proto__"),
    ),
    "model": (b'{"text": "we", "model": "x"}', 404, "unknown_model", "model", "no model"),
    "model path": (b'{"text": "we", "model": "../x"}', 404, "unknown_model", "model", "no model"),
    "model NUL": (b'{"text": "we", "model": "\\u0000"}', 404, "unknown_model", "model", "no model"),
    "model empty": (b'{"text": "we", "model": ""}', 404, "unknown_model", "model", "no model"),
    "a word of 20,000 letters": (
        json.dumps({"text": "x" * 20_000}).encode(),
        *(413, "body_too_large", None, "16384 bytes"),
    ),
    "513 tokens": (
        json.dumps({"text": "we " * 513}).encode(),
        *(422, "too_many_tokens", "text", "513 tokens; the limit is 512"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_body(client, conforms, name):
    body, status, code, field, part = CASES[name]
    response = client.post(URL, data=body, content_type=JSON)
    assert response.status_code == status
    error = conforms(response, URL, "post")["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert part in error["message"]
    assert error["message"].endswith(".")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", None])
def test_another_content_type(client, conforms, kind):
    response = client.post(URL, data=b'{"text": "we"}', content_type=kind)
    assert response.status_code == 415
    error = conforms(response, URL, "post")["error"]
    assert error["code"] == "unsupported_media_type"
    assert "application/json" in error["message"]


def test_a_charset_beside_the_content_type_is_accepted(client):
    kind = "application/json; charset=utf-8"
    assert client.post(URL, data=b'{"text": "we"}', content_type=kind).status_code == 200


def padded(size: int) -> bytes:
    """A valid body of exactly ``size`` bytes."""
    return b'{"text": "we"' + b" " * (size - 14) + b"}"


def chunked(body: bytes) -> dict[str, object]:
    """As gunicorn hands on a chunked body: no length, and a stream that ends by itself."""
    return {
        "input_stream": io.BytesIO(body),
        "headers": {"Transfer-Encoding": "chunked"},
        "environ_overrides": {"wsgi.input_terminated": True},
        "content_type": JSON,
    }


def test_a_body_at_the_limit_is_read(client):
    assert client.post(URL, data=padded(16384), content_type=JSON).status_code == 200
    assert client.post(URL, **chunked(padded(16384))).status_code == 200


def test_a_body_over_the_limit_is_not(client, conforms):
    announced = client.post(URL, data=padded(16385), content_type=JSON)
    unannounced = client.post(URL, **chunked(padded(16385)))
    huge = client.post(
        URL, data=b"", content_type=JSON, environ_overrides={"CONTENT_LENGTH": "10000000000"}
    )
    for response in (announced, unannounced, huge):
        assert response.status_code == 413
        error = conforms(response, URL, "post")["error"]
        assert error["code"] == "body_too_large"
        assert "16384 bytes" in error["message"]


@pytest.mark.parametrize(
    "id", ["x", "..%2Fx", "%00", "../x", "tiny-lstm%2F..", "%2e%2e", "__proto__", "tiny-lstm/"]
)
def test_a_model_is_looked_up_by_id_and_never_as_a_path(client, id):
    response = client.get(f"/api/v1/models/{id}")
    assert response.status_code == 404
    assert response.json["error"]["code"] in ("unknown_model", "not_found")


@pytest.mark.parametrize("text", ["\x00", "we\x00stand", "\x1b[31m", "\x7f", "\u202ewe"])
def test_control_characters_are_kept_as_they_were_typed(trace, text):
    tokens = trace(text=text)["tokens"]
    assert "".join(t["surface"] for t in tokens) == text


def test_a_word_of_many_letters_is_one_unknown_token(trace):
    tokens = trace(text="x" * 16000)["tokens"]
    assert [t["word"] for t in tokens] == ["<bos>", "<unk>"]


def test_limits_are_settings(inference, settings):
    large = create_app(replace(settings, byte_limit=30_000), inference).test_client()
    word = large.post(URL, json={"text": "x" * 20_000})
    assert [token["word"] for token in word.json["tokens"]] == ["<bos>", "<unk>"]
    small = create_app(replace(settings, byte_limit=20), inference).test_client()
    assert small.post(URL, json={"text": "we stand in"}).status_code == 413
    assert small.post(URL, json={"text": "we"}).status_code == 200
