"""One log line and one observation a request: what was asked and how long, never the text."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any
from uuid import uuid4

import orjson
from flask import Flask, Response, g, request

from server.metrics import Metrics

_log = logging.getLogger("unrolled")
# Any other method is client-made text, and would be a new series in the metrics each time.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def watch(app: Flask, metrics: Metrics) -> None:
    """Time every request of the app."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        # The rule and not the address, which is the client's own text.
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in _METHODS else "other"
        request_id = uuid4().hex[:12]
        response.headers["X-Request-Id"] = request_id
        metrics.observe(method, route, response.status_code, seconds, g.get("tokens", 0))
        _log.info(
            "request",
            extra={
                "fields": {
                    "id": request_id,
                    "method": method,
                    "route": route,
                    "status": response.status_code,
                    "ms": round(seconds * 1000, 1),
                    **({"tokens": g.tokens} if "tokens" in g else {}),
                }
            },
        )
        return response


def configure_logs(form: str) -> None:
    """Send the log to stderr, as ``console`` or ``json`` lines; ``off`` leaves errors only."""
    handler = _Stderr()
    handler.setFormatter(_Json() if form == "json" else _Console())
    _log.handlers = [handler]
    _log.setLevel(logging.ERROR if form == "off" else logging.INFO)
    _log.propagate = False


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})


class _Stderr(logging.Handler):
    """The stderr of the moment of writing: whoever replaces it gets the lines too."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)


class _Console(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(record.created))
        pairs = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        return f"{stamp} {record.levelname.lower()} {record.getMessage()} {pairs}".rstrip()


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        return orjson.dumps(line | _fields(record)).decode()
