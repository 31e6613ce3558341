"""Who is let in: a bounded queue for the models, and a limit for each client.

Under load it is better to answer some at once and well, and to tell the others when to come back,
than to answer everybody late.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address

from server.errors import ApiError
from server.metrics import Metrics

OVERLOADED = 5.0  # seconds
RETRY_AFTER = 1  # seconds: by then what waits now is answered


class Queue:
    """Places for questions that a model is run for: one that runs and ``waiting`` behind it, which
    is room for a page that asks several things at once. Since somebody was refused, and until
    nobody was for `OVERLOADED` seconds, only one may wait: a long queue that never empties would
    make everybody late and serve nobody more.
    """

    def __init__(
        self, waiting: int, metrics: Metrics | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """metrics: told how many hold a place; None for what no model is run for."""
        self._waiting = waiting
        self._metrics = metrics
        self._clock = clock
        self._refused = -math.inf
        self._taken = 0
        self._lock = threading.Lock()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place. Raises ApiError, a 503, at once where there is none."""
        with self._lock:
            overloaded = self._clock() - self._refused < OVERLOADED
            if self._taken > (min(1, self._waiting) if overloaded else self._waiting):
                self._refused = self._clock()
                sentence = "The server has as many questions as it can answer; ask again shortly."
                raise ApiError(503, "overloaded", sentence, retry_after=RETRY_AFTER)
            self._change(1)
        try:
            yield
        finally:
            with self._lock:
                self._change(-1)

    def _change(self, by: int) -> None:
        self._taken += by
        if self._metrics:
            self._metrics.queued(self._taken)


class Rate:
    """At most ``limit`` questions a minute from one client, as a token bucket: who asked nothing
    for a minute may ask all of them at once. 0 is no limit.
    """

    _CLIENTS = 10_000  # remembered; the one that asked longest ago goes first

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._full: OrderedDict[str, float] = OrderedDict()  # client → when its bucket is full
        self._lock = threading.Lock()

    def count(self, address: str | None) -> None:
        """Count a question of a client. Raises ApiError, a 429, when it is one too many."""
        if not self._limit:
            return
        each = 60 / self._limit  # seconds until one more may be asked
        client = _client(address)
        with self._lock:
            now = self._clock()
            full = max(self._full.pop(client, now), now) + each
            late = full - now - 60
            if late > 1e-6:
                self._full[client] = full - each
                sentence = f"This is more than {self._limit} questions in a minute."
                raise ApiError(429, "too_many_requests", sentence, retry_after=math.ceil(late))
            self._full[client] = full
            while len(self._full) > self._CLIENTS:
                self._full.popitem(last=False)


def _client(address: str | None) -> str:
    """Who asks: an IPv4 address, or the network of an IPv6 one, which is one person's."""
    try:
        parsed = ip_address(address or "")
    except ValueError:
        return str(address)
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or parsed.packed[:8].hex())
