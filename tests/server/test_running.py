"""The real server: gunicorn, gevent, several workers, signals, stalled clients, a bad start."""

from __future__ import annotations

import http.client
import json
import logging
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from server import loading
from tests.fixtures.tiny import make_tiny_model
from tests.running import free_port
from tests.server.conftest import logged


def connect(server):
    parts = urlsplit(server.url)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)


def get(server, path):
    with urllib.request.urlopen(server.url + path, timeout=30) as response:
        return response.read()


def post(server, body, headers=None):
    connection = connect(server)
    kind = {"Content-Type": "application/json"}
    connection.request("POST", "/api/v1/trace", body, kind | (headers or {}))
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def test_it_traces(server):
    status, answer = post(server, b'{"text": "we stand."}')
    assert status == 200
    assert [token["word"] for token in answer["tokens"]] == ["<bos>", "we", "stand", "."]
    assert json.loads(get(server, "/readyz")) == {"status": "ok"}


def test_a_chunked_body_over_the_limit_is_refused(server):
    status, answer = post(server, iter([b'{"text": "', b"a" * 20_000, b'"}']))
    assert (status, answer["error"]["code"]) == (413, "body_too_large")
    status, answer = post(server, iter([b'{"text": ', b'"we"}']))
    assert (status, len(answer["tokens"])) == (200, 2)


def test_an_announced_body_of_10_gb_is_refused_at_once(server):
    began = time.monotonic()
    status, answer = post(server, b"{", {"Content-Length": "10000000000"})
    assert (status, answer["error"]["code"]) == (413, "body_too_large")
    assert time.monotonic() - began < 10


def test_metrics_add_up_over_the_workers(server):
    for _ in range(12):
        get(server, "/healthz")

    def counted() -> float:
        lines = get(server, "/metrics").decode().splitlines()
        return sum(
            float(x.split()[-1]) for x in lines if "_requests_total{" in x and "/healthz" in x
        )

    first, second = counted(), counted()
    assert first == second >= 12


def test_stalled_clients_do_not_stall_others(server):
    parts = urlsplit(server.url)
    halves = (
        b"",
        b"POST /api/v1/trace HTT",
        b"POST /api/v1/trace HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
    )
    stalled = []
    for half in halves:
        for _ in range(12):
            client = socket.create_connection((parts.hostname, parts.port))
            client.sendall(half)
            stalled.append(client)
    try:
        took = []
        for _ in range(5):
            began = time.monotonic()
            assert json.loads(get(server, "/healthz")) == {"status": "ok"}
            took.append(time.monotonic() - began)
        # A busy machine may delay some, the stalled clients would all; `make faults` is for a quiet
        # one.
        worst = max if "BACK_WITHIN" in os.environ else min
        assert worst(took) < 0.1
    finally:
        for client in stalled:
            client.close()


def test_an_unfit_model_is_told_in_one_sentence_and_status_1(tmp_path, monkeypatch, capfd):
    """What gunicorn calls before it starts a worker; `make faults` runs it whole."""
    folder = make_tiny_model(tmp_path)
    weights = folder / "network.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    monkeypatch.setenv("UNROLLED_MODEL_DIR", str(tmp_path))
    monkeypatch.setenv("UNROLLED_PORT", str(free_port()))
    on_starting = runpy.run_module("server.gunicorn_conf")["on_starting"]
    with pytest.raises(SystemExit) as ended:
        on_starting(SimpleNamespace(log=SimpleNamespace(error_log=logging.getLogger("none"))))
    assert ended.value.code == 1
    told = capfd.readouterr()
    [line] = told.err.splitlines()
    assert line.startswith(f"unrolled: {weights}: ")
    assert told.out == ""


