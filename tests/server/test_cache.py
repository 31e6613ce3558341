"""The same question again: kept answers, their tags, and what /metrics tells of them."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file as load_heads_file
from safetensors.torch import save_file

from server import create_app
from server import inference as inference_module
from server.cache import AnswerCache, digest
from tests.fixtures.tiny import make_tiny_model
from tests.server.conftest import SENTENCE


@pytest.fixture
def client(new_client):
    return new_client


def ask(client, headers=None, **fields):
    return client.post("/api/v1/trace", json={"text": SENTENCE} | fields, headers=headers or {})


def traces(client, source: str) -> int:
    text = client.get("/metrics").get_data(as_text=True)
    (count,) = re.findall(rf'unrolled_traces_total{{source="{source}"}} (\S+)', text)
    return int(float(count))


@pytest.fixture
def computed(inference, monkeypatch):
    """The texts that were really traced."""
    texts = []
    trace = inference_module.Inference.trace

    def spy(self, id, text, *options):
        texts.append(text)
        return trace(self, id, text, *options)

    monkeypatch.setattr(inference_module.Inference, "trace", spy)
    return texts


def test_the_same_question_is_computed_once(client, computed):
    first, again = ask(client), ask(client)
    assert first.data == again.data
    assert len(computed) == 1
    assert (traces(client, "computed"), traces(client, "cache")) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"text": "we stand"},
        {"bars": 3},
        {"top": 0.2},
        {"from": 2},
        {"semantic": "this"},
        {"watch": "she"},
        {"classes": [{"name": "mine", "words": ["she"]}]},
    ],
    ids=lambda other: next(iter(other)),
)
def test_another_question_is_another_answer(client, computed, other):
    first, second = ask(client), ask(client, **other)
    assert len(computed) == 2
    assert first.headers["ETag"] != second.headers["ETag"]
    assert json.loads(first.data) != json.loads(second.data)


def test_defaults_that_are_spelt_out_are_the_same_question(client, computed):
    plain = ask(client)
    spelt = ask(client, bars=10, top=0.1, semantic="next", model="tiny-lstm", **{"from": 0})
    assert plain.headers["ETag"] == spelt.headers["ETag"]
    assert len(computed) == 1


def test_who_has_the_answer_is_told_so_and_nothing_is_computed(client, computed):
    tag = ask(client).headers["ETag"]
    assert tag.startswith('W/"')
    answer = ask(client, {"If-None-Match": f'"other", {tag}'})
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == tag
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert len(computed) == 1
    assert traces(client, "client") == 1


def test_other_heads_of_the_same_network_are_another_answer(settings, tmp_path):
    """And other figures or texts: whatever an answer depends on is in its tag."""
    folder = make_tiny_model(tmp_path)
    settings = replace(settings, model_dir=tmp_path)
    first, again = (ask(create_app(settings).test_client()) for _ in range(2))
    heads = folder / "heads-next.safetensors"
    kept = load_heads_file(heads)
    with safe_open(heads, "pt") as file:
        about = file.metadata()
    save_file({name: tensor * 2 for name, tensor in kept.items()}, heads, about)
    other = ask(create_app(settings).test_client())
    assert first.headers["ETag"] == again.headers["ETag"] != other.headers["ETag"]
    # By this a page knows that it cannot join the rows of the one with the other's.
    assert first.json["fingerprint"] == again.json["fingerprint"] != other.json["fingerprint"]


def test_another_tag_gets_the_answer(client):
    assert ask(client, {"If-None-Match": '"other"'}).status_code == 200


def test_whatever_tag_is_no_answer_that_one_has(client):
    assert ask(client, {"If-None-Match": "*"}).status_code == 200


def test_a_tag_is_the_same_compressed_or_not(client):
    plain = ask(client)
    packed = ask(client, {"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert gzip.decompress(packed.data) == plain.data
    assert packed.vary.as_set() == plain.vary.as_set() == {"accept-encoding"}


def test_an_answer_is_compressed_once(client, monkeypatch):
    packed = ask(client, {"Accept-Encoding": "gzip"})
    monkeypatch.delattr(gzip, "compress")
    again = ask(client, {"Accept-Encoding": "gzip"})
    assert again.data == packed.data


def test_a_refusal_has_no_tag_and_is_not_kept(client):
    for _ in range(2):
        refused = ask(client, watch="can't")
        assert refused.status_code == 422
        assert "ETag" not in refused.headers


def test_every_source_is_counted_from_the_start(client):
    assert [traces(client, source) for source in ("computed", "cache", "client")] == [0, 0, 0]


def test_what_was_not_asked_for_longest_goes_first():
    cache = AnswerCache(10)
    cache.put("a", b"xxxx")
    cache.put("b", b"xxxx")
    cache.get("a")
    cache.put("c", b"xxxx")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (b"xxxx", None, b"xxxx")
    cache.put("d", b"x" * 11)  # larger than all together may be
    assert cache.get("d") is None
    assert cache.get("c") == b"xxxx"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 12)), max_size=60))
def test_what_is_kept_is_bounded_and_right(puts):
    cache, latest = AnswerCache(20), {}
    for key, size in puts:
        latest[key] = bytes([key]) * size
        cache.put(str(key), latest[key])
        kept = {k: cache.get(str(k)) for k in latest}
        assert sum(len(answer) for answer in kept.values() if answer) <= 20
        assert all(answer in (None, latest[k]) for k, answer in kept.items())
        assert kept[key] == latest[key]


def test_a_digest_does_not_confuse_where_its_parts_end():
    assert digest("ab", "c") != digest("a", "bc")
    assert len(digest("x")) == 32
