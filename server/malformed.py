"""Requests that are no HTTP, or too large in their head: refused like everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gunicorn.http.errors import (
    ExpectationFailed,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)
from werkzeug.test import EnvironBuilder, run_wsgi_app

from server.errors import REFUSED, ApiError, faulty, misunderstood

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication
    from gunicorn.config import Config

# The server's own fault, whatever they are derived from: an answer that cannot be sent.
_OURS = (InvalidResponseHeader, InvalidResponseHeaderName)


def answer(app: WSGIApplication, error: Exception, address: Any, limits: Config) -> bytes:
    """The bytes of the refusal, after which the connection is to be closed.

    The app itself gives the answer, so that it is logged and counted and has the headers of all.
    ``error``: what gunicorn raised; anything but a ParseException is the server's own fault.
    """
    environ = EnvironBuilder("/api/", method="UNREAD").get_environ()
    environ |= {"REMOTE_ADDR": address[0] if address else "", REFUSED: refusal(error, limits)}
    body, status, headers = run_wsgi_app(app, environ, buffered=True)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {status}\r\nConnection: close\r\n{lines}\r\n"
    return head.encode("latin1") + b"".join(body)


def refusal(error: Exception, limits: Config) -> ApiError:
    """What is said of it; nothing that was sent is quoted."""
    if not isinstance(error, ParseException) or isinstance(error, _OURS):
        return faulty(error)
    if isinstance(error, LimitRequestLine):
        sentence = f"The first line of the request is over {limits.limit_request_line} bytes."
        return ApiError(414, "address_too_long", sentence)
    if isinstance(error, LimitRequestHeaders):
        fields, size = limits.limit_request_fields, limits.limit_request_field_size
        sentence = f"The request has over {fields} header fields, or one of over {size} bytes."
        return ApiError(431, "headers_too_large", sentence)
    if isinstance(error, ExpectationFailed):
        return ApiError(417, "expectation_failed", "Nothing but 100-continue can be expected.")
    if isinstance(error, UnsupportedTransferCoding):
        sentence = "The server reads no transfer coding but chunked."
        return ApiError(501, "unsupported_transfer_coding", sentence)
    return misunderstood()
