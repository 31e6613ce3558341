"""Threads of a team kept on cores of their own while they work together.

A kernel may wake a thread on the core of the one that woke it, and, where it packs what sleeps much
onto few cores, as those of cloud machines do, leave both there for ten milliseconds: longer than
their work takes on two cores.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path


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


def cores() -> int:
    """Of the processor, those that this process may use; of a container's quota, as many as it is
    worth."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), _quota() or sys.maxsize)
    return os.cpu_count() or 1


@cache
def _quota(told: Path = Path("/sys/fs/cgroup/cpu.max")) -> int | None:
    """Whole cores of time in each period, the last one not whole; None where there is no limit."""
    try:
        quota, period = told.read_text().split()
        return None if quota == "max" else max(1, -(-int(quota) // int(period)))
    except (OSError, ValueError):
        return None


class SeparateCores:
    """Of the threads of one team."""

    def __init__(self) -> None:
        self._this_core = _this_core()
        self._others: list[int] = []  # as the kernel numbers them
        # The cores of the caller and those of each of the others.
        self._kept: list[set[int]] = []
        # A caller that is not free yet, its cores meanwhile, and those of before.
        self._narrowed: tuple[int, set[int], set[int]] | None = None

    def add(self, thread: int) -> None:
        """One that works with the caller."""
        self._others.append(thread)
        self._kept = []

    @contextlib.contextmanager
    def apart(self) -> Iterator[bool]:
        """Keep each thread to cores that no other thread of the team may use, the caller to those
        around its own; where there are more cores than threads, it has several to move among. The
        caller is free again afterwards; the others wait.

        Yields whether each has a core of its own: also where that is left to the system, which
        tells of no cores to choose, and has enough.
        """
        if self._this_core is None:
            yield cores() > len(self._others)
            return
        allowed, core = self._allowed(), self._this_core()
        groups = _groups(allowed, len(self._others) + 1, core)
        if groups is None:
            yield False
            return
        self._narrowed = threading.get_ident(), groups[0], allowed
        try:
            self._keep(groups)
            yield cores() > len(self._others)
        finally:
            # If somebody else has said meanwhile what the caller may use, that is newer.
            if os.sched_getaffinity(0) == groups[0]:
                self._may_use(0, allowed)
            self._narrowed = None

    def _allowed(self) -> set[int]:
        """The caller's cores; if it could not be made free again the last time, those of before."""
        now, narrowed = os.sched_getaffinity(0), self._narrowed
        if narrowed and narrowed[:2] == (threading.get_ident(), now):
            return narrowed[2]
        return now

    def _keep(self, groups: list[set[int]]) -> None:
        if self._kept != groups:
            for thread, cores in zip(self._others, groups[1:], strict=True):
                self._may_use(thread, cores)
            self._kept = groups
        self._may_use(0, groups[0])

    def _may_use(self, thread: int, cores: set[int]) -> None:
        """0: the caller."""
        try:
            os.sched_setaffinity(thread, cores)
        except OSError:  # not to be had here: then never again
            self._this_core = None


def _groups(allowed: set[int], count: int, core: int) -> list[set[int]] | None:
    """The cores in so many groups of nearly equal size, the one with ``core`` first; None where
    there are not as many, or it is none of them."""
    cores = sorted(allowed)
    if core not in allowed or len(cores) < count:
        return None
    ends = [len(cores) * n // count for n in range(count + 1)]
    groups = [set(cores[a:b]) for a, b in pairwise(ends)]
    return sorted(groups, key=lambda group: core not in group)
