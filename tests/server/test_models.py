"""GET /api/v1/models and /api/v1/models/<id>."""

from __future__ import annotations

import pytest

MODEL = "/api/v1/models/tiny-lstm"
KINDS = [
    *("forget_gate", "input_gate", "cell_input", "output_gate"),
    *("long_term", "short_term", "cell_state", "output_state"),
]


@pytest.fixture
def model(client, conforms):
    return conforms(client.get(MODEL), "/api/v1/models/{id}")


def test_the_list_says_which_model_is_the_default(client, conforms, model):
    answer = conforms(client.get("/api/v1/models"), "/api/v1/models")
    assert answer["default"] == "tiny-lstm"
    [listed] = answer["models"]
    assert listed == {name: model[name] for name in listed}
    assert listed["perplexity"] == {"valid": 21.0, "test": 22.0}


def test_columns_are_the_embedding_each_layer_by_depth_and_the_output(model):
    columns = [(c["kind"], c["layer"]) for c in model["columns"]]
    inner = [(kind, layer) for layer in (1, 2) for kind in KINDS]
    assert columns == [("embedding", 0), *inner, ("output", None)]
    assert [c["depth"] for c in model["columns"][1:9]] == [1, 1, 1, 1, 2, 2, 3, 4]


def test_units_are_those_that_a_unit_can_be_asked_of(client, model):
    for column in model["columns"]:
        asked = {"text": "we", "kind": column["kind"], "layer": column["layer"]}
        answer = client.post("/api/v1/unit", json=asked)
        assert column["units"] == answer.json.get("units")
        assert answer.status_code == (200 if column["units"] else 422)
    assert [c["units"] for c in model["columns"]] == [8] * 17 + [None]


def test_an_operand_names_a_column_and_how_many_rows_above(model):
    operands = {(c["kind"], c["layer"]): c["operands"] for c in model["columns"]}
    assert operands["long_term", 2] == [
        {"kind": "forget_gate", "layer": 2, "lag": 0},
        {"kind": "cell_state", "layer": 2, "lag": 1},
    ]
    assert operands["output", None] == [{"kind": "output_state", "layer": 2, "lag": 0}]
    columns = set(operands)
    assert all((o["kind"], o["layer"]) in columns for listed in operands.values() for o in listed)


def test_perplexity_is_told_per_semantic_for_each_column(model):
    by_column = [c["perplexity"] for c in model["columns"]]
    assert by_column[0] == {"next": 20.0, "this": 20.0}
    assert by_column[16] == {"next": 36.0, "this": 36.0}
    assert by_column[17] == {"next": 22.0}  # the output predicts the next word only


def test_every_palette_colours_every_class(model):
    classes = [c["id"] for c in model["classes"]]
    assert len(classes) == 13
    assert [p["id"] for p in model["palettes"]] == ["twelve", "paper", "colour-blind"]
    for palette in model["palettes"]:
        assert sorted(palette["colours"]) == sorted(classes)


def test_limits_and_examples(model, settings):
    assert model["limits"] == {"tokens": 512, "bytes": 16384, "bars": 50}
    assert model["examples"][0]["text"].startswith('"we stand in solidarity')
    assert model["unit"] == "word"
    assert model["architecture"] == {
        "cell": "lstm",
        "cell_name": "LSTM",
        "layers": 2,
        "units": 8,
        "vocabulary": 52,
        "tied": True,
    }


def test_what_reads_the_states_and_what_figures_stand_beside_them(model):
    assert model["forms"] == {"next": "shared", "this": "shared"}
    assert model["imported"] is False
    assert model["baselines"] == {"unigram": 41.5, "trigram": 30.25}
