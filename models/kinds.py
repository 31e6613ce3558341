"""The one table of the kinds of hidden state: what each is called, how it is computed, from what.

Columns of the grid, their headers, the lighting-up of operands, the glossary and the docs all
follow from it, for every cell type. The paper calls a vector definition of the recurrence a *kind*
(§3); the LSTM's equations are its appendix's. The recurrences themselves are in `models.cells`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from models.directions import one_way


@dataclass(frozen=True, slots=True)
class Operand:
    """A state that another is computed from. lag 1 is the timestep before: the row above; −1 the
    row below, in the backward half of a bidirectional stack.
    """

    kind: str
    layer: int
    lag: int


@dataclass(frozen=True, slots=True)
class Column:
    """One kind at one layer. layer is 0 for the embedding and None for the network's output.

    gate: whether it only weighs other states, unit by unit, between 0 and 1. direction: in which a
    bidirectional stack reads it, ``forward`` or ``backward``.
    """

    kind: str
    layer: int | None
    symbol: str
    name: str
    equation: str
    operands: tuple[Operand, ...]
    depth: int
    gate: bool = False
    direction: str | None = None

    @property
    def key(self) -> str:
        return self.kind if self.layer is None else f"{self.kind}.{self.layer}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table. An operand is (kind, layer relative to this one, lag)."""

    id: str
    symbol: str
    name: str
    equation: str
    operands: tuple[tuple[str, int, int], ...]
    depth: int
    gate: bool = False
    direction: str | None = None


# What stands in every cell's equations: h of the layer below, h and c of the timestep before.
_BELOW = ("output_state", -1, 0)
_BEFORE = ("output_state", 0, 1)
_MEMORY = ("cell_state", 0, 1)
_READ = "[h_t^{u−1}, h_{t−1}^u]"
_PEEPED = "[h_t^{u−1}, h_{t−1}^u, c_{t−1}^u]"


# Equations are written as in TeX: `_` lowers and `^` raises one character, or what braces hold.
def _read(
    id: str, symbol: str, name: str, function: str, weights: str, peeped: bool = False
) -> Kind:
    """A kind that reads the layer below and the timestep before through weights of its own."""
    read, more = (_PEEPED, (_MEMORY,)) if peeped else (_READ, ())
    equation = f"{symbol}_t^u = {function}(W_{weights}^u {read} + b_{weights}^u)"
    return Kind(id, symbol, name, equation, (_BELOW, _BEFORE, *more), 1, function == "σ")


def _lstm_reads(peeped: bool = False) -> tuple[Kind, ...]:
    """In the order of the paper's appendix."""
    return (
        _read("forget_gate", "f", "Forget gate", "σ", "f", peeped),
        _read("input_gate", "i", "Input gate", "σ", "i", peeped),
        _read("cell_input", "c̃", "Cell input", "tanh", "c", peeped),
        _read("output_gate", "o", "Output gate", "σ", "o", peeped),
    )


_LONG_TERM = Kind(
    "long_term",
    "l",
    "Long-term memory",
    "l_t^u = f_t^u ∘ c_{t−1}^u",
    (("forget_gate", 0, 0), _MEMORY),
    2,
)
_SHORT_TERM = Kind(
    "short_term",
    "s",
    "Short-term memory",
    "s_t^u = i_t^u ∘ c̃_t^u",
    (("input_gate", 0, 0), ("cell_input", 0, 0)),
    2,
)
_CELL_STATE = Kind(
    "cell_state",
    "c",
    "Cell state",
    "c_t^u = l_t^u + s_t^u",
    (("long_term", 0, 0), ("short_term", 0, 0)),
    3,
)
_LSTM_OUTPUT = Kind(
    "output_state",
    "h",
    "Output state",
    "h_t^u = o_t^u ∘ tanh(c_t^u)",
    (("output_gate", 0, 0), ("cell_state", 0, 0)),
    4,
)
_MEMORIES = (_LONG_TERM, _SHORT_TERM, _CELL_STATE)

# Sak, Senior and Beaufays 2014: what would be h is projected to fewer units.
_PROJECTED = (
    replace(
        _LSTM_OUTPUT,
        id="cell_output",
        symbol="m",
        name="Cell output",
        equation="m_t^u = o_t^u ∘ tanh(c_t^u)",
    ),
    Kind("output_state", "h", "Output state", "h_t^u = P^u m_t^u", (("cell_output", 0, 0),), 5),
)

# Greff et al. 2017: what is forgotten makes room for what comes in.
_FORGET, _, _CELL_INPUT, _OUTPUT_GATE = _lstm_reads()
_COUPLED = (
    _FORGET,
    _CELL_INPUT,
    _OUTPUT_GATE,
    Kind("input_gate", "i", "Input gate", "i_t^u = 1 − f_t^u", (("forget_gate", 0, 0),), 2, True),
    _LONG_TERM,
    replace(_SHORT_TERM, depth=3),
    replace(_CELL_STATE, depth=4),
    replace(_LSTM_OUTPUT, depth=5),
)


