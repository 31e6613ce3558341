"""A server with a small real model (random weights), made once for all tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask.testing import FlaskClient

from server import create_app
from server.inference import Inference
from server.settings import Settings
from tests.fixtures.tiny import make_tiny_model

SENTENCE = '"we stand in solidarity," she emphasized.'


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


@pytest.fixture
def client(settings: Settings, inference: Inference) -> FlaskClient:
    return create_app(settings, inference).test_client()


@pytest.fixture(scope="session")
def openapi(settings: Settings, inference: Inference) -> dict[str, Any]:
    document = create_app(settings, inference).test_client().get("/api/v1/openapi.json").json
    assert isinstance(document, dict)
    return document


@pytest.fixture
def conforms(openapi: dict[str, Any]) -> Any:
    """Check an answer against the schema that the served document gives for it."""

    def check(response: Any, path: str, method: str = "get") -> Any:
        answers = openapi["paths"][path][method]["responses"]
        content = answers[str(response.status_code)]["content"]["application/json"]
        assert response.mimetype == "application/json"
        jsonschema_rs.validate({**openapi, **content["schema"]}, response.json)
        return response.json

    return check


@pytest.fixture
def trace(client: FlaskClient, conforms: Any) -> Any:
    """POST fields to /api/v1/trace and give the answer, checked against its schema."""

    def post(**fields: Any) -> Any:
        response = client.post("/api/v1/trace", json=fields)
        assert response.status_code == 200, response.json
        return conforms(response, "/api/v1/trace", "post")

    return post
