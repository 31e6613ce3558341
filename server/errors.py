"""One error shape: ``{"error": {"code", "message", "field"}}``, whatever went wrong and wherever.

A browser that opens a wrong address outside /api gets the same sentence as a small plain page.
"""

from __future__ import annotations

import logging
import traceback
from html import escape

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from server.answers import json_answer

_log = logging.getLogger("unrolled")

# What werkzeug raises by itself, in our words.
_SENTENCES = {
    400: ("bad_request", "The request could not be understood."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not accept this method."),
    500: ("internal", "The server failed; the fault is its own, not the request's."),
}


# In a request's environment: the ApiError that is its answer, whatever else it asks for. Headers
# reach the environment with HTTP_ before their name, so that no client can set it.
REFUSED = "unrolled.refused"


class ApiError(Exception):
    """A refusal with its HTTP status; ``field`` names the part of the request it is about,
    ``retry_after`` the seconds after which the same request may be answered.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        field: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field = status, code, message, field
        self.retry_after = retry_after


def error_answer(status: int, code: str, message: str, field: str | None = None) -> Response:
    """The one error shape, or a page for a browser outside /api."""
    g.refused = code
    if _wants_page():
        page = (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{status}</title>'
            f'<h1>{status}</h1><p>{escape(message)}</p><p><a href="{escape(_home())}">Unrolled</a>'
        )
        return Response(page, status, mimetype="text/html")
    return json_answer({"error": {"code": code, "message": message, "field": field}}, status)


def register(app: Flask, byte_limit: int) -> None:
    """Make every error of the app answer in the one shape; ``byte_limit`` is told in a 413."""

    @app.before_request
    def refused_before() -> None:
        if REFUSED in request.environ:
            raise request.environ[REFUSED]

    @app.errorhandler(ApiError)
    def refused(error: ApiError) -> Response:
        response = error_answer(error.status, error.code, error.message, error.field)
        if error.retry_after is not None:
            response.headers["Retry-After"] = str(error.retry_after)
        return response

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        if status == 413:
            sentence = f"The request is larger than the limit of {byte_limit} bytes."
            return error_answer(413, "body_too_large", sentence)
        code, message = _SENTENCES.get(status, (error.name.lower().replace(" ", "_"), error.name))
        response = error_answer(status, code, message)
        for name, value in error.get_headers():
            if name.lower() not in ("content-type", "content-length"):
                response.headers[name] = value
        return response

    @app.errorhandler(Exception)
    def internal(error: Exception) -> Response:
        return refused(faulty(error))


def faulty(error: BaseException) -> ApiError:
    """The answer to a request over which the server failed; logs where that was."""
    # But not the message: that may quote what was typed.
    place = " < ".join(
        f"{frame.filename}:{frame.lineno}"
        for frame in reversed(traceback.extract_tb(error.__traceback__))
    )
    _log.error("internal error %s at %s", type(error).__name__, place)
    return ApiError(500, *_SENTENCES[500])


def misunderstood() -> ApiError:
    """The answer to what is no HTTP."""
    return ApiError(400, *_SENTENCES[400])


def _wants_page() -> bool:
    accepted = request.accept_mimetypes.best_match(["application/json", "text/html"])
    return accepted == "text/html" and not request.path.startswith("/api/")


def _home() -> str:
    return f"{request.root_path or ''}/"
