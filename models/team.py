"""A few threads that share out tasks.

numpy and torch let go of Python's lock while they compute, so that threads of one process work
at the same time, on the same memory. What a task calls should itself use one thread only.
"""

from __future__ import annotations

import _thread
import os
import queue
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

# Given the number of the thread that runs it: 0 … size − 1, for memory of its own.
Task = Callable[[int], None]


class Team:
    """``size`` threads, the caller being one. The others start at the first run, and wait for work
    until the process ends.

    start_thread, channel: for a process whose own have been replaced by something else (gevent).
    """

    def __init__(
        self,
        size: int = 1,
        start_thread: Callable[..., Any] = _thread.start_new_thread,
        channel: Callable[[], Any] = queue.SimpleQueue,
    ) -> None:
        if size < 1:
            raise ValueError(f"a team has one thread or more, not {size}")
        self.size = size
        self._start_thread, self._channel = start_thread, channel
        self._work: list[Any] = []  # a channel to each of the other threads
        self._done = channel()

    def run(self, tasks: Iterable[Task]) -> None:
        """Run the tasks, each once, in any order; come back when all are done.

        The first error that a task raises ends the run, and is raised here. Not to be called by
        two threads at once.
        """
        share = _Share(tasks)
        self._start()
        for work in self._work:
            work.put(share)
        share.work(0)
        for _ in self._work:
            self._done.get()
        if share.error is not None:
            raise share.error

    def _start(self) -> None:
        while len(self._work) < self.size - 1:
            work = self._channel()
            self._work.append(work)
            self._start_thread(self._serve, (work, len(self._work)))

    def _serve(self, work: Any, number: int) -> None:
        while True:
            share = work.get()
            share.work(number)
            del share  # or what its tasks hold would live on until the next run
            self._done.put(None)


class _Share:
    """The tasks of one run, taken one by one."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        # Taking the next item of a list's iterator is one step for Python: no task is taken twice.
        self._tasks: Iterator[Task] = iter(list(tasks))
        self.error: BaseException | None = None

    def work(self, number: int) -> None:
        for task in self._tasks:
            if self.error is not None:
                return
            try:
                task(number)
            except BaseException as error:
                self.error = error


def parts(count: int, pieces: int) -> list[slice]:
    """0 … count − 1 in ``pieces`` parts of nearly equal size, or fewer: none is empty."""
    ends = [count * n // pieces for n in range(pieces + 1)]
    return [slice(a, b) for a, b in pairwise(ends) if a < b]


def cores() -> int:
    """Of the processor, those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
