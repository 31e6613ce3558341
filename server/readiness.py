"""Whether a forward pass works, asked for as often as anybody likes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FRESH = 1.0  # seconds: probes of several balancers, or of somebody unkind, share one pass


class Readiness:
    """The outcome of ``run``, at most `FRESH` seconds old; one run at a time."""

    def __init__(self, run: Callable[[], None]) -> None:
        self._run = run
        self._lock = threading.Lock()
        self._worked = -float("inf")

    def check(self) -> None:
        """Raises what the run raises; a failure is not remembered."""
        with self._lock:
            if time.monotonic() - self._worked > FRESH:
                self._run()
                self._worked = time.monotonic()
