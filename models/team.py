"""A few threads that share out tasks.

numpy and torch let go of Python's lock while they compute, so that threads of one process work
at the same time, on the same memory. What a task calls should itself use one thread only: torch
does, in each of them, while they are awake.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import queue
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

import torch

from models.compiling.waiting import announce, look_out, progress
from models.separate_cores import SeparateCores

# Given the number of the thread that runs it: 0 … size − 1, for memory of its own.
Task = Callable[[int], None]

_LOOKS = 100_000  # for the next run, or its end: some milliseconds at most, then a thread sleeps


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
        self._done, self._started = channel(), channel()
        self._cores = SeparateCores()
        self._awake = self._looking = False
        self._process = os.getpid()
        # The number of what was given out last, and of the last run; each tells what it has done.
        self._given = self._run = 0
        self._told = progress(size)

    def run(self, tasks: Iterable[Task], failed: Callable[[], object] = lambda: None) -> None:
        """Run the tasks, each once, taken in order; come back when all are done.

        The first error that a task raises ends the run, and is raised here, as is what interrupts
        the caller: once no task runs any more. failed: called then, for tasks that wait for others.
        Not to be called by two threads at once, nor by a task.
        """
        share = _Share(tasks, failed)
        with self.awake():
            self._settle()
            try:
                self._run = self._given + 1
                self._give(share)
                share.work(0)
                for other in range(1, self.size if self._looking else 1):
                    look_out(self._told[other], self._run, _LOOKS)
                for _ in range(1, self.size):
                    self._done.get()
                self._wait()
            except BaseException as error:  # between two tasks, or while others were waited for
                share.fail(error)
                self._settle()
                raise
        if share.error is not None:
            raise share.error

    def _settle(self) -> None:
        """Until none of the others works, wherever a run was interrupted: who was not given it yet
        is given nothing to do."""
        if any(self._told[other, 0] < self._run for other in range(1, self.size)):
            for work in self._work:
                work.put((_Share(()), self._run))
            self._wait()

    def _wait(self) -> None:
        """Until the others have done what was run last: some of the signs that they give may have
        been of a run before, which was interrupted."""
        for other in range(1, self.size):
            while self._told[other, 0] < self._run:
                self._done.get()

    @contextlib.contextmanager
    def awake(self) -> Iterator[None]:
        """Meanwhile each is kept to cores of its own, and the others look out for the next run: to
        wake them takes as long as a short run does. Where there are fewer cores they sleep between
        runs, since who looks out has one. A thread that the caller starts meanwhile is kept to the
        caller's cores for good."""
        if self._awake or self.size == 1:
            yield
            return
        with _one_thread_of_torchs():
            self._start()
            with self._cores.apart() as have_their_own:
                try:
                    self._awake, self._looking = True, have_their_own
                    if have_their_own:
                        self._give(None)
                    yield
                finally:
                    self._awake = self._looking = False
                    self._tell()

    def _give(self, share: _Share | None) -> None:
        self._given += 1
        for work in self._work:
            work.put((share, self._given))
        announce(self._told[0], self._given)

    def _tell(self) -> None:
        self._given += 1
        announce(self._told[0], self._given)

    def _start(self) -> None:
        if self._process != os.getpid():  # a copy of one whose threads have not come along
            self._work, self._process = [], os.getpid()
            self._done, self._started = self._channel(), self._channel()
            self._cores, self._told = SeparateCores(), progress(self.size)
            self._given = self._run = 0
        while len(self._work) < self.size - 1:
            work = self._channel()
            self._start_thread(self._serve, (work, len(self._work) + 1))
            self._work.append(work)  # not before: it may be that no more can be started
            self._cores.add(self._started.get())

    def _serve(self, work: Any, number: int) -> None:
        # Those that torch would start for this thread would all be on its own cores.
        torch.set_num_threads(1)
        self._started.put(_thread.get_native_id())
        while True:
            share, given = work.get()
            if share is not None:
                share.work(number)
                del share  # or what its tasks hold would live on until the next run
                announce(self._told[number], given)
                self._done.put(None)
            if self._looking:
                look_out(self._told[0], given + 1, _LOOKS)


@contextlib.contextmanager
def _one_thread_of_torchs() -> Iterator[None]:
    """What torch starts for the caller meanwhile would be kept to the caller's cores for ever."""
    before = torch.get_num_threads()
    try:
        if before != 1:
            torch.set_num_threads(1)
        yield
    finally:
        # Also where a thread of the team was started: what it uses is the next one's default.
        if torch.get_num_threads() != before:
            torch.set_num_threads(before)


class _Share:
    """The tasks of one run, taken one by one."""

    def __init__(self, tasks: Iterable[Task], failed: Callable[[], object] = lambda: None) -> None:
        # Taking the next item of a list's iterator is one step for Python: no task is taken twice.
        self._tasks: Iterator[Task] = iter(list(tasks))
        self._failed = failed
        self.error: BaseException | None = None

    def work(self, number: int) -> None:
        try:
            # What is taken is run, whatever failed meanwhile: another may wait for it.
            while self.error is None and (task := next(self._tasks, None)):
                task(number)
        except BaseException as error:
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """The run ends; of several errors the first is told."""
        self.error = self.error or error
        self._failed()


def parts(count: int, pieces: int) -> list[slice]:
    """0 … count − 1 in ``pieces`` parts of nearly equal size, or fewer: none is empty."""
    ends = [count * n // pieces for n in range(pieces + 1)]
    return [slice(a, b) for a, b in pairwise(ends) if a < b]
