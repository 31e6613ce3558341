"""docs/api.md: its examples run, and its tables name the fields of the answers."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from server.schema import CellRequest, CompareRequest, TokensRequest, TraceRequest, UnitRequest

DOCS = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
HOST = "http://127.0.0.1:8000"
COMMANDS = re.findall(r"```sh\n(curl .*?)```", DOCS, re.S)
POSTED = {
    "tokens": TokensRequest,
    "trace": TraceRequest,
    "cell": CellRequest,
    "unit": UnitRequest,
    "compare": CompareRequest,
}


def sent(client: FlaskClient, command: str) -> Any:
    """What a curl command of the docs does, done to the app."""
    curl, *words = shlex.split(command)
    assert curl == "curl"
    address = next(word for word in words if word.startswith(HOST)).removeprefix(HOST)
    if "-d" not in words:
        return client.get(address)
    kind = words[words.index("-H") + 1].removeprefix("Content-Type: ")
    return client.post(address, data=words[words.index("-d") + 1], content_type=kind)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_answered(client, conforms, command):
    response = sent(client, command)
    assert response.status_code == 200, response.json
    method = "post" if "-d" in command else "get"
    conforms(response, response.request.path, method)


def test_every_question_has_an_example():
    for path in POSTED:
        assert any(f"/api/v1/{path} " in command for command in COMMANDS), path


def test_the_python_example_prints_words(client, monkeypatch):
    [code] = re.findall(r"```python\n(.*?)```", DOCS, re.S)

    def urlopen(request: urllib.request.Request) -> io.BytesIO:
        path = request.full_url.removeprefix(HOST)
        answer = client.post(path, data=request.data, content_type="application/json")
        assert answer.status_code == 200
        return io.BytesIO(answer.data)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    first, *rest = printed.getvalue().splitlines()
    assert first.startswith("<bos> ")
    assert [line.split()[0] for line in rest] == [
        *("the", "keys", "to", "the", "cabinet", "were", "lost", ".")
    ]


def section(title: str) -> str:
    """Of a heading with its subheadings."""
    found: str = re.split(r"^## ", DOCS.split(f"\n## `{title}`", 1)[1], flags=re.M)[0]
    return found


@pytest.mark.parametrize("path", POSTED)
def test_every_field_is_told(client, path):
    text = section(f"POST /api/v1/{path}")
    named = set(re.findall(r"`([\w.]+)`", text))
    for name, field in POSTED[path].model_fields.items():
        assert (field.alias or name) in named
    command = next(c for c in COMMANDS if f"/api/v1/{path} " in c)
    body = json.loads(shlex.split(command)[-1])
    if path in ("trace", "cell"):
        body |= {"classes": [{"name": "x", "words": ["zebra"]}]}
    if path in ("trace", "tokens"):
        body["watch"] = "she"
    answer = client.post(f"/api/v1/{path}", json=body).json
    for name in answer:
        if name != "rows":
            assert name in named, name
    for name in answer.get("rows", {}):
        assert f"rows.{name}" in named, name
    for one in (
        *answer.get("operands", []),
        *answer.get("ranked", []),
        *answer.get("found", []),
        answer.get("won") or {},
    ):
        assert set(one) <= named
