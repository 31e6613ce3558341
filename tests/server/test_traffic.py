"""The client of `make load` and `make soak`: what it takes for a failure of the server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from benchmarks.traffic import Client

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{}"
STALLED = None  # it does not answer, and holds the connection


@contextmanager
def answering(*connections: list[bytes | None]) -> Iterator[tuple[Client, list[int]]]:
    """A client of a server with these answers, one connection after the other, each closed after
    its last; and of each connection how many questions came."""
    asked: list[int] = []
    done = threading.Event()

    def serve() -> None:
        for answers in connections:
            connection, _ = listener.accept()
            asked.append(0)
            with connection:
                for answer in answers:
                    assert b"\r\n\r\n" in connection.recv(65536)
                    asked[-1] += 1
                    if answer is STALLED:
                        done.wait(10)
                    else:
                        connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield Client(f"http://127.0.0.1:{listener.getsockname()[1]}"), asked
        done.set()
        server.join(10)


def test_a_kept_connection_that_was_closed_idle_is_opened_anew():
    with answering([WHOLE], [WHOLE]) as (client, asked):
        assert [client.ask("a"), client.ask("b")] == [200, 200]
    assert asked == [1, 1]


def test_an_answer_that_is_cut_is_a_failure_and_is_not_asked_for_again():
    with answering([WHOLE, CUT]) as (client, asked):
        assert client.ask("a") == 200
        with pytest.raises(OSError, match="was closed"):
            client.ask("b")
    assert asked == [2]


def test_no_answer_in_time_is_a_failure_and_is_not_asked_for_again():
    with answering([WHOLE, STALLED]) as (client, asked):
        assert client.ask("a", timeout=0.2) == 200
        with pytest.raises(TimeoutError):
            client.ask("b", timeout=0.2)
    assert asked == [2]
