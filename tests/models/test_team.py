"""Threads that share out tasks."""

from __future__ import annotations

import _thread
import contextlib
import os
import random
import signal
import threading
import time
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.compiling.waiting import announce, look_out, progress
from models.separate_cores import SeparateCores, _groups, _quota, cores
from models.team import Team, parts


@pytest.mark.parametrize("size", [1, 2, 4])
def test_every_task_is_run_once_by_a_thread_of_the_team(size: int) -> None:
    team = Team(size)
    for _ in range(20):
        ran: list[tuple[int, int]] = []
        team.run([partial(_note, ran, i) for i in range(50)])
        assert sorted(i for i, _ in ran) == list(range(50))
        assert {thread for _, thread in ran} <= set(range(size))


def _note(ran: list[tuple[int, int]], task: int, thread: int) -> None:
    ran.append((task, thread))


def test_tasks_run_at_the_same_time() -> None:
    """Each waits for the other: one after the other they would wait for ever."""
    barrier = threading.Barrier(2, timeout=20)
    Team(2).run([lambda _: barrier.wait()] * 2)


@pytest.mark.parametrize("size", [1, 3])
def test_an_error_is_raised_where_the_run_was_asked_for_and_the_team_goes_on(size: int) -> None:
    def fail(_: int) -> None:
        raise LookupError("no such thing")

    team = Team(size)
    with pytest.raises(LookupError, match="no such thing"):
        team.run([fail] * 10)
    ran: list[int] = []
    team.run([ran.append] * 5)
    assert len(ran) == 5


@pytest.mark.parametrize("size", [1, 2, 4])
def test_awake_it_runs_one_thing_after_the_other(size: int) -> None:
    team = Team(size)
    for _ in range(20):
        ran: list[int] = []
        with team.awake(), team.awake():
            for _ in range(3):
                team.run([ran.append] * 7)
                assert len(ran) % 7 == 0
        team.run([ran.append] * 2)
        assert len(ran) == 23


def test_what_fails_while_it_is_awake_leaves_it_as_it_was() -> None:
    team = Team(2)
    with pytest.raises(LookupError, match="of the caller"), team.awake():
        raise LookupError("of the caller")
    with pytest.raises(LookupError, match="of a task"), team.awake():
        team.run([_fail] * 3)
    time.sleep(0.05)  # who looked out for more sleeps by now
    barrier = threading.Barrier(2, timeout=20)
    team.run([lambda _: barrier.wait()] * 2)


def _fail(_: int) -> None:
    raise LookupError("of a task")


def test_who_looks_out_goes_on_when_it_is_told_or_has_looked_long_enough() -> None:
    place = progress(1)[0]
    look_out(place, 1, 1000)  # nobody tells
    began = time.monotonic()
    thread = threading.Thread(target=look_out, args=(place, 3, 10**10))
    thread.start()
    announce(place, 2)
    thread.join(0.1)
    assert thread.is_alive()
    announce(place, 3)
    thread.join(20)
    assert not thread.is_alive()
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("fails", [False, True])
def test_threads_work_on_cores_of_their_own_and_are_free_afterwards(fails: bool) -> None:
    cores = SeparateCores()
    this_core = cores._this_core
    if this_core is None or len(os.sched_getaffinity(0)) < 2:  # then it changes nothing
        with cores.apart():
            return
    allowed, team = os.sched_getaffinity(0), Team(2)
    for _ in range(5):
        seen: dict[int, int] = {}
        barrier = threading.Barrier(2, timeout=20)

        def work(thread: int, seen: dict[int, int] = seen, both: Any = barrier) -> None:
            both.wait()
            seen[thread] = this_core()
            both.wait()
            if fails:
                raise LookupError

        with pytest.raises(LookupError) if fails else contextlib.nullcontext():
            team.run([work] * 2)
        assert len(set(seen.values())) == 2
        assert os.sched_getaffinity(0) == allowed


def test_torch_uses_one_thread_in_each_and_as_many_as_before_in_the_caller_afterwards() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        seen: dict[int, int] = {}
        barrier = threading.Barrier(2, timeout=20)

        def work(thread: int) -> None:
            barrier.wait()
            torch.ones(100_000).add_(1)  # a thread asks how many there are when it first has work
            seen[thread] = torch.get_num_threads()

        Team(2).run([work] * 2)
        assert seen == {0: 1, 1: 1}
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_where_cores_are_not_to_be_chosen_threads_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refused, raising=False)
    team, ran = Team(2), list[int]()
    for _ in range(2):
        team.run([ran.append] * 5)
    assert len(ran) == 10


def test_a_team_has_a_thread_at_least() -> None:
    with pytest.raises(ValueError, match="not 0"):
        Team(0)


@given(count=st.integers(0, 60), pieces=st.integers(1, 9))
def test_parts_are_of_nearly_equal_size_and_hold_each_number_once(count: int, pieces: int) -> None:
    found = [range(count)[part] for part in parts(count, pieces)]
    assert [number for part in found for number in part] == list(range(count))
    assert len(found) == min(count, pieces)
    assert max(map(len, found), default=0) - min(map(len, found), default=0) <= 1


