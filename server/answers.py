"""How an answer becomes bytes: JSON by orjson, and the headers that every answer carries."""

from __future__ import annotations

import gzip
from typing import Any

import orjson
from flask import Flask, Response, request

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# Only over TLS may a server say that it is to be asked over TLS from now on (RFC 6797, 7.2).
HSTS = "max-age=31536000"
GZIP_LEVEL = 1


def dumps(data: Any) -> bytes:
    """``data`` (numpy arrays allowed) as a line of JSON.

    orjson turns NaN into null without a word: whoever builds ``data`` has checked that its numbers
    are finite.
    """
    return orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE)


def json_answer(data: Any, status: int = 200) -> Response:
    return Response(dumps(data), status, mimetype="application/json")


def packed(data: Any) -> bytes:
    """``data`` as a line of JSON, gzipped once for all who ask for it: 188 kB to 71 kB in 2 ms;
    higher levels cost more than they save."""
    return gzip.compress(dumps(data), compresslevel=GZIP_LEVEL, mtime=0)


def tagged_answer(tag: str, body: bytes | None, status: int = 200) -> Response:
    """A `packed` ``body`` that can be asked for again by its tag; a 304 has none.

    The tag is a weak one: it names the question, and the last digits of a number may differ.
    """
    if body is None:
        response = Response(b"", status, mimetype="application/json")
    elif request.accept_encodings["gzip"]:
        response = Response(body, status, mimetype="application/json")
        response.content_encoding = "gzip"
    else:
        response = Response(gzip.decompress(body), status, mimetype="application/json")
    response.vary.add("Accept-Encoding")
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def add_headers(app: Flask) -> None:
    """Security headers on every answer; nothing is cached unless its route says so."""

    @app.after_request
    def secure(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers[name] = value
        if request.is_secure:
            response.headers["Strict-Transport-Security"] = HSTS
        response.headers.setdefault("Cache-Control", "no-store")
        return response
