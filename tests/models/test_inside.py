"""Inside a cell: vector and operands are those of the recurrence, its numbers the grid's."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.artifact import Model, load_model
from models.asked_words import OwnClass
from models.inside import Inside, Won, inside
from models.trace import TraceRefused, trace
from tests.fixtures.tiny import make_tiny_model

TEXT = "the key was lost. she said it."
FIRST = 6  # timestep at which the second sentence starts


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(make_tiny_model(tmp_path_factory.mktemp("zoo")))


def every_cell(model: Model, timestep: int) -> list[Inside]:
    return [inside(model, TEXT, timestep, c.kind, c.layer) for c in model.columns]


@pytest.mark.parametrize("semantic", ["next", "this"])
@pytest.mark.parametrize("timestep", [0, 3, FIRST, 9])
def test_a_cell_says_what_the_grid_says(model: Model, timestep: int, semantic: str) -> None:
    own = (OwnClass("she", ("she", "zebra")),)
    options = {"semantic": semantic, "top": 0.3, "own_classes": own}
    grid = trace(model, TEXT, bars=7, **options)
    for c, column in enumerate(model.columns):
        cell = inside(model, TEXT, timestep, column.kind, column.layer, bars=7, **options)
        assert cell.column == column
        assert cell.top_ids.tolist() == grid.top_ids[timestep, c].tolist()
        assert cell.words == tuple(model.vocabulary.words[id] for id in cell.top_ids)
        np.testing.assert_allclose(cell.top_probs, grid.top_probs[timestep, c], atol=1e-6)
        np.testing.assert_allclose(cell.mass, grid.mass[timestep, c], atol=1e-6)
        assert cell.entropy == pytest.approx(grid.entropy[timestep, c], abs=2e-5)
        assert cell.divergence == pytest.approx(grid.divergence[timestep, c], abs=2e-5)
        assert (cell.top, cell.top_words) == (grid.top, grid.top_words)
        assert (cell.classes.names, cell.classes.missing) == (grid.classes, grid.missing)


def test_the_output_s_divergence_is_none_and_its_operand_what_the_decoder_reads(
    model: Model,
) -> None:
    cell = inside(model, TEXT, 2, "output", None)
    [h] = cell.operands
    assert (cell.values, cell.divergence) == (None, 0)
    assert (h.column.key, h.timestep, h.lag) == ("output_state.2", 2, 0)
    probs = model.network.logits(torch.from_numpy(h.values)).softmax(-1).numpy()
    np.testing.assert_allclose(cell.top_probs[0], probs.max(), rtol=1e-5)


@pytest.mark.parametrize("timestep", [3, FIRST, 9])
def test_values_and_operands_satisfy_the_equations(model: Model, timestep: int) -> None:
    """The paper's equations, from the operands that are told: c = l + s, l = f ∘ c of the row
    above, s = i ∘ c̃, h = o ∘ tanh(c), the gates from h of the layer below and h of the row above.
    """
    cells = {cell.column.key: cell for cell in every_cell(model, timestep)}
    for layer, weights in enumerate(model.network.layers, 1):
        of = {kind: cells[f"{kind}.{layer}"] for kind in ("long_term", "short_term")}
        f, c_before = (o.values for o in of["long_term"].operands)
        i, g = (o.values for o in of["short_term"].operands)
        c, h = cells[f"cell_state.{layer}"], cells[f"output_state.{layer}"]
        o, c_now = (operand.values for operand in h.operands)
        long, short = (operand.values for operand in c.operands)
        np.testing.assert_allclose(of["long_term"].values, f * c_before, atol=1e-6)
        np.testing.assert_allclose(of["short_term"].values, i * g, atol=1e-6)
        np.testing.assert_allclose(c.values, long + short, atol=1e-6)
        np.testing.assert_allclose(h.values, o * np.tanh(c_now), atol=1e-6)
        below, before = (operand.values for operand in cells[f"forget_gate.{layer}"].operands)
        # torch's own cell, from what this module says that the gates read.
        own = torch.nn.LSTMCell(model.network.units, model.network.units)
        own.load_state_dict({k.removesuffix("_l0"): v for k, v in weights.state_dict().items()})
        with torch.no_grad():
            h_now, c_next = own(
                *map(torch.from_numpy, (below,)),
                (torch.from_numpy(before), torch.from_numpy(c_before)),
            )
        np.testing.assert_allclose(h.values, h_now, atol=1e-6)
        np.testing.assert_allclose(c.values, c_next, atol=1e-6)
    assert cells["embedding.0"].operands == ()


def test_an_operand_is_the_cell_at_its_timestep(model: Model) -> None:
    for cell in every_cell(model, 9):
        for operand in cell.operands:
            assert operand.timestep == 9 - operand.lag
            there = inside(model, TEXT, operand.timestep, operand.column.kind, operand.column.layer)
            np.testing.assert_allclose(operand.values, there.values, atol=1e-6)


@pytest.mark.parametrize("timestep", [0, 4])
def test_what_each_operand_adds_inside_a_gate(model: Model, timestep: int) -> None:
    """torch's own cell is the oracle: without the other operand and without bias, its gates are
    those of one term alone.
    """
    cells = {cell.column.key: cell for cell in every_cell(model, timestep)}
    for layer, weights in enumerate(model.network.layers, 1):
        own = torch.nn.LSTMCell(model.network.units, model.network.units)
        own.load_state_dict({k.removesuffix("_l0"): v for k, v in weights.state_dict().items()})
        below, before = (
            torch.from_numpy(operand.values) for operand in cells[f"forget_gate.{layer}"].operands
        )
        order = "input_gate forget_gate cell_input output_gate".split()  # as torch documents it
        for x, h, which in ((below, before * 0, 0), (below * 0, before, 1)):
            alone = own.weight_ih @ x + own.weight_hh @ h
            for kind, wanted in zip(order, alone.detach().chunk(4), strict=True):
                term = cells[f"{kind}.{layer}"].operands[which].term
                np.testing.assert_allclose(term, wanted, atol=1e-5)
        for kind in order:
            cell = cells[f"{kind}.{layer}"]
            terms = [operand.term for operand in cell.operands]
            assert cell.values is not None
            assert cell.bias is not None
            total = torch.from_numpy(terms[0] + terms[1] + cell.bias)
            through = total.tanh() if kind == "cell_input" else total.sigmoid()
            np.testing.assert_allclose(cell.values, through, atol=1e-6)


def test_only_weighted_sums_have_terms(model: Model) -> None:
    sums = ("forget_gate", "input_gate", "cell_input", "output_gate")
    for cell in every_cell(model, 3):
        has = cell.column.kind in sums
        assert (cell.bias is not None) == has
        assert [operand.term is not None for operand in cell.operands] == [has] * len(cell.operands)


@pytest.mark.parametrize("timestep", [0, FIRST])
def test_before_a_sentence_the_state_is_zero(model: Model, timestep: int) -> None:
    f, c = inside(model, TEXT, timestep, "long_term", 1).operands
    assert (f.timestep, f.lag) == (timestep, 0)
    assert f.divergence is not None
    assert (c.timestep, c.lag, c.divergence) == (None, 1, None)
    assert c.values.tolist() == [0] * model.network.units
    _, h = inside(model, TEXT, timestep, "output_gate", 2).operands
    assert (h.column.key, h.timestep) == ("output_state.2", None)


def test_divergence_of_an_operand_s_encoding_from_the_cell_s(model: Model) -> None:
    """From the definition, with the heads' own classifiers."""
    t, heads, decoder = 4, model.heads["next"], model.network.decoder_weight
    cell = inside(model, TEXT, t, "cell_state", 2)
    index = [column.key for column in model.columns].index

    def probs(key: str, values: np.ndarray) -> np.ndarray:
        logits = heads.logits(index(key), torch.from_numpy(values)[None], decoder)
        return logits.double().softmax(-1).numpy()[0]

    assert cell.values is not None
    p = probs("cell_state.2", cell.values)
    for operand in cell.operands:
        q = probs(operand.column.key, operand.values)
        m = (p + q) / 2
        wanted = (p * np.log2(p / m) + q * np.log2(q / m)).sum() / 2
        assert operand.divergence == pytest.approx(wanted, abs=1e-9)
        assert 0 < wanted < 1


