"""Threads that share out tasks."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_a_team_has_a_thread_at_least() -> None:
    with pytest.raises(ValueError, match="not 0"):
        Team(0)


@given(count=st.integers(0, 60), pieces=st.integers(1, 9))
def test_parts_are_of_nearly_equal_size_and_hold_each_number_once(count: int, pieces: int) -> None:
    found = [range(count)[part] for part in parts(count, pieces)]
    assert [number for part in found for number in part] == list(range(count))
    assert len(found) == min(count, pieces)
    assert max(map(len, found), default=0) - min(map(len, found), default=0) <= 1
