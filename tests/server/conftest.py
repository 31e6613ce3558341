"""A server with a small real model (random weights), made once for all tests."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask
from flask.testing import FlaskClient

from server import create_app
from server.inference import Inference
from server.settings import Settings
from server.watch import configure_logs
from tests.fixtures.tiny import make_tiny_model
from tests.running import Server, serving

SENTENCE = '"we stand in solidarity," she emphasized.'

# Requests of the fuzzing tests together, about; `make fuzz` sends more.
REQUESTS = int(os.environ.get("FUZZ_REQUESTS", "2000"))


def examples(of_2000: int) -> int:
    """How many examples a property gets that has so many where 2,000 requests are sent."""
    return max(1, of_2000 * REQUESTS // 2000)


class _Counted(logging.Filter):
    """Every request that an app of the tests answered, by its status; see `server.watch`."""

    def __init__(self) -> None:
        super().__init__()
        self.by_status: Counter[int] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if "status" in (fields := getattr(record, "fields", {})):
            self.by_status[fields["status"]] += 1
        return True


_counted = _Counted()
logging.getLogger("unrolled").addFilter(_counted)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    by_status = sorted(_counted.by_status.items())
    if by_status:
        listed = ", ".join(f"{count} × {status}" for status, count in by_status)
        terminalreporter.write_line(f"{sum(_counted.by_status.values())} requests: {listed}")


@pytest.fixture(scope="session")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zoo")
    make_tiny_model(folder)
    return folder


@pytest.fixture(scope="session")
def settings(zoo: Path) -> Settings:
    return Settings(model_dir=zoo, threads=1, log="json")


@pytest.fixture(scope="session")
def inference(settings: Settings) -> Inference:
    return Inference.load(settings)


@pytest.fixture(scope="session")
def app(settings: Settings, inference: Inference) -> Flask:
    """One for all that only ask it: to make one takes longer than most questions."""
    return create_app(settings, inference)


@pytest.fixture
def client(app: Flask, settings: Settings) -> FlaskClient:
    configure_logs(settings.log)  # a test before may have made another app, with another log
    return app.test_client()


@pytest.fixture
def new_client(settings: Settings, inference: Inference) -> FlaskClient:
    """Of an app that has counted and kept nothing yet."""
    return create_app(settings, inference).test_client()


@pytest.fixture(scope="session")
def openapi(app: Flask) -> dict[str, Any]:
    document = app.test_client().get("/api/v1/openapi.json").json
    assert isinstance(document, dict)
    return document


@pytest.fixture(scope="session")
def conforms(openapi: dict[str, Any]) -> Any:
    """Check an answer against the schema that the served document gives for it."""

    @cache
    def validator(path: str, method: str, status: str) -> Any:
        content = openapi["paths"][path][method]["responses"][status]["content"]
        return jsonschema_rs.validator_for({**openapi, **content["application/json"]["schema"]})

    def check(response: Any, path: str, method: str = "get") -> Any:
        assert response.mimetype == "application/json"
        validator(path, method, str(response.status_code)).validate(response.json)
        return response.json

    return check


@pytest.fixture(scope="session")
def server(zoo: Path) -> Iterator[Server]:
    """The real one, which starts once for all who ask it; `test_running` stops it."""
    with serving(zoo, workers=2, threads=1, stall_timeout=1, log="json") as running:
        yield running


def logged(server: Server) -> list[dict[str, Any]]:
    """What a server with a JSON log has said, but for where it is: one worker says that, while
    another may answer already.
    """
    lines = server.log.read_text().splitlines()
    lines.remove(f"Unrolled is at {server.url}")
    return [json.loads(line) for line in lines]


@pytest.fixture
def trace(client: FlaskClient, conforms: Any) -> Any:
    """POST fields to /api/v1/trace and give the answer, checked against its schema."""

    def post(**fields: Any) -> Any:
        response = client.post("/api/v1/trace", json=fields)
        assert response.status_code == 200, response.json
        return conforms(response, "/api/v1/trace", "post")

    return post
