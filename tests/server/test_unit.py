"""POST /api/v1/unit: one unit along a text, and the units that follow a number."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.reading import read
from models.states import hidden_states
from tests.server.conftest import SENTENCE

URL = "/api/v1/unit"
TWO = "we stand. she said so"


@pytest.fixture
def unit(client, conforms):
    def post(**fields):
        response = client.post(URL, json={"kind": "cell_state", "layer": 1} | fields)
        assert response.status_code == 200, response.json
        return conforms(response, URL, "post")

    return post


@pytest.fixture(scope="module")
def states(inference):
    """Every kind's (T, H), by kind and layer, over both sentences, straight from the network."""
    model = inference.model(None)
    ids = [torch.tensor(s.ids) for s in read(model.vocabulary, TWO)]
    rows = torch.cat([hidden_states(model.network, sentence) for sentence in ids], 1).numpy()
    assert len(ids) == 2
    return {(c.kind, c.layer): rows[i] for i, c in enumerate(model.columns[:-1])}


def test_the_values_are_the_networks(unit, states):
    answer = unit(text=TWO, unit=3)
    assert (answer["column"], answer["unit"], answer["units"]) == (
        {"kind": "cell_state", "layer": 1}, 3, 8,
    )  # fmt: skip
    np.testing.assert_allclose(answer["values"], states["cell_state", 1][:, 3], rtol=1e-3)
    assert (answer["r"], answer["found"]) == (None, [])


def test_nothing_follows_two_numbers(unit):
    """r would be 1 or −1 of every unit that is not the same at both."""
    two = [1, *[None] * 6, 2]
    answer = unit(text=TWO, unit=5, follow=two)
    assert (answer["r"], answer["found"]) == (None, [])
    assert unit(text=TWO, unit=5, follow=[*two[:-2], 0, 2])["r"] is not None


@pytest.mark.parametrize("all_kinds", [False, True])
def test_the_best_ten_are_those_of_numpy(unit, states, all_kinds):
    numbers = [0, 1, 4, 2, 0, 3.5, -1, 2]
    answer = unit(text=TWO, unit=5, follow=numbers, all_kinds=all_kinds)
    expected = {
        (kind, layer, h): np.corrcoef(vector, numbers)[0, 1]
        for (kind, layer), rows in states.items()
        if all_kinds or (kind, layer) == ("cell_state", 1)
        for h, vector in enumerate(rows.T)
    }
    assert answer["r"] == pytest.approx(expected["cell_state", 1, 5], abs=1e-4)
    best = sorted(expected.values(), key=abs, reverse=True)[:10]
    assert [one["r"] for one in answer["found"]] == pytest.approx(best, abs=1e-4)
    for one in answer["found"]:
        assert one["r"] == pytest.approx(expected[one["kind"], one["layer"], one["unit"]], abs=1e-4)
    assert len({(o["kind"], o["layer"], o["unit"]) for o in answer["found"]}) == len(best)


def test_a_timestep_without_a_number_is_left_out(unit, states):
    numbers = [0, 1, 4, None, 0, 3.5, -1, None]
    told = [t for t, number in enumerate(numbers) if number is not None]
    answer = unit(text=TWO, unit=0, follow=numbers)
    vector = states["cell_state", 1][told, 0]
    assert answer["r"] == pytest.approx(
        np.corrcoef(vector, [numbers[t] for t in told])[0, 1], abs=1e-4
    )
    assert len(answer["values"]) == len(numbers)


@pytest.mark.parametrize(
    "numbers", [[0.1] * 8, [None] * 8, [None] * 7 + [1], [1e12] * 8, [0, *[None] * 6, 0]]
)
def test_what_never_changes_is_followed_by_nothing(unit, numbers):
    answer = unit(text=TWO, follow=numbers, all_kinds=True)
    assert (answer["r"], answer["found"]) == (None, [])


def test_a_blank_text_has_no_timesteps(unit):
    answer = unit(text=" ", follow=[], all_kinds=True)
    assert (answer["values"], answer["r"], answer["found"]) == ([], None, [])


def test_it_reads_what_a_trace_has_read(unit, trace):
    tokens = trace(text=SENTENCE)["tokens"]
    assert len(unit(text=SENTENCE)["values"]) == len(tokens)
