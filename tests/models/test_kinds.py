"""The one table of kinds, and what is written of it elsewhere."""

from __future__ import annotations

from pathlib import Path

from models.kinds import columns

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"


def test_the_design_tells_every_equation_as_the_api_gives_it() -> None:
    told = DESIGN.read_text(encoding="utf-8")
    for column in columns("lstm", 2):
        if column.kind != "output":
            assert f"| `{column.kind}`" in told
            assert f"| `{column.equation}` |" in told


def test_equations_are_of_one_notation_and_name_layer_and_weights() -> None:
    """No lowered or raised characters of Unicode beside `_` and `^`; W and b are of a layer."""
    for column in columns("lstm", 2):
        assert not set(column.equation) & set("ₜ₋₁ᵘᵁ⁻¹")
        if column.kind in ("forget_gate", "input_gate", "cell_input", "output_gate"):
            name = column.equation.split("W_")[1][0]
            assert f"W_{name}^u " in column.equation
            assert f"b_{name}^u)" in column.equation
