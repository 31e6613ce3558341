"""Computations that keep the cores busy, in turn: two at once would each take twice as long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from gevent.lock import BoundedSemaphore
from gevent.monkey import is_module_patched
from gevent.threadpool import ThreadPool

T = TypeVar("T")

# Handed to the thread at a time: one runs, and one is there when it ends.
_HANDED = 2


class InTurn:
    """Runs one computation at a time. Under gevent in a native thread, so that the event loop goes
    on answering health checks; elsewhere under a lock.
    """

    def __init__(self) -> None:
        native = is_module_patched("threading")
        self._pool = ThreadPool(1) if native else None
        self._line = BoundedSemaphore(_HANDED)
        self._lock = threading.Lock()

    def __call__(self, compute: Callable[[], T]) -> T:
        """What ``compute`` returns or raises, when those before it are done."""
        if self._pool is None:
            return self.soon(compute)
        with self._line:
            return self.soon(compute)

    def soon(self, compute: Callable[[], T]) -> T:
        """The same before those that wait in line: behind what was handed to the thread already."""
        if self._pool is None:
            with self._lock:
                return compute()
        # The error comes back as a value: gevent prints those that a pool's thread raises.
        outcome = self._pool.apply(_attempt, (compute,))
        if isinstance(outcome, _Raised):
            raise outcome.error
        result: T = outcome
        return result


class _Raised:
    def __init__(self, error: Exception) -> None:
        self.error = error


def _attempt(compute: Callable[[], T]) -> T | _Raised:
    try:
        return compute()
    except Exception as error:
        return _Raised(error)