def test_who_won_is_counted_unit_by_unit(model: Model) -> None:
    cell = inside(model, TEXT, 4, "cell_state", 1)
    long, short = (np.abs(operand.values) for operand in cell.operands)
    assert cell.won == Won(int((long > short).sum()), int((short > long).sum()), 0)
    assert cell.won.long_term + cell.won.short_term == model.network.units
    assert inside(model, TEXT, 4, "output_state", 1).won is None
    # At the start of a sentence nothing is remembered: l is zero, and s wins everywhere.
    start = inside(model, TEXT, FIRST, "cell_state", 1).won
    assert start == Won(0, model.network.units, 0)


@pytest.mark.parametrize(
    ("change", "field", "code", "part"),
    [
        ({"timestep": 11}, "timestep", "out_of_range", "below 11"),
        ({"timestep": -1}, "timestep", "out_of_range", "below 11"),
        ({"text": " ", "timestep": 0}, "timestep", "out_of_range", "below 0"),
        ({"kind": "x"}, "kind", "invalid_field", "one of embedding, forget_gate"),
        ({"layer": 3}, "layer", "out_of_range", "1 or 2 for the kind cell_state"),
        ({"layer": None}, "layer", "out_of_range", "1 or 2"),
        ({"kind": "output", "layer": 2}, "layer", "out_of_range", "must be null"),
        ({"kind": "embedding", "layer": 1}, "layer", "out_of_range", "must be 0"),
        ({"semantic": "previous"}, "semantic", "semantic_unavailable", "next, this"),
        ({"token_limit": 4}, "text", "too_many_tokens", "9 tokens; the limit is 4"),
    ],
)
def test_a_cell_that_is_not_in_the_grid_is_refused(
    model: Model, change: dict[str, object], field: str, code: str, part: str
) -> None:
    asked = {"text": TEXT, "timestep": 4, "kind": "cell_state", "layer": 2} | change
    with pytest.raises(TraceRefused) as refusal:
        inside(model, **asked)  # type: ignore[arg-type]
    assert (refusal.value.field, refusal.value.code) == (field, code)
    assert part in refusal.value.message


@settings(max_examples=40)
@given(text=st.text(min_size=1, max_size=40), place=st.floats(0, 1), column=st.integers(0, 17))
def test_every_cell_of_every_text_can_be_entered(
    model: Model, text: str, place: float, column: int
) -> None:
    rows = len(trace(model, text).tokens)
    if not rows:
        return
    timestep, asked = round(place * (rows - 1)), model.columns[column]
    cell = inside(model, text, timestep, asked.kind, asked.layer)
    assert [o.column.kind for o in cell.operands] == [o.kind for o in asked.operands]
    assert all(o.divergence is None or 0 <= o.divergence <= 1 for o in cell.operands)
    assert np.isfinite(cell.top_probs).all()
