"""A bounded queue before the models, a limit for each client, readiness not found out twice."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import replace

import pytest

from server import create_app
from server.admission import Queue, Rate
from server.errors import ApiError
from server.metrics import Metrics
from server.readiness import Readiness

URL = "/api/v1/trace"


@pytest.fixture
def busy(settings, inference, monkeypatch):
    """An app with one place that waits, whose model is at work until it is let go."""
    app = create_app(replace(settings, queue=1), inference)
    trace, started, go = inference.trace, threading.Semaphore(0), threading.Event()

    def slow(*question: object) -> object:
        started.release()
        assert go.wait(60)
        return trace(*question)

    monkeypatch.setattr(inference, "trace", slow)
    answers: list[object] = []

    def ask(text: str) -> None:
        answers.append(app.test_client().post(URL, json={"text": text}))

    askers = [threading.Thread(target=ask, args=(text,)) for text in ("we", "he")]
    for asker in askers:
        asker.start()
        assert started.acquire(timeout=60)

    def finish() -> list[object]:
        go.set()
        for asker in askers:
            asker.join()
        return answers

    yield app.test_client(), finish
    finish()


def test_one_more_than_may_wait_is_refused_at_once_and_told_when_to_come_back(busy, conforms):
    client, finish = busy
    for path, body in (
        (URL, {"text": "she"}),
        ("/api/v1/cell", {"text": "we", "timestep": 0, "kind": "output"}),
        ("/api/v1/compare", {"texts": ["we", "he"]}),
    ):
        refused = client.post(path, json=body)
        assert refused.status_code == 503
        assert conforms(refused, path, "post")["error"]["code"] == "overloaded"
        assert refused.headers["Retry-After"] == "1"
    # What runs no model is answered, and so is what is wrong.
    assert client.post("/api/v1/tokens", json={"text": "she"}).json["count"] == 1
    assert client.get("/healthz").status_code == 200
    assert client.get("/api/v1/models").status_code == 200
    assert client.post(URL, json={"text": 1}).status_code == 422
    told = client.get("/metrics").get_data(as_text=True)
    assert "unrolled_queue 2.0" in told
    assert 'unrolled_refusals_total{code="overloaded"} 3.0' in told
    assert [answer.status_code for answer in finish()] == [200, 200]
    assert client.post(URL, json={"text": "she"}).status_code == 200
    assert "unrolled_queue 0.0" in client.get("/metrics").get_data(as_text=True)


def test_while_somebody_is_refused_only_one_may_wait():
    now = 0.0
    queue = Queue(3, Metrics(), lambda: now)

    def room() -> int:
        """How many get in at once."""
        with ExitStack() as held:
            for count in range(10):
                try:
                    held.enter_context(queue.place())
                except ApiError:
                    return count
        return 10

    assert room() == 4
    for now in (1.0, 5.5, 10.0):  # noqa: B007
        assert room() == 2
    now = 15.5
    assert room() == 4


def test_a_place_is_free_again_after_a_refusal_of_the_model(settings, inference):
    client = create_app(replace(settings, queue=0), inference).test_client()
    for _ in range(3):
        assert client.post(URL, json={"text": "we", "watch": "can't"}).status_code == 422
        assert client.post(URL, json={"text": "we"}).status_code == 200


def test_a_client_that_asks_too_much_waits_and_others_do_not(settings, inference, conforms):
    client = create_app(replace(settings, rate=2), inference).test_client()
    answers = [client.post(URL, json={"text": "we"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    error = conforms(answers[-1], URL, "post")["error"]
    assert (error["code"], error["field"]) == ("too_many_requests", None)
    assert "2 questions in a minute" in error["message"]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 30
    other = {"REMOTE_ADDR": "127.0.0.2"}
    assert client.post(URL, json={"text": "we"}, environ_overrides=other).status_code == 200
    assert client.get("/api/v1/models").status_code == 200


def test_the_limit_comes_back_with_time():
    now, waits = 0.0, set()
    rate = Rate(3, lambda: now)

    def allowed(address: str | None) -> bool:
        try:
            rate.count(address)
        except ApiError as refused:
            waits.add(refused.retry_after)
            return False
        return True

    assert [allowed("192.0.2.1") for _ in range(4)] == [True, True, True, False]
    assert allowed("192.0.2.2")
    # One person's network has as many IPv6 addresses as they like.
    told = [allowed(f"2001:db8::{host}") for host in (1, 2, 3, 4)]
    assert told == [True, True, True, False]
    assert allowed("2001:db8:0:1::1")
    assert [allowed(None) for _ in range(4)] == [True, True, True, False]
    now = 20.0
    assert [allowed("192.0.2.1") for _ in range(2)] == [True, False]
    now = 200.0
    assert [allowed("192.0.2.1") for _ in range(4)] == [True, True, True, False]
    assert waits == {20}  # seconds: a third of a minute
    assert all(Rate(0).count("192.0.2.1") is None for _ in range(1000))


def test_clients_are_not_remembered_without_end(monkeypatch):
    monkeypatch.setattr(Rate, "_CLIENTS", 2)
    rate = Rate(1, lambda: 0.0)
    for host in (1, 2, 3):
        rate.count(f"192.0.2.{host}")
    rate.count("192.0.2.1")  # forgotten
    with pytest.raises(ApiError):
        rate.count("192.0.2.3")


def test_readiness_is_found_once_for_all_who_ask_within_a_second(monkeypatch):
    now, runs = 0.0, []
    monkeypatch.setattr("server.readiness.time.monotonic", lambda: now)
    ready = Readiness(lambda: runs.append(now))
    for now in (0.0, 0.5, 0.9, 1.5, 2.0):  # noqa: B007
        ready.check()
    assert runs == [0.0, 1.5]

    def fail() -> None:
        runs.append(now)
        raise RuntimeError

    unready = Readiness(fail)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            unready.check()
    assert len(runs) == 4
