"""What is no HTTP, too much of it or too late, on a socket of one's own: the one error shape."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlsplit

import pytest

from server.answers import HEADERS
from tests.server.conftest import logged

HOST = b"Host: localhost\r\n"
GET = b"GET / HTTP/1.1\r\n" + HOST
POST = b"POST /api/v1/trace HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
BAD, LONG, LARGE = "bad_request", "address_too_long", "headers_too_large"

# name: (what is sent, status, code)
CASES = {
    "no version": (b"GET secret\r\n\r\n", 400, BAD),
    "an unknown version": (b"GET / HTTP/9.9\r\n\r\n", 400, BAD),
    "HTTP/2 as it comes": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, BAD),
    "a method that is none": (b"SE CRET / HTTP/1.1\r\n" + HOST + b"\r\n", 400, BAD),
    "NUL in the address": (b"GET /secret\0 HTTP/1.1\r\n" + HOST + b"\r\n", 400, BAD),
    "Cyrillic in the address": ("GET /з HTTP/1.1\r\n".encode() + HOST + b"\r\n", 400, BAD),
    "an address of 5,000 letters": (b"GET /" + b"s" * 5000 + b" HTTP/1.1\r\n\r\n", 414, LONG),
    "80 headers": (GET + b"".join(b"X-%d: 1\r\n" % n for n in range(80)) + b"\r\n", 431, LARGE),
    "a header of 9,000 letters": (GET + b"X: " + b"s" * 9000 + b"\r\n\r\n", 431, LARGE),
    "a header of a megabyte": (GET + b"X: " + b"s" * 1_000_000 + b"\r\n\r\n", 431, LARGE),
    "a header without a colon": (GET + b"secret\r\n\r\n", 400, BAD),
    "a folded header": (GET + b"X: a\r\n secret\r\n\r\n", 400, BAD),
    "two lengths": (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, BAD),
    "a length below 0": (POST + b"Content-Length: -1\r\n\r\n", 400, BAD),
    "a length and chunks": (POST + b"Content-Length: 2\r\n" + CHUNKED[len(POST) :], 400, BAD),
    "a chunk of no size": (CHUNKED + b"secret\r\n{}\r\n0\r\n\r\n", 400, BAD),
    "a chunk that goes on": (CHUNKED + b"2\r\n{}secret\r\n0\r\n\r\n", 400, BAD),
    "a coding that is unknown": (POST + b"Transfer-Encoding: secret, chunked\r\n\r\n", 501,
                                 "unsupported_transfer_coding"),
    "what cannot be expected": (GET + b"Expect: secret\r\n\r\n", 417, "expectation_failed"),
    "no Host": (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "unknown_host"),
    "two Hosts": (GET + HOST + b"\r\n", 400, BAD),
    "a body that ends early": (POST + b"Content-Length: 9\r\n\r\n{", 408, "request_timeout"),
    "a chunk that ends early": (CHUNKED + b"9\r\n{", 408, "request_timeout"),
}  # fmt: skip


def answered(server, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer, after which the server has closed the connection."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(sent)
        answer = b""
        while some := client.recv(65536):
            answer += some
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert len(body) == int(headers["Content-Length"])
    return int(status.split()[1]), headers, body


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused_like_everything_else(server, name):
    sent, status, code = CASES[name]
    got, headers, body = answered(server, sent)
    assert got == status
    error = json.loads(body)["error"]
    assert (error["code"], error["field"]) == (code, None)
    assert error["message"].endswith(".")
    assert headers.items() >= HEADERS.items()
    logged = server.log.read_text()
    assert headers["X-Request-Id"] in logged
    assert "secret" not in logged.lower()


def test_every_line_of_the_log_is_json(server):
    assert {line["event"] for line in logged(server)} == {"request"}
