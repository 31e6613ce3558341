"""Host names, reverse proxies and TLS: what is believed, and only when told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server import create_app
from server.hosts import matches
from server.settings import Settings

FORWARDED = {
    "X-Forwarded-For": "192.0.2.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "lab.example.org",
    "X-Forwarded-Prefix": "/tools/unrolled",
    "X-Request-Id": "from-the-proxy-1",
    "Accept": "text/html",
}


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.1:9", "[::1]:8000", "localhost."]
)
def test_loopback_is_answered_by_default(client, host):
    assert client.get("/api/v1/models", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"),
        *("notlocalhost", "192.0.2.1", "[::2]", "[::1", "local host", "a/b", "x@localhost", "%00"),
        *("<b>", "localhost,evil.example", ":8000", "[]"),
    ],
)
def test_another_host_is_refused_whatever_is_asked(client, conforms, host):
    for method, path in (("GET", "/"), ("GET", "/api/v1/models"), ("POST", "/api/v1/trace")):
        refused = client.open(path, method=method, headers={"Host": host})
        assert refused.status_code == 400
        assert refused.json["error"]["code"] == "unknown_host"
        assert host not in refused.get_data(as_text=True)
        assert refused.headers["Content-Security-Policy"]
    conforms(client.get("/api/v1/models", headers={"Host": host}), "/api/v1/models")


def test_probes_are_answered_by_address(client):
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path, headers={"Host": "10.1.2.3:8000"}).status_code == 200


def test_hosts_are_a_setting(settings, inference):
    assert Settings(hosts=" A.org, ,.b.org", host="192.0.2.1").host_names == (
        *("a.org", ".b.org", "192.0.2.1"),
    )
    assert matches("x.b.org:1", [".b.org"])
    assert not matches("b.org.x", [".b.org"])
    assert not matches("xb.org", [".b.org"])
    open_to_all = create_app(replace(settings, hosts="*"), inference).test_client()
    assert open_to_all.get("/", headers={"Host": "evil.example"}).status_code == 200


def test_what_a_proxy_says_is_not_believed_unless_told(client):
    answer = client.get("/nowhere", headers=FORWARDED)
    assert answer.status_code == 404
    assert 'href="/"' in answer.get_data(as_text=True)
    assert "Strict-Transport-Security" not in answer.headers
    assert answer.headers["X-Request-Id"] != FORWARDED["X-Request-Id"]


@pytest.fixture
def proxied(settings, inference):
    told = replace(settings, proxies=1, hosts="lab.example.org", rate=1)
    return create_app(told, inference).test_client()


def test_what_a_proxy_says_is_believed_when_told(proxied):
    answer = proxied.get("/nowhere", headers=FORWARDED)
    assert answer.status_code == 404
    assert 'href="/tools/unrolled/"' in answer.get_data(as_text=True)
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert answer.headers["X-Request-Id"] == FORWARDED["X-Request-Id"]
    wrong = proxied.get("/", headers=FORWARDED | {"X-Forwarded-Host": "evil.example"})
    assert wrong.status_code == 400
    plain = proxied.get("/", headers=FORWARDED | {"X-Forwarded-Proto": "http"})
    assert "Strict-Transport-Security" not in plain.headers


def test_a_client_behind_the_proxy_is_the_one_that_it_names(proxied):
    def ask(client: str) -> int:
        # What the client itself wrote into the header stands before what the proxy added.
        headers = FORWARDED | {"X-Forwarded-For": f"198.51.100.9, {client}"}
        return proxied.post("/api/v1/trace", json={"text": "we"}, headers=headers).status_code

    assert [ask("192.0.2.1"), ask("192.0.2.1"), ask("192.0.2.2")] == [200, 429, 200]


@pytest.mark.parametrize("id", ["", "short", "x" * 65, "with space 12", 'quo"te-12', "é" * 9])
def test_an_unfit_request_id_is_replaced(proxied, id):
    answer = proxied.get(
        "/healthz", headers=FORWARDED | {"X-Request-Id": id.encode().decode("latin1")}
    )
    assert len(answer.headers["X-Request-Id"]) == 12
