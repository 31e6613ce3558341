"""The server as it runs: whole answers and their parts, many at once, its start and memory."""

from __future__ import annotations

import gzip
import http.client
import json
import threading
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.inputs import Inputs
from benchmarks.timing import Spread
from models.artifact import Model
from models.decode import Workspace
from models.reading import read
from models.team import Team
from models.trace import Tracer
from server.answers import dumps
from server.schema import TraceRequest, parse
from server.serialise import trace_answer
from tests.running import Server, serving

STEPS = 20


class Client:
    """One connection that is kept open."""

    def __init__(self, server: Server) -> None:
        parts = urlsplit(server.url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)

    def ask(self, tag: str | None = None, **fields: object) -> tuple[float, bytes, str | None]:
        """Milliseconds, the bytes as they came (compressed) and their tag. Raises on a refusal."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
        if tag is not None:
            headers["If-None-Match"] = tag
        body = json.dumps(fields)
        began = time.perf_counter()
        self._connection.request("POST", "/api/v1/trace", body, headers)
        response = self._connection.getresponse()
        answer = response.read()
        ms = (time.perf_counter() - began) * 1000
        if response.status not in (200, 304):
            raise RuntimeError(answer.decode())
        return ms, answer, response.headers["ETag"]


def answers(folder: Path, inputs: Inputs, rounds: int) -> dict[str, Spread | int]:
    """Whole answers over HTTP of a text of 20 timesteps: a new one, one word more, the same again,
    and the same from who has its tag; and the size of the first, compressed, at its largest."""
    times: dict[str, list[float]] = {}
    largest = 0
    with serving(folder, log="off") as server:
        client = Client(server)
        for counted in [False] + [True] * rounds:
            text, shorter = inputs.grown(STEPS)
            client.ask(text=shorter)
            whole, _, _ = client.ask(text=inputs.text(STEPS))
            word, _, _ = client.ask(None, text=text, **{"from": STEPS - 1})
            _, packed, tag = client.ask(text=text)
            again, _, _ = client.ask(text=text)
            known, _, _ = client.ask(tag, text=text)
            largest = max(largest, len(packed))
            named = {"new text": whole, "one word more": word, "asked again": again}
            for name, ms in (named | {"asked with its tag": known}).items():
                if counted:
                    times.setdefault(name, []).append(ms)
    spreads: dict[str, Spread | int] = {name: Spread.of(t) for name, t in times.items()}
    return spreads | {"bytes": largest}


def parts(model: Model, inputs: Inputs, threads: int, rounds: int) -> dict[str, Spread]:
    """What an answer of 20 timesteps is made of, in this process."""
    tracer = Tracer(model, Workspace(Team(threads)))
    times: dict[str, list[float]] = {}
    for counted in [False] + [True] * rounds:
        text = inputs.text(STEPS)
        body = json.dumps({"text": text}).encode()
        marks = [time.perf_counter()]
        parse(TraceRequest, body)
        marks.append(time.perf_counter())
        ids = [s.ids for s in read(model.vocabulary, text)]
        marks.append(time.perf_counter())
        for sentence in ids:
            tracer.states(sentence)
        marks.append(time.perf_counter())
        traced = tracer.trace(text)  # reads once more, and finds the states
        marks.append(time.perf_counter())
        answer = dumps(trace_answer(traced))
        marks.append(time.perf_counter())
        gzip.compress(answer, 1)
        marks.append(time.perf_counter())
        names = ("request parsed", "text read", "states", "decoded", "JSON", "gzip")
        for name, began, ended in zip(names, marks, marks[1:], strict=False):
            if counted:
                times.setdefault(name, []).append((ended - began) * 1000)
    return {name: Spread.of(t) for name, t in times.items()}


def per_second(folder: Path, inputs: Inputs, workers: int, requests: int) -> float:
    """New texts of 20 timesteps a second, asked for over twice as many connections as workers."""
    texts = iter([inputs.text(STEPS) for _ in range(requests)])
    with serving(folder, log="off", workers=workers) as server:
        _warm(server, inputs, workers)

        def ask() -> None:
            client = Client(server)
            for text in texts:
                client.ask(text=text)

        clients = [threading.Thread(target=ask) for _ in range(2 * workers)]
        began = time.perf_counter()
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        return requests / (time.perf_counter() - began)


def ready(folder: Path, rounds: int) -> Spread:
    """Milliseconds from the command until a real forward pass has worked."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        with serving(folder, log="off") as server:
            urllib.request.urlopen(f"{server.url}/readyz", timeout=60).close()
            times.append((time.perf_counter() - began) * 1000)
    return Spread.of(times)


def memory(folder: Path, inputs: Inputs, workers: int = 3) -> tuple[float, float]:
    """Megabytes that one worker and its master hold, and what each worker more adds: pages that
    are shared count once (Linux's proportional set size)."""
    totals = []
    for count in (1, workers):
        with serving(folder, log="off", workers=count) as server:
            _warm(server, inputs, count)
            totals.append(held(server))
    return totals[0], (totals[1] - totals[0]) / (workers - 1)


def held(server: Server) -> float:
    """Megabytes that a server holds, its workers together: pages that are shared count once."""
    return sum(map(_proportional, [server.process.pid, *server.workers()]))


def _warm(server: Server, inputs: Inputs, workers: int) -> None:
    """Enough requests, each over a connection of its own, that every worker has answered some."""
    for _ in range(6 * workers):
        Client(server).ask(text=inputs.text(STEPS))


def _proportional(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"the kernel tells nothing of the memory of process {pid}")
