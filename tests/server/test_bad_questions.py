"""What is wrong in a watched word, own classes, a cell or a comparison: one sentence, its field."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.server.conftest import examples

CELL = {"text": "we stand", "timestep": 1, "kind": "cell_state", "layer": 1}
UNIT = {"text": "we stand", "kind": "cell_state", "layer": 1}
OWN = {"name": "own", "words": ["we"]}
INVALID, RANGE = "invalid_field", "out_of_range"

# path, body, code, field, a part of the sentence
CASES = [
    ("trace", {"text": "we", "watch": "we stand"}, INVALID, "watch", "one word"),
    ("trace", {"text": "we", "watch": "can't"}, INVALID, "watch", "one word"),
    ("trace", {"text": "we", "watch": ""}, INVALID, "watch", "one word of at most 100"),
    ("trace", {"text": "we", "watch": " \n"}, INVALID, "watch", "one word"),
    ("trace", {"text": "we", "watch": "x" * 101}, INVALID, "watch", "at most 100 characters"),
    ("trace", {"text": "we", "watch": 1}, INVALID, "watch", "one word"),
    ("trace", {"text": "we", "watch": ["we"]}, INVALID, "watch", "one word"),
    ("trace", {"text": "we", "classes": None}, INVALID, "classes", "at most 8 classes"),
    ("trace", {"text": "we", "classes": {"0": OWN}}, INVALID, "classes", "a list"),
    ("trace", {"text": "we", "classes": [OWN] * 9}, INVALID, "classes", "at most 8 classes"),
    ("trace", {"text": "we", "classes": ["we"]}, INVALID, "classes[0]", "an object"),
    ("trace", {"text": "we", "classes": [OWN, {"name": "x"}]}, "missing_field",
     "classes[1].words", "is missing"),
    ("trace", {"text": "we", "classes": [OWN | {"x": 1}]}, "unknown_field", "classes[0].x",
     "the fields of classes[0] are name, words"),
    ("trace", {"text": "we", "classes": [OWN | {"name": ""}]}, INVALID, "classes[0].name",
     "1 to 40 characters"),
    ("trace", {"text": "we", "classes": [OWN | {"name": "x" * 41}]}, INVALID, "classes[0].name",
     "1 to 40 characters"),
    ("trace", {"text": "we", "classes": [OWN | {"name": 1}]}, INVALID, "classes[0].name",
     "a string"),
    ("trace", {"text": "we", "classes": [OWN | {"words": "we"}]}, INVALID, "classes[0].words",
     "a list of at most 200 words"),
    ("trace", {"text": "we", "classes": [OWN | {"words": ["x"] * 201}]}, INVALID,
     "classes[0].words", "at most 200 words"),
    ("trace", {"text": "we", "classes": [OWN | {"words": ["we", None]}]}, INVALID,
     "classes[0].words[1]", "a string of 1 to 100 characters"),
    ("trace", {"text": "we", "classes": [OWN | {"words": ["x" * 101]}]}, INVALID,
     "classes[0].words[0]", "1 to 100 characters"),
    ("tokens", {}, "missing_field", "text", "text is missing"),
    ("tokens", {"text": ["we"]}, INVALID, "text", "a string"),
    ("tokens", {"text": "we", "watch": ""}, INVALID, "watch", "one word of at most 100"),
    ("tokens", {"text": "we", "watch": "x" * 101}, INVALID, "watch", "at most 100 characters"),
    ("tokens", {"text": "we", "watch": ["we"]}, INVALID, "watch", "one word"),
    ("tokens", {"text": "we", "texts": []}, "unknown_field", "texts", "are text, watch, model"),
    ("tokens", {"text": "we", "from": 0}, "unknown_field", "from", "no field from"),
    ("cell", {"text": "we"}, "missing_field", "timestep", "timestep is missing"),
    ("cell", CELL | {"timestep": -1}, INVALID, "timestep", "0 or more"),
    ("cell", CELL | {"timestep": 3}, RANGE, "timestep", "below 3"),
    ("cell", CELL | {"timestep": 1e300}, RANGE, "timestep", "below 3"),
    ("cell", CELL | {"timestep": True}, INVALID, "timestep", "a whole number"),
    ("cell", CELL | {"timestep": None}, INVALID, "timestep", "a whole number"),
    ("cell", CELL | {"text": "", "timestep": 0}, RANGE, "timestep", "below 0"),
    ("cell", CELL | {"kind": "soul"}, INVALID, "kind", "one of embedding, forget_gate"),
    ("cell", CELL | {"kind": "__proto__"}, INVALID, "kind", "one of embedding, forget_gate"),
    ("cell", CELL | {"kind": 1}, INVALID, "kind", "a kind of the model's columns"),
    ("cell", CELL | {"layer": 3}, RANGE, "layer", "1 or 2 for the kind cell_state"),
    ("cell", CELL | {"layer": -1}, RANGE, "layer", "1 or 2"),
    ("cell", CELL | {"layer": 1e300}, RANGE, "layer", "1 or 2"),
    ("cell", CELL | {"layer": None}, RANGE, "layer", "1 or 2"),
    ("cell", CELL | {"layer": "1"}, INVALID, "layer", "a layer of that kind"),
    ("cell", CELL | {"layer": True}, INVALID, "layer", "a layer of that kind"),
    ("cell", CELL | {"kind": "output"}, RANGE, "layer", "must be null"),
    ("cell", CELL | {"bars": 51}, INVALID, "bars", "1 to 50"),
    ("cell", CELL | {"semantic": "previous"}, "semantic_unavailable", "semantic", "next, this"),
    ("cell", CELL | {"text": "we " * 513}, "too_many_tokens", "text", "the limit is 512"),
    ("cell", CELL | {"watch": "we"}, "unknown_field", "watch", "no field watch"),
    ("unit", {"text": "we"}, "missing_field", "kind", "kind is missing"),
    ("unit", UNIT | {"kind": "soul"}, INVALID, "kind", "one of embedding, forget_gate"),
    ("unit", UNIT | {"kind": "output", "layer": None}, INVALID, "kind", "has no units"),
    ("unit", UNIT | {"layer": 3}, RANGE, "layer", "1 or 2 for the kind cell_state"),
    ("unit", UNIT | {"unit": 8}, RANGE, "unit", "below 8, the number of units"),
    ("unit", UNIT | {"unit": -1}, INVALID, "unit", "0 or more"),
    ("unit", UNIT | {"unit": 1e300}, RANGE, "unit", "below 8"),
    ("unit", UNIT | {"unit": True}, INVALID, "unit", "a whole number"),
    ("unit", UNIT | {"follow": [0, 1]}, RANGE, "follow", "has 2 numbers, but the text has 3"),
    ("unit", UNIT | {"follow": "depth"}, INVALID, "follow", "a list of numbers, or null"),
    ("unit", UNIT | {"follow": [0, "1", 2]}, INVALID, "follow[1]", "a number from -1e12 to 1e12"),
    ("unit", UNIT | {"follow": [0, 1, 1e13]}, INVALID, "follow[2]", "a number from -1e12"),
    ("unit", UNIT | {"follow": [0, 1, True]}, INVALID, "follow[2]", "a number from -1e12"),
    ("unit", UNIT | {"all_kinds": 1}, INVALID, "all_kinds", "true or false"),
    ("unit", UNIT | {"text": "we " * 513}, "too_many_tokens", "text", "the limit is 512"),
    ("unit", UNIT | {"semantic": "next"}, "unknown_field", "semantic", "no field semantic"),
    ("compare", {}, "missing_field", "texts", "texts is missing"),
    ("compare", {"texts": "we"}, INVALID, "texts", "a list of two strings"),
    ("compare", {"texts": []}, INVALID, "texts", "a list of two strings"),
    ("compare", {"texts": ["we"]}, INVALID, "texts", "a list of two strings"),
    ("compare", {"texts": ["we"] * 3}, INVALID, "texts", "a list of two strings"),
    ("compare", {"texts": ["we", 1]}, INVALID, "texts[1]", "texts[1] must be a string"),
    ("compare", {"texts": [None, "we"]}, INVALID, "texts[0]", "texts[0] must be a string"),
    ("compare", {"texts": ["we " * 513, ""]}, "too_many_tokens", "texts[0]", "513 tokens"),
    ("compare", {"texts": ["we " * 256, "we " * 257]}, "too_many_tokens", "texts[1]",
     "513 tokens together, 257 of them in the second; the limit is 512"),
    ("compare", {"texts": ["we", "he"], "semantic": "previous"}, "semantic_unavailable",
     "semantic", "next, this"),
    ("compare", {"texts": ["we", "he"], "text": "we"}, "unknown_field", "text", "no field text"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "code", "field", "part"), CASES)
def test_a_wrong_field_is_named(client, conforms, path, body, code, field, part):
    response = client.post(f"/api/v1/{path}", json=body)
    assert response.status_code == 422
    error = conforms(response, f"/api/v1/{path}", "post")["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert part in error["message"]
    assert error["message"].endswith(".")


@pytest.mark.parametrize("path", ["tokens", "cell", "unit", "compare"])
def test_what_every_question_refuses(client, conforms, path):
    url = f"/api/v1/{path}"
    sent = [
        (b"{", "application/json", 400, "invalid_json"),
        (b'{"text": "\\ud800", "texts": ["\\ud800", ""]}', "application/json", 400, "invalid_json"),
        (b"[" * 8000, "application/json", 400, "invalid_json"),
        (b"[]", "application/json", 422, "invalid_body"),
        (b"{}", "text/plain", 415, "unsupported_media_type"),
        (b" " * 16385, "application/json", 413, "body_too_large"),
    ]
    for body, kind, status, code in sent:
        response = client.post(url, data=body, content_type=kind)
        assert response.status_code == status
        assert conforms(response, url, "post")["error"]["code"] == code
    response = client.post(url, json=GOOD[path] | {"model": "../x"})
    assert response.status_code == 404
    assert conforms(response, url, "post")["error"]["field"] == "model"
    assert client.get(url).status_code == 405


LEAF = st.none() | st.booleans() | st.floats() | st.integers(-2, 60) | st.text(max_size=8)
OBJECT = st.dictionaries(
    st.sampled_from(["name", "words", "x"]), LEAF | st.lists(LEAF, max_size=3), max_size=3
)
JSON = LEAF | OBJECT | st.lists(LEAF | OBJECT | st.lists(LEAF, max_size=2), max_size=3)
FIELDS = {
    "tokens": ["text", "watch"],
    "trace": ["text", "watch", "classes", "bars", "from"],
    "cell": ["text", "timestep", "kind", "layer", "bars", "classes", "semantic"],
    "unit": ["text", "kind", "layer", "unit", "follow", "all_kinds"],
    "compare": ["texts", "bars", "top", "semantic", "text"],
}
GOOD = {
    "tokens": {"text": "we"},
    "trace": {"text": "we"},
    "cell": CELL,
    "unit": UNIT,
    "compare": {"texts": ["we", "he"]},
}
WRONG = [
    st.tuples(st.just(path), st.dictionaries(st.sampled_from(names), JSON, min_size=1, max_size=2))
    for path, names in FIELDS.items()
]
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=examples(100), suppress_health_check=FIXTURES)
@given(asked=st.one_of(WRONG))
def test_every_body_is_answered_below_500(client, conforms, asked):
    path, wrong = asked
    body = json.dumps(GOOD[path] | wrong)
    response = client.post(f"/api/v1/{path}", data=body, content_type="application/json")
    assert response.status_code < 500
    answer = conforms(response, f"/api/v1/{path}", "post")
    if response.status_code == 422:
        # Another text may lack the timestep that was right before.
        asked_of = wrong.keys() | ({"timestep"} if "text" in wrong else set())
        assert answer["error"]["field"].split("[")[0].split(".")[0] in asked_of


WORD = st.text(min_size=1, max_size=100)


@settings(max_examples=examples(40), suppress_health_check=FIXTURES)
@given(
    watch=st.none() | WORD,
    classes=st.lists(
        st.fixed_dictionaries(
            {"name": st.text(min_size=1, max_size=40), "words": st.lists(WORD, max_size=5)}
        ),
        max_size=8,
    ),
)
def test_every_word_may_be_named(client, conforms, watch, classes):
    body = {"text": "we", "watch": watch, "classes": classes}
    response = client.post("/api/v1/trace", json=body)
    answer = conforms(response, "/api/v1/trace", "post")
    told = client.post("/api/v1/tokens", json={"text": "we", "watch": watch})
    before = conforms(told, "/api/v1/tokens", "post")
    if response.status_code == 422:
        assert answer["error"]["field"] == "watch"
        assert before["watch"] is None
    else:
        assert response.status_code in (200, 413)
        assert response.status_code == 413 or before.get("watch") == answer.get("watch")


@settings(max_examples=examples(40), suppress_health_check=FIXTURES)
@given(texts=st.lists(st.text(max_size=40), min_size=2, max_size=2))
def test_every_two_texts_can_be_compared(client, conforms, texts):
    response = client.post("/api/v1/compare", json={"texts": texts})
    assert response.status_code == 200
    answer = conforms(response, "/api/v1/compare", "post")
    for side in (0, 1):
        rows = [step[side] for step in answer["alignment"] if step[side] is not None]
        assert rows == list(range(len(answer["tokens"][side])))