@pytest.mark.parametrize("fault", ["id", "default", "config"])
def test_models_that_cannot_be_served_together_are_not_taken_up(
    tmp_path, monkeypatch, capfd, fault
):
    """At SIGHUP, in the master: a worker that cannot load them would end the whole server."""
    folder = make_tiny_model(tmp_path)
    monkeypatch.setenv("UNROLLED_MODEL_DIR", str(tmp_path))
    monkeypatch.setenv("UNROLLED_DEFAULT_MODEL", "tiny-lstm")
    monkeypatch.setattr(loading, "_kept", {})
    on_reload = runpy.run_module("server.gunicorn_conf")["on_reload"]
    on_reload(None)
    before = loading.by_id(tmp_path, "tiny-lstm")
    assert list(before[0]) == ["tiny-lstm"]
    if fault == "id":
        shutil.copytree(folder, tmp_path / "copy")
        says = f"{tmp_path}: two models have the id tiny-lstm."
    elif fault == "default":
        config = folder / "config.json"
        config.write_text(config.read_text().replace('"tiny-lstm"', '"other"'))
        says = f"There is no model tiny-lstm in {tmp_path}."
    else:
        monkeypatch.setattr(loading, "load_model", lambda *_, **__: 1 / 0)
        says = "the models cannot be loaded again (ZeroDivisionError: division by zero)."
    on_reload(None)
    assert capfd.readouterr().err == f"unrolled: {says}\n"
    assert loading.by_id(tmp_path, "tiny-lstm") == before


def test_a_body_that_trickles_in_is_given_up(server):
    """Each byte in time, all of them never: the fixture's server waits a second."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(
            b"POST /api/v1/trace HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n"
        )
        client.settimeout(0.3)
        answer = b""
        for _ in range(60):
            with suppress(OSError):
                client.sendall(b" ")
            try:
                got = client.recv(65536)
            except TimeoutError:
                continue
            answer += got
            if not got:
                break
        else:
            pytest.fail("it still listens")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"request_timeout"' in answer


def test_who_still_sends_when_the_last_answer_is_there_gets_it_and_no_reset(server):
    """Closed with half of the body unread, the connection would be reset."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(
            b"POST /api/v1/trace HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"Content-Type: text/plain\r\nContent-Length: 100000\r\n\r\n" + 50_000 * b" "
        )
        time.sleep(0.3)
        client.sendall(10_000 * b" ")
        answer = b""
        while got := client.recv(65536):
            answer += got
    assert answer.startswith(b"HTTP/1.1 415 ")


def test_a_host_that_is_no_name_is_told_in_one_sentence(monkeypatch, capfd):
    monkeypatch.setenv("UNROLLED_HOST", "a..b")
    monkeypatch.setenv("UNROLLED_PORT", "8123")
    on_starting = runpy.run_module("server.gunicorn_conf")["on_starting"]
    with pytest.raises(SystemExit):
        on_starting(SimpleNamespace(log=SimpleNamespace(error_log=logging.getLogger("none"))))
    said = "unrolled: cannot listen on a..b:8123: this is no name of a host.\n"
    assert capfd.readouterr().err == said


def test_a_port_in_use_is_told_at_once():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "server", "serve", "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert ended.returncode == 1
    assert ended.stderr == (
        f"unrolled: cannot listen on 127.0.0.1:{port}: the port is in use; choose another with "
        "--port.\n"
    )


# The last, since it stops the server that the others share.
def test_ctrl_c_ends_it_quietly_with_a_page_open_and_no_text_was_logged(server):
    """The terminal sends SIGINT to all processes of the group; a browser keeps connections open."""
    assert post(server, b'{"text": "solidarity zebra"}')[0] == 200
    open_page = [connect(server) for _ in range(6)]
    for connection in open_page:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    began = time.monotonic()
    # The master first: one that sees its workers end before would start others.
    for pid in (server.process.pid, *server.workers()):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)
    assert server.process.wait(30) == 0
    assert time.monotonic() - began < 5  # half a second where the machine has no other work
    lines = logged(server)
    assert {line["event"] for line in lines} == {"request"}
    assert "/api/v1/trace" in {line["route"] for line in lines}
    assert not any(word in server.log.read_text() for word in ("zebra", "solidarity"))
