"""One log line and one observation a request: what was asked and how long, never the text."""

from __future__ import annotations

import logging
import re
import time
from contextlib import suppress
from typing import Any
from uuid import uuid4

import orjson
from flask import Flask, Response, g, request

from server.json_lines import JsonLines, fields_of
from server.metrics import Metrics
from server.saying import write_line

_log = logging.getLogger("unrolled")
# Any other method is client-made text, and would be a new series in the metrics each time.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def watch(app: Flask, metrics: Metrics, proxied: bool = False, log_text: bool = False) -> None:
    """Time every request of the app. ``proxied``: a proxy's X-Request-Id is the request's."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()
        given = request.headers.get("X-Request-Id", "") if proxied else ""
        g.id = given if _ID.fullmatch(given) else uuid4().hex[:12]

    @app.after_request
    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        # The rule and not the address, which is the client's own text.
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in _METHODS else "other"
        response.headers["X-Request-Id"] = g.id
        metrics.observe(method, route, response.status_code, seconds, g.get("tokens", 0))
        fields = {
            "id": g.id,
            "method": method,
            "route": route,
            "status": response.status_code,
            "ms": round(seconds * 1000, 1),
        }
        if "tokens" in g:
            fields["tokens"] = g.tokens
        if "refused" in g:
            fields["error"] = g.refused
            metrics.refused(g.refused)
        if log_text and "texts" in g:
            fields["texts"] = g.texts
        _log.info("request", extra={"fields": fields})
        return response


def configure_logs(form: str) -> None:
    """Send the log to stderr, as ``console`` or ``json`` lines; ``off`` leaves errors only."""
    handler = _Stderr()
    handler.setFormatter(JsonLines() if form == "json" else _Console())
    _log.handlers = [handler]
    _log.setLevel(logging.ERROR if form == "off" else logging.INFO)
    _log.propagate = False


class _Stderr(logging.Handler):
    """The stderr of the moment of writing: whoever replaces it gets the lines too.

    A line that cannot be written, on a full disk or to a reader that is gone, is lost: the request
    is answered all the same.
    """

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError, ValueError):
            write_line(self.format(record))


class _Console(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(record.created))
        pairs = " ".join(f"{name}={_plain(value)}" for name, value in fields_of(record).items())
        return f"{stamp} {record.levelname.lower()} {record.getMessage()} {pairs}".rstrip()


def _plain(value: Any) -> str:
    """On one line: typed text is quoted as in JSON."""
    return orjson.dumps(value).decode() if isinstance(value, list) else str(value)