def test_what_interrupts_the_caller_is_raised_once_no_task_runs_and_the_next_run_is_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As Ctrl-C does in a notebook, while the others are waited for."""
    team, ran = Team(2), list[int]()
    both = threading.Barrier(2, timeout=20)

    def slow(thread: int) -> None:
        both.wait()
        if thread:
            time.sleep(0.1)
        ran.append(thread)

    class Interrupted:
        def __init__(self, channel: Any) -> None:
            self.channel, self.times = channel, 1

        def put(self, sign: None) -> None:
            self.channel.put(sign)

        def get(self) -> None:
            if self.times:
                self.times = 0
                raise KeyboardInterrupt
            self.channel.get()

    team.run([lambda _: None])
    monkeypatch.setattr(team, "_done", Interrupted(team._done))
    with pytest.raises(KeyboardInterrupt):
        team.run([slow] * 2)
    assert sorted(ran) == [0, 1]
    for _ in range(20):
        ran.clear()
        team.run([slow] * 2)
        assert sorted(ran) == [0, 1]


def test_a_thread_that_cannot_be_started_is_told_and_is_not_waited_for() -> None:
    def start(*arguments: Any) -> Any:
        if refusing:
            raise RuntimeError("can't start new thread")
        return _thread.start_new_thread(*arguments)

    refusing = True
    team, ran = Team(3, start), list[int]()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="new thread"):
            team.run([ran.append] * 5)
    refusing = False
    team.run([ran.append] * 5)
    assert len(ran) == 5


@given(all_=st.sets(st.integers(0, 200), min_size=1, max_size=40), count=st.integers(1, 8))
def test_no_core_is_two_threads_and_the_caller_keeps_its_own(all_: set[int], count: int) -> None:
    for core in (min(all_), max(all_)):
        groups = _groups(all_, count, core)
        if len(all_) < count:
            assert groups is None
            continue
        assert groups is not None
        assert core in groups[0]
        assert len(groups) == count
        assert all(groups)
        assert sum(map(len, groups)) == len(all_)
        assert set.union(*groups) == all_
        assert max(map(len, groups)) - min(map(len, groups)) <= 1
    assert _groups(all_, count, 999) is None


def test_what_somebody_says_meanwhile_of_the_cores_stays_so() -> None:
    if SeparateCores()._this_core is None or cores() < 2:  # then nobody says anything of them
        return
    allowed = os.sched_getaffinity(0)
    try:
        with Team(2).awake():
            mine = os.sched_getaffinity(0)
            assert len(mine) < len(allowed)
            said = {next(iter(allowed - mine))}
            os.sched_setaffinity(0, said)
        assert os.sched_getaffinity(0) == said
    finally:
        os.sched_setaffinity(0, allowed)


def test_nobody_looks_out_where_there_are_fewer_cores_than_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[object] = []
    monkeypatch.setattr("models.team.look_out", lambda *seen: looks.append(seen))
    few, ran = Team(1 + cores()), list[int]()
    for _ in range(3):
        few.run([ran.append] * 4)
    assert len(ran) == 12
    assert not looks


def test_of_several_errors_the_first_is_raised() -> None:
    both = threading.Barrier(2, timeout=20)

    def first(_: int) -> None:
        both.wait()
        raise KeyError("first")

    def second(_: int) -> None:
        both.wait()
        time.sleep(0.05)
        raise ValueError("second")

    ended: list[int] = []
    with pytest.raises(KeyError, match="first"):
        Team(2).run([first, second], lambda: ended.append(1))
    assert ended


def test_a_run_that_is_interrupted_anywhere_leaves_the_next_one_whole() -> None:
    """As by Ctrl-C in a notebook, at moments drawn by a seed."""
    if not hasattr(signal, "setitimer"):
        return
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    draw, team, interrupted = random.Random(0), Team(2), 0

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        team.run([lambda _: None])
        for _ in range(150):
            late: list[int] = []
            try:
                signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 1e-3))
                team.run([lambda _, late=late: late.append(1)] * 300)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupted += 1
            count = len(late)
            done: list[int] = []
            team.run([done.append] * 9)
            assert len(done) == 9
            assert len(late) == count
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted
    if allowed is not None:
        assert os.sched_getaffinity(0) == allowed


def test_a_copy_of_the_process_starts_threads_of_its_own() -> None:
    if not hasattr(os, "fork"):
        return
    team, ran = Team(2), list[int]()
    team.run([ran.append] * 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are threads, which do not come along
        child = os.fork()
    if not child:
        team.run([ran.append] * 5)
        os._exit(len(ran))
    end = time.monotonic() + 20
    while (told := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(told[1]) == 10


@pytest.mark.parametrize(
    ("told", "cores"),
    [("max 100000", None), ("150000 100000", 2), ("50000 100000", 1), ("", None), (None, None)],
)
def test_a_quota_is_so_many_cores(tmp_path: Path, told: str | None, cores: int | None) -> None:
    if told is not None:
        (tmp_path / "cpu.max").write_text(told)
    assert _quota(tmp_path / "cpu.max") == cores
