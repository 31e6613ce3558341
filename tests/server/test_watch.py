"""Logs and metrics: what was asked and how long it took, never the typed text."""

from __future__ import annotations

import errno
import io
import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from server import create_app


@pytest.fixture
def client(new_client):
    return new_client


def test_a_request_is_one_line_without_the_text(capsys, client):
    client.post("/api/v1/trace", json={"text": "solidarity zebra"})
    client.get("/secret-address?q=zebra")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["route"] for line in lines] == ["/api/v1/trace", "/<name>"]
    assert lines[0].items() >= {"method": "POST", "status": 200, "tokens": 3}.items()
    assert lines[0]["ms"] > 0
    assert "zebra" not in json.dumps(lines)
    assert "secret" not in json.dumps(lines)


def test_the_console_line_and_silence(settings, inference, capsys):
    create_app(replace(settings, log="console"), inference).test_client().get("/healthz")
    line = capsys.readouterr().err
    assert "info request" in line
    assert "route=/healthz status=200" in line
    create_app(replace(settings, log="off"), inference).test_client().get("/healthz")
    assert capsys.readouterr().err == ""


def test_the_text_is_logged_only_when_told_and_on_one_line(settings, inference, capsys):
    told = replace(settings, log="console", log_text=True)
    client = create_app(told, inference).test_client()
    client.post("/api/v1/trace", json={"text": 'we "stand"\ninfo request id=x'})
    client.post("/api/v1/compare", json={"texts": ["we", "he"]})
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith('texts=["we \\"stand\\"\\ninfo request id=x"]')
    assert second.endswith('texts=["we","he"]')


def test_a_line_that_cannot_be_written_is_lost_and_the_request_is_not(client, monkeypatch):
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sys.stderr", Full())
    assert client.get("/healthz").status_code == 200


def test_a_refusal_is_logged_and_counted_by_its_code(client, capsys):
    client.post("/api/v1/trace", json={"text": 1})
    assert json.loads(capsys.readouterr().err)["error"] == "invalid_field"
    told = client.get("/metrics").get_data(as_text=True)
    assert 'unrolled_refusals_total{code="invalid_field"} 1.0' in told
    assert 'unrolled_refusals_total{code="overloaded"} 0.0' in told


def test_metrics_count_by_route(client):
    client.get("/healthz")
    client.get("/nowhere/at/all")
    client.open("/healthz", method="BREW")
    client.post("/api/v1/trace", json={"text": "we stand"})
    text = client.get("/metrics").get_data(as_text=True)
    for line in (
        'unrolled_requests_total{method="GET",route="/healthz",status="200"} 1.0',
        'unrolled_requests_total{method="GET",route="none",status="404"} 1.0',
        'unrolled_requests_total{method="other",route="none",status="405"} 1.0',
        'unrolled_request_seconds_count{route="/api/v1/trace"} 1.0',
        "unrolled_tokens_total 3.0",
    ):
        assert line in text
    assert "BREW" not in text


def test_a_line_of_the_log_is_written_in_one_piece(client, monkeypatch):
    """Ctrl-C flushes what another thread has written so far, and two workers share one file."""
    written: list[str] = []
    monkeypatch.setattr("sys.stderr", SimpleNamespace(write=written.append, flush=lambda: None))
    client.get("/healthz")
    assert len(written) == 1
    assert written[0].endswith("\n")
