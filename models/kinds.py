"""The one table of the kinds of hidden state: what each is called, how it is computed, from what.

Columns of the grid, their headers, the lighting-up of operands, the glossary and the docs all
follow from it. The paper calls a vector definition of the recurrence a *kind* (§3); the equations
are its appendix's.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operand:
    """A state that another is computed from. lag 1 is the timestep before: the row above."""

    kind: str
    layer: int
    lag: int


@dataclass(frozen=True, slots=True)
class Column:
    """One kind at one layer. layer is 0 for the embedding and None for the network's output."""

    kind: str
    layer: int | None
    symbol: str
    name: str
    equation: str
    operands: tuple[Operand, ...]
    depth: int

    @property
    def key(self) -> str:
        return self.kind if self.layer is None else f"{self.kind}.{self.layer}"


@dataclass(frozen=True, slots=True)
class _Kind:
    """A row of the table. An operand is (kind, layer relative to this one, lag)."""

    id: str
    symbol: str
    name: str
    equation: str
    operands: tuple[tuple[str, int, int], ...]
    depth: int


# Equations are written as in TeX: `_` lowers and `^` raises one character, or what braces hold.
def _gate(id: str, symbol: str, name: str, function: str, weights: str) -> _Kind:
    read = "[h_t^{u−1}, h_{t−1}^u]"
    equation = f"{symbol}_t^u = {function}(W_{weights}^u {read} + b_{weights}^u)"
    return _Kind(id, symbol, name, equation, (("output_state", -1, 0), ("output_state", 0, 1)), 1)


# In column order: by depth, then in the order of the paper's appendix.
_LSTM = (
    _gate("forget_gate", "f", "Forget gate", "σ", "f"),
    _gate("input_gate", "i", "Input gate", "σ", "i"),
    _gate("cell_input", "c̃", "Cell input", "tanh", "c"),
    _gate("output_gate", "o", "Output gate", "σ", "o"),
    _Kind(
        "long_term",
        "l",
        "Long-term memory",
        "l_t^u = f_t^u ∘ c_{t−1}^u",
        (("forget_gate", 0, 0), ("cell_state", 0, 1)),
        2,
    ),
    _Kind(
        "short_term",
        "s",
        "Short-term memory",
        "s_t^u = i_t^u ∘ c̃_t^u",
        (("input_gate", 0, 0), ("cell_input", 0, 0)),
        2,
    ),
    _Kind(
        "cell_state",
        "c",
        "Cell state",
        "c_t^u = l_t^u + s_t^u",
        (("long_term", 0, 0), ("short_term", 0, 0)),
        3,
    ),
    _Kind(
        "output_state",
        "h",
        "Output state",
        "h_t^u = o_t^u ∘ tanh(c_t^u)",
        (("output_gate", 0, 0), ("cell_state", 0, 0)),
        4,
    ),
)
_CELLS = {"lstm": _LSTM}

EMBEDDING = Column("embedding", 0, "x", "Embedding", "x_t = E[w_t]", (), 0)


def kinds_of(cell: str) -> tuple[str, ...]:
    """Ids of the kinds of one layer of a cell type, in column order. Raises KeyError."""
    return tuple(kind.id for kind in _CELLS[cell])


def columns(cell: str, layers: int) -> tuple[Column, ...]:
    """The columns of the grid, left to right: embedding, each layer's kinds, output.

    Raises KeyError for an unknown cell type.
    """
    table = _CELLS[cell]
    inner = [_column(kind, layer) for layer in range(1, layers + 1) for kind in table]
    last = table[-1]
    output = Column(
        "output",
        None,
        "y",
        "Output",
        "y_t = softmax(D h_t^U + b)",
        (Operand(last.id, layers, 0),),
        last.depth + 1,
    )
    return (EMBEDDING, *inner, output)


def state_columns(cell: str, layers: int) -> tuple[Column, ...]:
    """The columns that are hidden states: all but the output."""
    return columns(cell, layers)[:-1]


def _column(kind: _Kind, layer: int) -> Column:
    def operand(name: str, relative: int, lag: int) -> Operand:
        at = layer + relative
        # The layer below the first is the embedding: h⁰ is x.
        return Operand(EMBEDDING.kind if at == 0 else name, at, lag)

    return Column(
        kind.id,
        layer,
        kind.symbol,
        kind.name,
        kind.equation,
        tuple(operand(*parts) for parts in kind.operands),
        kind.depth,
    )
