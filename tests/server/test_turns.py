"""Computations in turn, in a process that gevent has patched as gunicorn's workers are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from server import api, create_app
from server.inference import Inference
from server.settings import Settings

_SCRIPT = """
from gevent import monkey; monkey.patch_all()
import gevent, threading
from server.turns import InTurn

turns, order, running = InTurn(), [], []
start = monkey.get_original("threading", "Event")()

def job(name):
    def compute():
        start.wait(30)
        running.append(name)
        assert running == [name]
        order.append(name)
        running.remove(name)
        if name == "fails":
            raise KeyError(name)
        return name
    return compute

def attempt(name):
    try:
        return turns(job(name))
    except KeyError as error:
        return error.args[0]

waiting = [gevent.spawn(attempt, name) for name in ("a", "b", "fails", "c", "d")]
gevent.sleep(0.05)
soon = gevent.spawn(turns.soon, job("soon"))
gevent.sleep(0.05)
start.set()
gevent.joinall([*waiting, soon], timeout=30)
print([one.value for one in waiting], soon.value, order)
"""


def test_one_at_a_time_in_order_and_what_is_wanted_soon_before_those_in_line() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == (
        "['a', 'b', 'fails', 'c', 'd'] soon ['a', 'b', 'soon', 'fails', 'c', 'd']\n"
    )


def test_a_trace_is_packed_where_no_health_check_waits_for_it(
    settings: Settings, inference: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long one takes a fifth of a second: JSON, and gzip of seven megabytes."""
    beside, pack = inference.beside, api.packed
    aside, packed = [], []

    def watched(compute: Callable[[], Any]) -> Any:
        aside.append(compute)
        answer = beside(compute)
        aside.pop()
        return answer

    def watched_pack(data: Any) -> bytes:
        packed.append(len(aside))
        return pack(data)

    monkeypatch.setattr(inference, "beside", watched)
    monkeypatch.setattr(api, "packed", watched_pack)
    client = create_app(settings, inference).test_client()
    assert client.post("/api/v1/trace", json={"text": "we stand"}).status_code == 200
    assert packed == [1]
