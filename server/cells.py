"""The inside of a cell, a unit along a text, and two texts compared, as plain data of an answer.

H units, K classes, C columns, T timesteps, A steps of an alignment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.compare import DECIMALS
from server.serialise import decimals, missing_words, significant, tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.compare import Comparison
    from models.inside import Inside, OperandState
    from models.kinds import Column
    from models.unit import UnitLine

VALUE_DIGITS = 4  # of a value of a vector: a pixel of its bar is less
R_DECIMALS = 4


def cell_answer(cell: Inside) -> dict[str, Any]:
    """POST /api/v1/cell. Raises ValueError when a number that must be finite is not."""
    column, classes, won = cell.column, cell.classes, cell.won
    return {
        "model": cell.model,
        "fingerprint": cell.fingerprint,
        "semantic": cell.semantic,
        "top": cell.top,
        "top_words": cell.top_words,
        "timestep": cell.timestep,
        "column": {
            "kind": column.kind,
            "layer": column.layer,
            "symbol": column.symbol,
            "name": column.name,
            "equation": column.equation,
        },
        "bars": {
            "ids": cell.top_ids,
            "words": list(cell.words),
            "probs": significant(cell.top_probs),
            "classes": classes.indices[cell.top_ids],
        },
        "classes": list(classes.names),
        "mass": decimals(cell.mass, 6),  # (K,)
        "entropy": round(cell.entropy, 5),
        "divergence": round(cell.divergence, 6),
        "values": None if cell.values is None else significant(cell.values, VALUE_DIGITS),  # (H,)
        "operands": [_operand(operand) for operand in cell.operands],
        "bias": None if cell.bias is None else significant(cell.bias, VALUE_DIGITS),  # (H,)
        "won": won
        and {"long_term": won.long_term, "short_term": won.short_term, "equal": won.equal},
        **missing_words(classes.missing),
    }


def _operand(operand: OperandState) -> dict[str, Any]:
    return {
        "kind": operand.column.kind,
        "layer": operand.column.layer,
        "lag": operand.lag,
        "timestep": operand.timestep,
        "symbol": operand.column.symbol,
        "name": operand.column.name,
        "zero": operand.timestep is None,
        "values": significant(operand.values, VALUE_DIGITS),  # (H,)
        "divergence": None if operand.divergence is None else round(operand.divergence, 6),
        "term": None if operand.term is None else significant(operand.term, VALUE_DIGITS),  # (H,)
    }


def unit_answer(line: UnitLine, columns: Sequence[Column]) -> dict[str, Any]:
    """POST /api/v1/unit. Raises ValueError when a value is not finite."""
    return {
        "model": line.model,
        "fingerprint": line.fingerprint,
        "column": {"kind": line.column.kind, "layer": line.column.layer},
        "unit": line.unit,
        "units": line.units,
        "values": significant(line.values, VALUE_DIGITS),  # (T,)
        "r": None if line.correlation is None else round(line.correlation, R_DECIMALS),
        "found": [
            {
                "kind": columns[one.column].kind,
                "layer": columns[one.column].layer,
                "unit": one.unit,
                "r": round(one.correlation, R_DECIMALS),
            }
            for one in line.found
        ],
    }


def comparison_answer(comparison: Comparison) -> dict[str, Any]:
    """POST /api/v1/compare. Raises ValueError when a divergence of a pair is not finite."""
    pairs = [None not in step for step in comparison.alignment]
    rows = iter(decimals(comparison.divergence[pairs], DECIMALS).tolist())
    return {
        "model": comparison.model,
        "fingerprint": comparison.fingerprint,
        "semantic": comparison.semantic,
        "tokens": [tokens_of(tokens) for tokens in comparison.tokens],
        "columns": [{"kind": c.kind, "layer": c.layer} for c in comparison.columns],
        "alignment": [list(step) for step in comparison.alignment],  # (A, 3)
        "divergence": [next(rows) if pair else None for pair in pairs],  # (A, C)
        "ranked": [
            {"pair": cell.pair, "column": cell.column, "divergence": cell.divergence}
            for cell in comparison.ranked
        ],
    }
