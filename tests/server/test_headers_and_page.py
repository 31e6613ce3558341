"""What every answer carries, the built page and its caching, and errors outside the API."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from server import create_app

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'"
)
ROUTES = ["/", "/healthz", "/metrics", "/api/v1/models", "/nowhere", "/api/v1/trace"]


@pytest.fixture
def built(tmp_path, settings, inference):
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>page</title>")
    (tmp_path / "favicon.svg").write_text("<svg/>")
    (tmp_path / "notes.md").write_text("not part of a build")
    (tmp_path / "assets" / "index-BzlbyETK.js").write_text("1;" * 2000)
    (tmp_path / "assets" / "plain.css").write_text("p{}")
    return create_app(replace(settings, static_dir=tmp_path), inference).test_client()


@pytest.mark.parametrize("route", ROUTES)
def test_security_headers(client, route):
    headers = client.get(route).headers
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Set-Cookie" not in headers
    assert len(headers["X-Request-Id"]) == 12


def test_the_page_is_asked_for_again_and_its_hashed_files_never(built):
    index = built.get("/")
    assert index.mimetype == "text/html"
    assert index.headers["Cache-Control"] == "no-cache"
    assert built.get("/", headers={"If-None-Match": index.headers["ETag"]}).status_code == 304
    script = built.get("/assets/index-BzlbyETK.js")
    assert script.mimetype == "text/javascript"
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert built.get("/assets/plain.css").headers["Cache-Control"] == "no-cache"
    assert built.get("/favicon.svg").mimetype == "image/svg+xml"


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/../index.html", "/assets/..%2findex.html", "/assets/%2e%2e/index.html"),
        *("/assets/%00.js", "/assets/", "/assets/none.js", "/notes.md", "/.git", "/..%2fLICENSE"),
        *("/assets//index-BzlbyETK.js", "/%2fetc%2fpasswd", "/index.js\x00"),
    ],
)
def test_nothing_else_is_served(built, path):
    assert built.get(path).status_code == 404


def test_answers_are_compressed_when_that_is_understood(client):
    asked = {"text": "we stand in solidarity"}
    plain = client.post("/api/v1/trace", json=asked)
    packed = client.post("/api/v1/trace", json=asked, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.data)) == plain.json
    assert len(packed.data) < len(plain.data) / 2


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/api/v1/nowhere", 404, "not_found"),
        ("GET", "/api/v1/models/", 404, "not_found"),
        ("GET", "/api/v1/trace", 405, "method_not_allowed"),
        ("DELETE", "/api/v1/models", 405, "method_not_allowed"),
        ("POST", "/", 405, "method_not_allowed"),
    ],
)
def test_wrong_addresses_and_methods(client, method, path, status, code):
    response = client.open(path, method=method)
    assert response.status_code == status
    assert response.json["error"]["code"] == code
    assert set(response.json["error"]) == {"code", "message", "field"}
    assert ("Allow" in response.headers) == (status == 405)


def test_a_browser_gets_errors_as_a_page_and_the_api_stays_json(client):
    accept = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = client.get("/nowhere", headers=accept)
    assert page.mimetype == "text/html"
    text = page.get_data(as_text=True)
    assert "There is nothing at this address." in text
    assert "style" not in text
    assert client.get("/api/v1/nowhere", headers=accept).mimetype == "application/json"


def test_a_fault_of_the_server_is_told_without_what_was_typed(
    settings, inference, monkeypatch, capsys
):
    def fail(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(inference, "trace", fail)
    client = create_app(settings, inference).test_client()
    response = client.post("/api/v1/trace", json={"text": "secret words"})
    assert response.status_code == 500
    assert response.json["error"]["code"] == "internal"
    logged = capsys.readouterr().err
    assert "RuntimeError" in logged
    assert "secret" not in logged + response.get_data(as_text=True)
    monkeypatch.setattr("models.trace.Tracer.trace", fail)
    unready = client.get("/readyz")
    assert (unready.status_code, unready.json["error"]["code"]) == (503, "not_ready")


def test_ready_and_alive(client, conforms):
    assert conforms(client.get("/healthz"), "/healthz") == {"status": "ok"}
    assert conforms(client.get("/readyz"), "/readyz") == {"status": "ok"}
