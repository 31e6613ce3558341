"""A model of every cell type is read, decoded and looked into by the same code."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch

from models.artifact import Model, load_model
from models.cells import CELLS
from models.compare import compare
from models.distributions import distributions
from models.inside import inside
from models.states import hidden_states
from models.trace import Tracer, trace
from models.training.forms import as_form
from models.training.heads import train_heads
from models.training.network import train_network
from models.training.recipe import HeadsRecipe, NetworkRecipe
from tests.fixtures.tiny import make_tiny_model

TEXT = "the key was lost"
# oneDNN, where torch is built with it, says that it leaves projections to torch.
pytestmark = pytest.mark.filterwarnings("ignore:LSTM with projections is not supported")
OTHER = [cell for cell in CELLS if cell != "lstm"]  # the LSTM has tests of its own


@pytest.fixture(scope="module", params=OTHER)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(make_tiny_model(tmp_path_factory.mktemp("zoo"), cell=request.param))


@pytest.mark.parametrize("form", ["shared", "linear"])
def test_a_trace_says_what_the_definitions_say(model: Model, form: str) -> None:
    [heads] = [h for s, h in model.heads.items() if s == "next"]
    model.heads["next"] = as_form(heads, form, model.network) if form == "linear" else heads
    got = trace(model, TEXT, bars=3)
    ids = [token.id for token in got.tokens]
    states = hidden_states(model.network, torch.tensor(ids))
    for c, column in enumerate(model.columns):
        rows = states[min(c, len(states) - 1)]
        probs = distributions(model, "next", c, rows).numpy()
        order = np.argsort(-probs, axis=1, kind="stable")[:, :3]
        assert got.top_ids[:, c].tolist() == order.tolist(), column.key
        np.testing.assert_allclose(
            got.top_probs[:, c], np.take_along_axis(probs, order, 1), atol=1e-5
        )
    model.heads["next"] = heads


def test_the_tail_of_a_text_that_grows_is_that_of_the_whole(model: Model) -> None:
    tracer = Tracer(model)
    tracer.trace(TEXT)
    grown = tracer.trace(TEXT + " in the hall", start=5)
    whole = trace(model, TEXT + " in the hall")
    np.testing.assert_allclose(grown.top_probs, whole.top_probs[5:], atol=1e-5)


def test_a_cell_has_its_own_width_and_so_have_its_operands(model: Model) -> None:
    places = {(c.kind, c.layer): i for i, c in enumerate(model.columns)}
    for column, width in zip(model.columns, model.network.widths, strict=False):
        for timestep in (0, 3):
            cell = inside(model, TEXT, timestep, column.kind, column.layer, bars=1)
            assert cell.values is not None
            assert len(cell.values) == width
            for operand in cell.operands:
                place = places[operand.column.kind, operand.column.layer]
                assert len(operand.values) == model.network.widths[place]
                assert operand.lag == 0 or timestep or not operand.values.any()
            assert (cell.won is None) == (column.kind != "cell_state")


def test_the_sum_inside_a_kind_is_told_term_by_term(model: Model) -> None:
    functions = {"σ": lambda a: 1 / (1 + np.exp(-a)), "tanh": np.tanh, "W": lambda a: a}
    summed = 0
    for column in model.columns[1:-1]:
        cell = inside(model, TEXT, 3, column.kind, column.layer, bars=1)
        if cell.bias is None:
            assert column.kind not in ("pre_activation", "update_gate", "forget_gate")
            continue
        terms = [operand.term for operand in cell.operands]
        function = re.split(r"[_(^]", column.equation.partition("= ")[2])[0]
        np.testing.assert_allclose(
            functions[function](sum(terms, cell.bias)), cell.values, atol=1e-5
        )
        summed += 1
    assert summed >= 2


def test_two_texts_are_compared(model: Model) -> None:
    told = compare(model, [TEXT, "the key was old"])
    assert told.divergence[:4].max() == 0
    assert told.divergence[4].min() > 0


@pytest.mark.parametrize("cell", OTHER)
def test_training_learns_and_its_heads_fit(cell: str, tmp_path: Path) -> None:
    """Words that follow each other in a ring: the network and the head of its last h get it."""
    rng = np.random.default_rng(0)
    ring = [
        np.array([2, *(4 + (start + np.arange(n)) % 4), 3])
        for start, n in zip(rng.integers(0, 4, 120), rng.integers(4, 9, 120), strict=True)
    ]
    recipe = NetworkRecipe(
        cell=cell,
        units=16,
        layers=1,
        projection=12 if CELLS[cell].projected else 0,
        epochs=3,
        exact_epochs=3,
        batch_sentences=4,
        rate=0.05,
        dropout_input=0.0,
        dropout_output=0.0,
        dropped_weights=0.1,
    )
    network = train_network(recipe, 8, ring, ring[:20], tmp_path / "run")
    states = hidden_states(network, torch.tensor([2, 4, 5, 6]))
    assert network.logits(states[-1]).argmax(-1)[1:].tolist() == [5, 6, 7]
    heads = train_heads(network, ring, ("next", "this"), HeadsRecipe(epochs=1, batch_tokens=64))
    for semantic, said in (("next", [5, 6, 7]), ("this", [4, 5, 6])):
        logits = heads[semantic].logits(len(states) - 1, states[-1], network.decoder_weight)
        assert logits.argmax(-1)[1:].tolist() == said
