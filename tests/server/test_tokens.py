"""POST /api/v1/tokens: how a text is read, before it is decoded."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.own_text import CHARACTER, OwnText
from models.reading import ReadSentence, read, rows_of, token_count
from models.vocabulary import Vocabulary
from server import create_app
from tests.server.conftest import SENTENCE, examples

URL = "/api/v1/tokens"


@pytest.fixture
def tokens(client, conforms):
    def post(**fields):
        response = client.post(URL, json=fields)
        assert response.status_code == 200, response.json
        return conforms(response, URL, "post")

    return post


def test_a_text_is_read_as_a_trace_reads_it(tokens, trace):
    answer, traced = tokens(text=SENTENCE), trace(text=SENTENCE)
    assert answer["tokens"] == traced["tokens"]
    assert answer["count"] == sum(token["span"] is not None for token in traced["tokens"])
    assert (answer["model"], answer["fingerprint"]) == (traced["model"], traced["fingerprint"])
    assert "watch" not in answer


def test_a_text_over_the_limit_is_counted(tokens, client):
    answer = tokens(text="can't " * 300)
    assert answer["count"] == 600
    assert [token["surface"] for token in answer["tokens"][:3]] == ["", "ca", "n't"]
    assert tokens(text=" \n")["count"] == 0
    refused = client.post("/api/v1/trace", json={"text": "can't " * 300})
    assert "600 tokens" in refused.json["error"]["message"]


@pytest.mark.parametrize(
    ("word", "read_as"),
    [
        ("She", {"word": "she", "known": True}),
        ("zebra", {"word": "<unk>", "known": False}),
        ("<eos>", {"word": "<eos>", "known": True}),
        ("can't", None),
        ("new york", None),
        ("\u00ad", None),
    ],
)
def test_whether_a_word_can_be_watched(tokens, client, word, read_as):
    watch = tokens(text="", watch=word)["watch"]
    assert (watch and {name: watch[name] for name in ("word", "known")}) == read_as
    traced = client.post("/api/v1/trace", json={"text": "we", "watch": word})
    assert traced.status_code == (422 if read_as is None else 200)
    assert traced.json.get("watch") == watch


def test_it_counts_as_a_question_of_the_client_and_traces_nothing(settings, inference, capsys):
    client = create_app(replace(settings, rate=2), inference).test_client()
    for status in (200, 200, 429):
        response = client.post(URL, json={"text": "zebra", "watch": "quagga"})
        assert response.status_code == status
    told = client.get("/metrics").get_data(as_text=True)
    assert 'unrolled_requests_total{method="POST",route="/api/v1/tokens",status="200"} 2.0' in told
    assert "unrolled_tokens_total 0.0" in told
    line = capsys.readouterr().err
    assert '"route":"/api/v1/tokens"' in line
    assert "zebra" not in line
    assert "quagga" not in line


def test_it_has_a_bounded_queue_of_its_own(settings, inference, monkeypatch):
    client = create_app(replace(settings, queue=0), inference).test_client()
    inner: list[int] = []
    reads = inference.read

    def nested(*question):
        if not inner:
            inner.append(0)
            inner[0] = client.post(URL, json={"text": "we"}).status_code
            inner.append(client.post("/api/v1/trace", json={"text": "we"}).status_code)
        return reads(*question)

    monkeypatch.setattr(inference, "read", nested)
    assert client.post(URL, json={"text": "we"}).status_code == 200
    assert inner == [503, 200]


# What the page takes for granted: see `mostTokens` in frontend/src/reading.ts.
SLACK = 8
LETTERS = [*"ab.,'\"`-!?()1 \n\t…—–“’", "n't", "cannot", "etc.", "Mr. ", " A", "🙂", "\u00ad", "½"]
WORDS = ("<unk>", "<num>", "<bos>", "<eos>", "a", "b", ".", " ")
VOCABULARIES = {
    "penn": Vocabulary(WORDS, (0,) * 8),
    "symbols": Vocabulary(WORDS, (0,) * 8, rules="symbols"),
    "words": Vocabulary(WORDS, (0,) * 8, rules="own", own=OwnText()),
    "characters": Vocabulary(WORDS, (0,) * 8, rules="own", own=OwnText(CHARACTER)),
}


def most(then: str, sentences: list[ReadSentence], now: str) -> int:
    """The most tokens that ``now`` can have, from how ``then`` was read."""
    least = min(len(then), len(now))
    same = next((i for i in range(least) if then[i] != now[i]), least)
    rest = least - same
    after = next((i for i in range(rest) if then[-1 - i] != now[-1 - i]), rest)
    spans = [token.span for token in rows_of(sentences) if token.span]
    head = [end for _, end in spans if end < same]
    tail = [start for start, _ in spans if start > len(then) - after]
    begins = tail[0] + len(now) - len(then) if tail else len(now)
    return len(head) + len(tail) + begins - (head[-1] if head else 0) + SLACK


@pytest.mark.parametrize("rules", VOCABULARIES)
@settings(max_examples=examples(60))
@given(
    pieces=st.lists(st.sampled_from(LETTERS), max_size=60),
    put=st.lists(st.sampled_from(LETTERS), max_size=3),
    seed=st.integers(0, 10**6),
)
def test_a_text_has_no_more_tokens_than_the_page_thinks(rules, pieces, put, seed):
    draw = random.Random(seed)
    then = "".join(pieces)
    at = draw.randint(0, len(then))
    now = then[:at] + "".join(put) + then[at + draw.randint(0, 4) :]
    vocabulary = VOCABULARIES[rules]
    count = token_count(read(vocabulary, now))
    assert count <= len(now)
    assert count <= most(then, read(vocabulary, then), now)
