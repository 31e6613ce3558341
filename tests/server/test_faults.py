"""The image, made by the Dockerfile's steps and run: where nothing can be written, with workers
that are killed and replaced under load, and to its end.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import sysconfig
import threading
import time
import urllib.request
from urllib.parse import urlsplit

import pytest

from tests.container import running
from tests.image import Build
from tests.image_steps import folder
from tests.stand_ins import may_be_read

WORKERS, CLIENTS = 2, 4
# Until it is back. A machine with other work is slow, not wrong; `make faults` allows 2.
SECONDS = float(os.environ.get("BACK_WITHIN", "30"))
NO_FILES = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh"]  # to each file of its own, "disk full"


@pytest.fixture(scope="module")
def server():
    with folder() as empty:
        image = Build(empty).run()
        told = {"WORKERS": WORKERS, "THREADS": 1, "QUEUE": CLIENTS, "RECYCLE": 60}
        image.environ |= {f"UNROLLED_{name}": str(value) for name, value in told.items()}
        image.environ["TMPDIR"] = "/nonexistent"
        # What was compiled, where numba reads it from: a disk that is full from the start has no
        # room for the copy that it would make, and to compile again takes as long as all the rest.
        kept = shutil.copytree(image.environ["NUMBA_CACHE_DIR"], image.root / "tmp" / "compiled")
        for path in (kept, *kept.rglob("*")):
            path.chmod(0o777)
        image.environ["NUMBA_CACHE_DIR"] = str(kept)
        with running(image, NO_FILES) as container:
            assert container.health() != 0
            container.ready()
            yield container


def connect(server):
    parts = urlsplit(server.url)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)


def ask(server, path="/api/v1/trace", text="we"):
    """Over a connection of its own, since one that is kept belongs to one worker."""
    connection = connect(server)
    try:
        if path == "/api/v1/trace":
            kind = {"Content-Type": "application/json"}
            body = f'{{"text": "{text}", "model": "worked-example"}}'
            connection.request("POST", path, body, kind)
        else:
            connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def test_it_is_healthy_as_a_user_of_its_own(server):
    assert server.health() == 0
    # Root's checkout in root's own home is for nobody else.
    assert server.uid != 0 or not may_be_read(sysconfig.get_path("purelib"))


def test_a_full_disk_is_no_reason_not_to_serve(server):
    assert server.log.read_bytes() == b""
    for path in ("/", "/api/v1/models", "/healthz", "/readyz", "/metrics", "/api/v1/trace"):
        assert ask(server, path) == 200


class Load:
    """Clients that ask until told to stop; each asks once more what failed."""

    def __init__(self, server):
        self.server, self.going = server, True
        self.answered, self.failed, self.lost = 0, 0, 0
        self._threads = [threading.Thread(target=self._run, args=(n,)) for n in range(CLIENTS)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.going = False
        for thread in self._threads:
            thread.join()

    def _run(self, client):
        count = 0
        while self.going:
            count += 1
            text = " ".join(["we"] * (count % 20)) + f" {client} {count}"
            try:
                self.answered += ask(self.server, text=text) == 200
            except (OSError, http.client.HTTPException):
                self.failed += 1
                try:
                    self.answered += ask(self.server, text=text) == 200
                except (OSError, http.client.HTTPException):
                    self.lost += 1

    def run_until(self, more):
        """Until so many more are answered."""
        goal, end = self.answered + more, time.monotonic() + 60
        while self.answered < goal and time.monotonic() < end:
            time.sleep(0.01)
        assert self.answered >= goal


def new_worker(server, before):
    """Seconds until there are as many workers again, none of them of those that are gone."""
    began = time.monotonic()
    while len(server.workers() - before) < 1 or len(server.workers()) < WORKERS:
        assert time.monotonic() - began < 60
        time.sleep(0.01)
    return time.monotonic() - began


def test_a_worker_that_is_killed_takes_only_its_own_requests_with_it(server):
    before = server.workers()
    assert len(before) == WORKERS
    with Load(server) as load:
        load.run_until(20)
        os.kill(before.pop(), signal.SIGKILL)
        took = new_worker(server, before)
        load.run_until(20)
    assert load.failed <= CLIENTS
    assert load.lost == 0
    assert took < SECONDS


def test_it_is_back_soon_when_all_workers_are_killed(server):
    before = server.workers()
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    began = time.monotonic()
    with urllib.request.urlopen(f"{server.url}/readyz", timeout=30) as answer:
        assert answer.status == 200
    assert time.monotonic() - began < SECONDS
    assert not server.workers() & before


def test_a_worker_that_has_answered_its_share_is_replaced_and_nobody_notices(server):
    before = server.workers()
    with Load(server) as load:
        end = time.monotonic() + 60
        while server.workers() & before and time.monotonic() < end:
            time.sleep(0.1)
    assert not server.workers() & before
    assert (load.failed, load.lost) == (0, 0)


# The last, since it stops the server.
def test_its_signal_lets_it_finish_what_is_in_flight_and_it_has_written_nothing(server):
    body = b'{"text": "solidarity zebra"}'
    idle, asking = connect(server), connect(server)
    idle.request("GET", "/healthz")  # a browser keeps its connection: it must not be waited for
    idle.getresponse().read()
    asking.putrequest("POST", "/api/v1/trace")
    asking.putheader("Content-Type", "application/json")
    asking.putheader("Content-Length", str(len(body)))
    asking.endheaders(body[:9])
    time.sleep(0.2)
    server.process.send_signal(getattr(signal, server.image.stop_signal))
    time.sleep(0.3)
    asking.send(body[9:])
    answer = asking.getresponse()
    assert answer.status == 200
    assert len(json.loads(answer.read())["tokens"]) == 3
    assert server.process.wait(30) == 0
    assert server.health() != 0
    assert server.written() == set()