def _elman(function: str) -> tuple[Kind, ...]:
    reads = (_BELOW, _BEFORE)
    return (
        Kind("pre_activation", "a", "Pre-activation", f"a_t^u = W^u {_READ} + b^u", reads, 1),
        Kind(
            "output_state",
            "h",
            "Output state",
            f"h_t^u = {function}(a_t^u)",
            (("pre_activation", 0, 0),),
            2,
        ),
    )


def _gru(candidate: str, mixed: str) -> tuple[Kind, ...]:
    return (
        _read("update_gate", "z", "Update gate", "σ", "z"),
        _read("reset_gate", "r", "Reset gate", "σ", "r"),
        Kind(
            "candidate_state",
            "h̃",
            "Candidate state",
            candidate,
            (_BELOW, ("reset_gate", 0, 0), _BEFORE),
            2,
        ),
        Kind(
            "output_state",
            "h",
            "Output state",
            mixed,
            (("update_gate", 0, 0), ("candidate_state", 0, 0), _BEFORE),
            3,
        ),
    )


# Of each cell type, in column order: by depth. The last is what the layer above reads.
_CELLS = {
    "lstm": (*_lstm_reads(), *_MEMORIES, _LSTM_OUTPUT),
    "lstm-peephole": (*_lstm_reads(peeped=True), *_MEMORIES, _LSTM_OUTPUT),
    "lstm-projected": (*_lstm_reads(), *_MEMORIES, *_PROJECTED),
    "lstm-coupled": _COUPLED,
    # Reset after the product: torch.nn.GRU, and the course notes' §3. z is how much stays.
    "gru": _gru(
        "h̃_t^u = tanh(W_h^u h_t^{u−1} + b_h^u + r_t^u ∘ (V_h^u h_{t−1}^u + d_h^u))",
        "h_t^u = (1 − z_t^u) ∘ h̃_t^u + z_t^u ∘ h_{t−1}^u",
    ),
    # Reset before it: Chung et al. 2014. z is how much is new.
    "gru-reset-before": _gru(
        "h̃_t^u = tanh(W_h^u [h_t^{u−1}, r_t^u ∘ h_{t−1}^u] + b_h^u)",
        "h_t^u = (1 − z_t^u) ∘ h_{t−1}^u + z_t^u ∘ h̃_t^u",
    ),
    "elman": _elman("tanh"),
    "elman-relu": _elman("ReLU"),
}
# Of each cell type, what it is called.
CELL_NAMES = {
    "lstm": "LSTM",
    "lstm-peephole": "LSTM with peepholes",
    "lstm-projected": "LSTM with projection",
    "lstm-coupled": "LSTM with coupled gates",
    "gru": "GRU",
    "gru-reset-before": "GRU, reset before the product",
    "elman": "Elman network",
    "elman-relu": "Elman network with ReLU",
}

EMBEDDING = Column("embedding", 0, "x", "Embedding", "x_t = E[w_t]", (), 0)


def kinds_of(cell: str) -> tuple[str, ...]:
    """Ids of the kinds of one layer of a cell type, in column order. Raises KeyError."""
    return tuple(kind.id for kind in _CELLS[cell])


def columns(
    cell: str, layers: int, bidirectional: bool = False, whole: bool = False
) -> tuple[Column, ...]:
    """The columns of the grid, left to right: embedding, each layer's kinds, output.

    In a bidirectional stack a layer's kinds stand twice: forward, then backward with ids that
    begin with ``backward_``. whole: the output is a label of the sentence up to the timestep, for
    which the backward half reads from there to the start: not a cell of the grid, but at its end.
    Raises KeyError for an unknown cell type.
    """
    table = _CELLS[cell]
    if bidirectional:
        table = tuple(one_way(kind, back) for back in (False, True) for kind in table)
    inner = [_column(kind, layer) for layer in range(1, layers + 1) for kind in table]
    read = tuple(kind for kind in table if kind.id.endswith("output_state"))
    said = read[0].symbol + "_t^U"
    if bidirectional:
        at = "t1" if whole else "tt"
        both = zip(read, at, strict=True)
        said = "[" + ", ".join(f"{kind.symbol}_{step}^U" for kind, step in both) + "]"
        read = read[: 1 if whole else 2]
    output = Column(
        "output",
        None,
        "y",
        "Output",
        f"y_t = softmax(D {said} + b)",
        tuple(Operand(kind.id, layers, 0) for kind in read),
        table[-1].depth + 1,
    )
    return (EMBEDDING, *inner, output)


def state_columns(cell: str, layers: int, bidirectional: bool = False) -> tuple[Column, ...]:
    """The columns that are hidden states: all but the output."""
    return columns(cell, layers, bidirectional)[:-1]


def _column(kind: Kind, layer: int) -> Column:
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
        tuple(dict.fromkeys(operand(*parts) for parts in kind.operands)),
        kind.depth,
        kind.gate,
        kind.direction,
    )
