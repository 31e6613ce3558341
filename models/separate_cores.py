"""Threads of a team kept on cores of their own while they work together.

A kernel may wake a thread on the core of the one that woke it, and, where it packs what sleeps much
onto few cores, as those of cloud machines do, leave both there for ten milliseconds: longer than
their work takes on two cores.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Callable, Iterator


def _this_core() -> Callable[[], int] | None:
    """A function that says which core the calling thread is on; none where nothing says so, or
    nothing can be asked for."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    try:
        said: Callable[[], int] = ctypes.CDLL(None).sched_getcpu
    except (OSError, TypeError, AttributeError):
        return None
    return said


class SeparateCores:
    """Of the threads of one team."""

    def __init__(self) -> None:
        self._this_core = _this_core()
        self._others: list[int] = []  # as the kernel numbers them
        self._kept: tuple[int, set[int]] | None = None  # the caller's core, those of the others

    def add(self, thread: int) -> None:
        """One that works with the caller."""
        self._others.append(thread)
        self._kept = None

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Keep the caller on the core on which it is, and the others on others that it may use. The
        caller is free again afterwards; the others wait."""
        allowed = self._keep()
        try:
            yield
        finally:
            if allowed is not None:
                self._may_use(0, allowed)

    def _keep(self) -> set[int] | None:
        """The cores that the caller may use; none where it stays as free as it was."""
        if self._this_core is None or not self._others:
            return None
        allowed, core = os.sched_getaffinity(0), self._this_core()
        others = allowed - {core}
        if core not in allowed or len(others) < len(self._others):
            return None
        if self._kept != (core, others):
            for thread in self._others:
                self._may_use(thread, others)
            self._kept = (core, others)
        self._may_use(0, {core})
        return allowed

    def _may_use(self, thread: int, cores: set[int]) -> None:
        """0: the caller."""
        try:
            os.sched_setaffinity(thread, cores)
        except OSError:  # not to be had here: then never again
            self._this_core = None
