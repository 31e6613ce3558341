"""The API of models that give labels: what is asked by default, what is answered, what refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from server import create_app
from server.settings import Settings
from tests.fixtures.tiny import make_tiny_labelled, make_tiny_model

TEXT = "the keys were lost. she did"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    zoo = tmp_path_factory.mktemp("labels")
    make_tiny_model(zoo)
    for task in ("tagging", "classification"):
        make_tiny_labelled(zoo, task)
    return create_app(Settings(model_dir=zoo, threads=1, log="off")).test_client()


def post(client: FlaskClient, conforms: Any, path: str, status: int = 200, **fields: Any) -> Any:
    response = client.post(path, json=fields)
    assert response.status_code == status, response.json
    return conforms(response, path, "post")


def test_the_models_say_their_task(client: FlaskClient, conforms: Any) -> None:
    listed = conforms(client.get("/api/v1/models"), "/api/v1/models")["models"]
    assert {m["id"]: (m["task"], m.get("accuracy", {}).get("test")) for m in listed} == {
        "tiny-classification": ("classification", 0.8),
        "tiny-lstm": ("language", None),
        "tiny-tagging": ("tagging", 0.8),
    }
    told = conforms(client.get("/api/v1/models/tiny-tagging"), "/api/v1/models/{id}")
    assert told["semantics"] == ["label"]
    assert [c["id"] for c in told["classes"]] == ["NOUN", "VERB", "two words"]
    assert [c["name"] for c in told["classes"]] == ["noun", "verb", "two words"]
    assert told["limits"]["bars"] == 3
    ways = [column["direction"] for column in told["columns"]]
    assert ways == [None, *(["forward"] * 8 + ["backward"] * 8) * 2, None]
    assert told["columns"][-1]["perplexity"] == {"label": 1.45}
    memory = next(c for c in told["columns"] if c["kind"] == "backward_long_term")
    assert memory["operands"][1] == {"kind": "backward_cell_state", "layer": 1, "lag": -1}
    assert all(set(p["colours"]) == {"NOUN", "VERB", "two words"} for p in told["palettes"])


@pytest.mark.parametrize("task", ["tagging", "classification"])
def test_a_trace_is_of_labels_without_being_asked(
    client: FlaskClient, conforms: Any, task: str
) -> None:
    got = post(client, conforms, "/api/v1/trace", text=TEXT, model=f"tiny-{task}", bars=3)
    assert got["semantic"] == "label"
    assert got["words"] == {"0": "NOUN", "1": "VERB", "2": "two words"}
    assert got["word_classes"] == {"0": 0, "1": 1, "2": 2}
    assert (got["top_words"], got["perplexity"]) == (3, None)
    rows = got["rows"]
    assert {*rows["next_ids"], *rows["surprisal"], *rows["label_ids"]} == {None}
    for row in rows["mass"]:
        assert all(sum(cell) == pytest.approx(1, abs=1e-5) for cell in row)
    # From a row on: the same rows.
    later = post(client, conforms, "/api/v1/trace", text=TEXT, model=f"tiny-{task}", bars=3) | {}
    part = post(
        client, conforms, "/api/v1/trace", text=TEXT, model=f"tiny-{task}", bars=3, **{"from": 4}
    )
    # But for one in the last of five digits: a library adds up in another order for fewer cells.
    whole = later["rows"]["top_probs"][4:]
    np.testing.assert_allclose(part["rows"]["top_probs"], whole, rtol=1.01e-4)


def test_a_cell_and_a_comparison_of_labels(client: FlaskClient, conforms: Any) -> None:
    where = {"timestep": 2, "kind": "backward_forget_gate", "layer": 2}
    cell = post(client, conforms, "/api/v1/cell", text=TEXT, model="tiny-tagging", **where)
    assert sorted(cell["bars"]["words"]) == ["NOUN", "VERB", "two words"]
    assert [(o["kind"], o["lag"], o["timestep"]) for o in cell["operands"]] == [
        ("output_state", 0, 2),
        ("backward_output_state", 0, 2),
        ("backward_output_state", -1, 3),
    ]
    texts = ["the keys were lost", "the keys were old"]
    got = post(client, conforms, "/api/v1/compare", texts=texts, model="tiny-classification")
    assert got["semantic"] == "label"
    assert got["ranked"]


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        (
            {"model": "tiny-tagging", "semantic": "next"},
            "semantic_unavailable",
            "The model tiny-tagging is a tagger: its states can be asked for label.",
        ),
        (
            {"model": "tiny-lstm", "semantic": "label"},
            "semantic_unavailable",
            "The model tiny-lstm is a language model: its states can be asked for next, this, "
            "previous, after_next.",
        ),
        (
            {"model": "tiny-tagging", "watch": "keys"},
            "invalid_field",
            "The field watch must be one of the labels NOUN, VERB, two words.",
        ),
    ],
)
def test_what_a_model_does_not_say_is_refused(
    client: FlaskClient, conforms: Any, fields: dict[str, str], code: str, message: str
) -> None:
    error = post(client, conforms, "/api/v1/trace", 422, text="the", **fields)["error"]
    assert (error["code"], error["message"]) == (code, message)
    assert error["field"] in fields
