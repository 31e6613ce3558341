"""Questions sent to a server of one's own on this machine, at a rate that does not wait for it.

Arrivals are drawn from a Poisson process and are sent when they are due, whether or not earlier
ones were answered: a generator that waits would slow down with the server, and hide what it
measures. Latency counts from when a question was due.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import gevent
import numpy as np
from gevent import socket
from gevent.pool import Pool

STEPS = 20
_MOST = 800  # questions out at a time: more and this program would be what is measured


@dataclass
class Told:
    """What became of the questions of a while. Latencies in milliseconds."""

    seconds: float = 0.0
    sent: int = 0
    served: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    failed: int = 0  # no answer, or one that is no refusal

    @property
    def rate(self) -> float:
        """Served a second."""
        return len(self.served) / self.seconds

    def percentile(self, q: float, of: Sequence[float] | None = None) -> float:
        of = self.served if of is None else of
        return float(np.percentile(of, q)) if of else float("nan")


def texts(words: Sequence[str], seed: int) -> Iterator[str]:
    """Texts of `STEPS` timesteps, none twice: no answer is remembered from an earlier one. One
    that did not start a sentence with each text would still know its first states.
    """
    rng = np.random.default_rng(seed)
    while True:
        drawn = rng.integers(len(words), size=(1000, STEPS - 1))
        yield from (" ".join(words[i] for i in row) for row in drawn)


def plain(words: Sequence[str]) -> list[str]:
    """Those that are one timestep each wherever they stand."""
    return [word for word in words if re.fullmatch(r"[a-z]{3,12}", word)]


class Unanswered(OSError):
    """A connection ended before the first byte of an answer."""


class Client:
    """Connections to one server, kept open and used again."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.hostname not in ("127.0.0.1", "localhost", "::1"):
            raise ValueError("load is for a server on this machine only")
        self._address = (parts.hostname, parts.port or 80)
        self._kept: list[socket.socket] = []

    def ask(self, text: str, timeout: float = 60) -> int:
        """The status of the answer. Raises OSError, of which TimeoutError is one; only a kept
        connection that ended without a byte of an answer is taken for one that was idle too long.
        """
        body = json.dumps({"text": text}).encode()
        head = (
            b"POST /api/v1/trace HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        )
        if self._kept:
            try:
                return self._exchange(self._kept.pop(), head + body)
            except Unanswered:
                pass  # the server closed it while nobody looked: what any client does is ask anew
        connection = socket.create_connection(self._address, timeout)
        return self._exchange(connection, head + body)

    def _exchange(self, connection: socket.socket, question: bytes) -> int:
        answer = b""
        try:
            connection.sendall(question)
            while b"\r\n\r\n" not in answer:
                answer += _some(connection)
            head, _, rest = answer.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            if not length:
                raise OSError("an answer of unknown length")
            left = int(length[1]) - len(rest)
            while left > 0:
                left -= len(_some(connection))
        except OSError as error:
            connection.close()
            if not answer and not isinstance(error, TimeoutError):
                raise Unanswered(str(error)) from error
            raise
        if b"connection: close" in head.lower():
            connection.close()
        else:
            self._kept.append(connection)
        return int(head.split(b" ", 2)[1])


def _some(connection: socket.socket) -> bytes:
    data: bytes = connection.recv(65536)
    if not data:
        raise OSError("the connection was closed")
    return data


class Traffic:
    """Sends questions to a server and keeps what became of them in ``told``."""

    def __init__(self, url: str, questions: Iterator[str]) -> None:
        self._client, self._questions = Client(url), questions
        self.told = Told()

    def ask(self, due: float | None = None) -> int:
        """One question, due now or before. 0 when there was no answer."""
        due = time.perf_counter() if due is None else due
        self.told.sent += 1
        try:
            status = self._client.ask(next(self._questions))
        except OSError:
            self.told.failed += 1
            return 0
        ms = (time.perf_counter() - due) * 1000
        if status == 200:
            self.told.served.append(ms)
        elif status in (429, 503):
            self.told.refused.append(ms)
        else:
            self.told.failed += 1
        return status

    def one_by_one(self, count: int, pause: float = 0.05) -> Told:
        """On a server that has nothing else to do."""
        return self._while(lambda: [(gevent.sleep(pause), self.ask()) for _ in range(count)])

    def without_pause(self, clients: int, seconds: float) -> Told:
        """As many as it can answer: each client asks as soon as it was answered."""
        end = time.perf_counter() + seconds

        def go_on() -> None:
            while time.perf_counter() < end:
                if self.ask() != 200:
                    gevent.sleep(0.01)

        return self._while(lambda: gevent.joinall([gevent.spawn(go_on) for _ in range(clients)]))

    def at_rate(
        self, rate: float, seconds: float, seed: int, tick: Callable[[], object] = lambda: None
    ) -> Told:
        """``rate`` questions a second on average, for so long; ``tick`` about once a second."""
        rng, pool = np.random.default_rng(seed), Pool(_MOST)

        def send() -> None:
            began = due = ticked = time.perf_counter()
            while (due := due + rng.exponential(1 / rate)) < began + seconds:
                gevent.sleep(max(0.0, due - time.perf_counter()))
                pool.spawn(self.ask, due)
                if due - ticked >= 1:
                    ticked = due
                    tick()
            pool.join()

        return self._while(send)

    def _while(self, do: Callable[[], object]) -> Told:
        self.told = Told()
        began = time.perf_counter()
        do()
        self.told.seconds = time.perf_counter() - began
        return self.told
