"""Two servers behind nginx on loopback, as deploy/ has it configured: `make replicas`.

Not part of `make test`, since it needs nginx.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.answers import HEADERS, HSTS
from tests.dockerfile import ROOT
from tests.fixtures.tiny import make_tiny_model
from tests.running import free_port, serving

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPERATIONS = ROOT / "docs" / "operations.md"


def snippet(first: str) -> str:
    """The block of nginx's language in docs/operations.md that begins so."""
    blocks = re.findall(r"```nginx\n(.*?)```", OPERATIONS.read_text(encoding="utf-8"), re.S)
    [found] = [block for block in blocks if block.startswith(first)]
    return found


def configuration(folder: Path, port: int, tls: int, old: int, replicas: list[str]) -> str:
    """deploy/nginx/unrolled.conf as it is, but for the addresses, with TLS and a sub-path as the
    docs add them, and what an nginx of its own needs around it."""
    conf = (ROOT / "deploy" / "nginx" / "unrolled.conf").read_text()
    for name, url in zip(("app-1:8000", "app-2:8000"), replicas, strict=True):
        assert name in conf
        conf = conf.replace(name, urlsplit(url).netloc)
    assert "listen 80;" in conf
    secure = snippet("listen 443 ssl").replace("443", f"127.0.0.1:{tls}")
    secure = secure.replace("/etc/unrolled/", f"{folder}/")
    conf = conf.replace("listen 80;", f"listen 127.0.0.1:{port};\n{secure}{snippet('location')}")
    conf += snippet("server {").replace("listen 80;", f"listen 127.0.0.1:{old};")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{conf}}}\n"
    )


@pytest.fixture(scope="module")
def nginx(tmp_path_factory):
    assert NGINX, "this test needs nginx (Debian: apt-get install nginx-light)"
    folder = tmp_path_factory.mktemp("nginx")
    zoo = make_tiny_model(tmp_path_factory.mktemp("zoo")).parent
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=localhost", "-keyout", folder / "key.pem"),
            *("-out", folder / "cert.pem"),
        ],
        check=True,
        capture_output=True,
    )
    told = {"threads": 1, "proxies": 1, "log": "json", "queue": 50}
    with serving(zoo, **told) as first, serving(zoo, **told) as second:
        port, tls, old = free_port(), free_port(), free_port()
        conf = folder / "nginx.conf"
        conf.write_text(configuration(folder, port, tls, old, [first.url, second.url]))
        process = subprocess.Popen([NGINX, "-c", conf, "-p", folder, "-e", folder / "error.log"])
        try:
            for _ in range(100):
                try:
                    ask(port, "/healthz")
                    break
                except OSError:
                    time.sleep(0.1)
            yield port, tls, old, [first, second]
        finally:
            process.terminate()
            process.wait(30)


def ask(port, path, body=None, tls=False, headers=None):
    kind = {"Content-Type": "application/json"} if body else {}
    if tls:
        trusting = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("localhost", port, timeout=30, context=trusting)
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST" if body else "GET", path, body, kind | (headers or {}))
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_page_and_answers_come_through(nginx):
    port, _, _, replicas = nginx
    for path in ("/", "/api/v1/models", "/healthz"):
        response, _ = ask(port, path)
        assert response.status == 200, path
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Strict-Transport-Security"] is None
    for n in range(20):
        assert ask(port, "/api/v1/trace", f'{{"text": "we {n}"}}')[0].status == 200
        time.sleep(0.1)
    for replica in replicas:
        assert '"route":"/api/v1/trace"' in replica.log.read_text()
    for path in ("/metrics", "/readyz"):
        assert ask(port, path)[0].status == 404
    response, body = ask(port, "/api/v1/trace", f'{{"text": "{"x" * 20000}"}}')
    assert (response.status, json.loads(body)["error"]["code"]) == (413, "body_too_large")


