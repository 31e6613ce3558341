"""The one table of kinds, and what is written of it elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.kinds import CELL_NAMES, columns, kinds_of

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"
# The four of a peephole LSTM are alike: the design shows one of them.
ALIKE = {("lstm-peephole", kind) for kind in ("input_gate", "cell_input", "output_gate")}


@pytest.mark.parametrize("cell", CELL_NAMES)
def test_the_design_tells_every_kind_as_the_api_gives_it(cell: str) -> None:
    told = DESIGN.read_text(encoding="utf-8")
    assert f"| `{cell}` |" in told
    for column in columns(cell, 2):
        if column.kind != "output" and (cell, column.kind) not in ALIKE:
            assert f"`{column.kind}`" in told
            assert f"`{column.equation}`" in told


@pytest.mark.parametrize("cell", CELL_NAMES)
@pytest.mark.parametrize("bidirectional", [False, True])
def test_equations_are_of_one_notation_and_operands_are_columns(
    cell: str, bidirectional: bool
) -> None:
    """No lowered or raised characters of Unicode beside `_` and `^`. What an equation reads stands
    in it by its symbol, and is a column of no greater depth, or of another timestep or layer."""
    layout = columns(cell, 2, bidirectional)
    by_place = {(column.kind, column.layer): column for column in layout}
    assert len(by_place) == len(layout)
    for column in layout:
        assert not set(column.equation) & set("ₜ₋₁ᵘᵁ⁻¹")
        assert column.equation.startswith(f"{column.symbol}_t")
        for operand in column.operands:
            read = by_place[operand.kind, operand.layer]
            symbol = "h" if read.kind == "embedding" else read.symbol
            assert symbol in column.equation.partition("=")[2]
            if operand.layer == column.layer and operand.lag == 0:
                assert read.depth < column.depth


@pytest.mark.parametrize("cell", CELL_NAMES)
def test_gates_are_those_that_are_called_gates(cell: str) -> None:
    for column in columns(cell, 1):
        assert column.gate == column.name.endswith("gate")


def test_columns_of_a_bidirectional_stack_stand_forward_then_backward() -> None:
    layout = columns("elman", 2, bidirectional=True)
    keys = [column.key for column in layout]
    own = [f"{way}{kind}" for way in ("", "backward_") for kind in kinds_of("elman")]
    assert keys == ["embedding.0", *(f"{k}.{u}" for u in (1, 2) for k in own), "output"]
    back = layout[7]  # backward pre-activation of layer 2: reads the row below
    assert [(o.kind, o.layer, o.lag) for o in back.operands] == [
        ("output_state", 1, 0),
        ("backward_output_state", 1, 0),
        ("backward_output_state", 2, -1),
    ]
    assert [(o.kind, o.layer) for o in layout[-1].operands] == [
        ("output_state", 2),
        ("backward_output_state", 2),
    ]