def test_under_tls_and_a_sub_path(nginx):
    _, tls, old, _ = nginx
    response, _ = ask(old, "/tools/unrolled/?x")
    assert response.status == 301
    assert response.headers["Location"] == "https://127.0.0.1/tools/unrolled/?x"
    response, _ = ask(tls, "/", tls=True)
    assert response.headers["Strict-Transport-Security"] == "max-age=31536000"
    response, body = ask(tls, "/tools/unrolled/", tls=True)
    assert response.status == 200
    [script] = re.findall(rb'src="\./(assets/[^"]+)"', body)
    assert ask(tls, f"/tools/unrolled/{script.decode()}", tls=True)[0].status == 200
    assert ask(tls, "/tools/unrolled", tls=True)[0].headers["Location"].endswith("/tools/unrolled/")
    asked, _ = ask(tls, "/tools/unrolled/api/v1/trace", '{"text": "we"}', tls=True)
    assert asked.status == 200
    for path in ("metrics", "readyz"):
        assert ask(tls, f"/tools/unrolled/{path}", tls=True)[0].status == 404
    trusting = ssl._create_unverified_context()
    connection = http.client.HTTPSConnection("localhost", tls, timeout=30, context=trusting)
    statuses = set()
    for _ in range(200):  # over one connection: faster than the limit
        connection.request("GET", "/tools/unrolled/api/v1/models")
        response = connection.getresponse()
        response.read()
        statuses.add(response.status)
    connection.close()
    assert statuses == {200, 429}
    time.sleep(1)
    _, body = ask(tls, "/tools/unrolled/nowhere", tls=True, headers={"Accept": "text/html"})
    assert b'href="/tools/unrolled/"' in body


def test_what_a_client_says_of_itself_does_not_get_through(nginx):
    port, _, _, _ = nginx
    lies = {"X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/x", "Accept": "text/html"}
    response, body = ask(port, "/nowhere", headers=lies | {"X-Forwarded-Host": "localhost"})
    assert response.headers["Strict-Transport-Security"] is None
    assert b'href="/"' in body
    assert ask(port, "/", headers={"Host": "evil.example"})[0].status == 400
    assert len(ask(port, "/healthz")[0].headers["X-Request-Id"]) == 32


def test_a_flood_is_told_to_wait_in_the_one_error_shape(nginx):
    port, tls, _, _ = nginx
    answers = [ask(port, "/api/v1/models") for _ in range(150)]
    refused = [(r, json.loads(body)) for r, body in answers if r.status == 429]
    assert refused
    response, body = refused[0]
    assert body["error"]["code"] == "too_many_requests"
    assert response.headers["Retry-After"] == "1"
    assert response.headers["Strict-Transport-Security"] is None
    secure = [ask(tls, "/api/v1/models", tls=True)[0] for _ in range(60)]
    for own in (response, next(r for r in secure if r.status == 429)):
        assert HEADERS.items() <= dict(own.headers).items()
        assert own.headers["Cache-Control"] == "no-store"
        assert len(own.headers["X-Request-Id"]) == 32
    assert own.headers["Strict-Transport-Security"] == HSTS
    time.sleep(1)


def test_one_that_is_killed_is_not_missed(nginx):
    """No request fails: nginx asks the other, or the client asks once more."""
    port, _, _, replicas = nginx
    outcomes: list[str] = []
    going = threading.Event()
    going.set()

    def client(number: int) -> None:
        count = 0
        while going.is_set():
            count += 1
            body = json.dumps({"text": f"we {number} {count}"})
            outcome = "lost"
            for attempt in ("at once", "at the second try"):
                with suppress(OSError, http.client.HTTPException):
                    if ask(port, "/api/v1/trace", body)[0].status == 200:
                        outcome = attempt
                        break
            outcomes.append(outcome)
            time.sleep(0.4)

    clients = [threading.Thread(target=client, args=(n,)) for n in range(3)]
    for one in clients:
        one.start()
    time.sleep(1.5)
    for pid in (replicas[0].process.pid, *replicas[0].workers()):
        os.kill(pid, signal.SIGKILL)
    before = len(outcomes)
    time.sleep(4)
    going.clear()
    for one in clients:
        one.join()
    assert len(outcomes) - before >= 10
    assert "lost" not in outcomes
    print(f"{len(outcomes)} questions: { {one: outcomes.count(one) for one in set(outcomes)} }")
