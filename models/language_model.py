"""The network: a recurrent language model, read from top to bottom.

T timesteps, N sentences, H units, E of the embedding, V words. The decoder is tied to the embedding
(Press and Wolf 2017) unless it is told otherwise: the word that a state predicts is then the one
whose embedding it points at. A tagger or a classifier is the same network with a decoder over L
labels, which may read the sentence in both directions.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from models.cells import CELLS, OUTPUT, Weights, turned
from models.kinds import kinds_of

# Layers, and units of each: a matrix of more is in no memory.
MOST_LAYERS, MOST_UNITS = 64, 1 << 16


class LanguageModel(nn.Module):
    """P(next word | words so far): embedding → ``layers`` recurrent layers → decoder.

    units: H of every layer, or of each. cell: an id of `models.cells.CELLS`. projection: of the
    output states, for a cell that has one. embedding: E; by default what the last layer gives,
    as a tied decoder needs it. Each layer holds weights with torch's names and layout.

    labels: L, of a network that says labels instead of words; its decoder is not tied.
    bidirectional: each layer reads in both directions, and the decoder both of the last, which a
    network that predicts words may not. whole: the label is of the whole sentence, and of the
    backward direction the decoder reads what has read all of it. Raises ValueError for sizes that
    do not go together.
    """

    def __init__(
        self,
        vocabulary: int,
        units: int | Sequence[int],
        layers: int,
        cell: str = "lstm",
        *,
        projection: int = 0,
        embedding: int | None = None,
        tied: bool = True,
        labels: int = 0,
        bidirectional: bool = False,
        whole: bool = False,
    ) -> None:
        super().__init__()
        self.cell = CELLS[cell]
        if layers > MOST_LAYERS:
            raise ValueError(f"{layers:,} layers are more than {MOST_LAYERS}")
        sizes = [units] * layers if isinstance(units, int) else list(units)
        if len(sizes) != layers or not sizes or min(sizes) < 1:
            raise ValueError(f"{layers} layers cannot have the units {units}")
        if self.cell.projected != (0 < projection < min(sizes)):
            raise ValueError(
                f"the cell {cell} of {min(sizes)} units cannot project to {projection}"
            )
        if labels and tied:
            raise ValueError("a decoder of labels cannot be tied to the embeddings of words")
        if bidirectional and not labels:
            raise ValueError("a bidirectional network reads the words that it would predict")
        directions = 1 + bidirectional
        self.bidirectional, self.whole = bidirectional, whole
        outputs = [projection or size for size in sizes]
        embedding = outputs[-1] if embedding is None else embedding
        if max(*sizes, embedding) > MOST_UNITS:
            raise ValueError(f"{max(*sizes, embedding):,} units are more than {MOST_UNITS:,}")
        if tied and embedding != outputs[-1]:
            raise ValueError(
                f"a decoder tied to embeddings of {embedding} cannot read states of {outputs[-1]}"
            )
        # Zeros until `initialise` or loading: torch's own start draws them, and on the device
        # "meta", where a model folder is checked, that imports torch's compiler: two seconds.
        self.embedding = nn.Embedding(
            vocabulary, embedding, _weight=torch.zeros(vocabulary, embedding)
        )
        inputs = [embedding, *(directions * out for out in outputs[:-1])]
        ways = [
            nn.ModuleList(
                self.cell.build(below, size, projection)
                for below, size in zip(inputs, sizes, strict=True)
            )
            for _ in range(directions)
        ]
        self.layers = ways[0]
        self.backward_layers = ways[1] if bidirectional else nn.ModuleList()
        said = labels or vocabulary
        self.decoder = None if tied else nn.Parameter(torch.zeros(said, directions * outputs[-1]))
        self.decoder_bias = nn.Parameter(torch.zeros(said))
        self.units = sizes[-1]
        self.read_units = outputs[-1]  # of the last layer's output state, in one direction
        kinds = kinds_of(cell) * directions
        self.widths = (  # of the vectors of each column, the output's aside
            embedding,
            *(
                out if kind == OUTPUT else size
                for size, out in zip(sizes, outputs, strict=True)
                for kind in kinds
            ),
        )

    @property
    def width(self) -> int:
        """W, of the widest kind: what the states of all kinds are padded to."""
        return max(self.widths)

    @property
    def vocabulary(self) -> int:
        """V."""
        return self.embedding.num_embeddings

    @property
    def outputs(self) -> int:
        """How many the network chooses among: V words or L labels."""
        return len(self.decoder_bias)

    @property
    def decoder_weight(self) -> Tensor:
        """D, V (or L) × what the last layer gives: the embedding table itself where it is tied."""
        return self.embedding.weight if self.decoder is None else self.decoder

    def initialise(self, generator: torch.Generator, forget_bias: float = 1.0) -> None:
        """Small uniform embeddings, torch's range of weights, no biases but those of forget gates,
        which start open (bias 1).
        """
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1, generator=generator)
        if self.decoder is not None:
            nn.init.uniform_(self.decoder, -0.1, 0.1, generator=generator)
        for layer in (*self.layers, *self.backward_layers):
            units = len(layer.get_parameter("bias_hh_l0")) // self.cell.blocks
            for name, weight in layer.named_parameters():
                if name.startswith("weight"):
                    nn.init.uniform_(weight, -(units**-0.5), units**-0.5, generator=generator)
                else:
                    nn.init.zeros_(weight)
            if self.cell.begin is not None:
                self.cell.begin(layer, forget_bias)

    def forward(self, ids: Tensor, lengths: Tensor | None = None) -> Tensor:
        """What the decoder reads at each timestep of ids (T, N): (T, N, ·). lengths: (N,) of
        sentences that are padded at their ends; only a bidirectional network needs them.
        """
        x: Tensor = self.embedding(ids)  # (T, N, E)
        for u, layer in enumerate(self.layers):
            # State zero at the start of each sentence.
            ahead, _ = self.cell.run(x, dict(layer.named_parameters()))  # (T, N, ·)
            if self.bidirectional:
                weights = dict(self.backward_layers[u].named_parameters())
                ahead = self.with_backward(x, ahead, weights, lengths)
            x = ahead
        return self.of_whole(x)

    def with_backward(
        self,
        x: Tensor,
        ahead: Tensor,
        weights: Weights,
        lengths: Tensor | None = None,
        rounded: torch.dtype | None = None,
    ) -> Tensor:
        """[h→ ; h←] of a layer that reads x (T, N, ·), given h→ and the weights that read back."""
        behind, _ = self.cell.run(turned(x, lengths), weights, rounded=rounded)
        return torch.cat([ahead, turned(behind, lengths)], -1)

    def of_whole(self, x: Tensor) -> Tensor:
        """The last layer's [h→ ; h←] (T, …, ·) as the decoder reads it: for a label of the whole
        sentence the backward half is that of the first timestep, which has read all.
        """
        if not (self.whole and self.bidirectional):
            return x
        ahead, behind = x.chunk(2, -1)
        return torch.cat([ahead, behind[:1].expand_as(behind)], -1)

    def logits(self, h: Tensor) -> Tensor:
        """(…, W) → (…, V), of output states as they are or padded, or of what `reads` gives."""
        return self.read(h) @ self.decoder_weight.t() + self.decoder_bias

    def read(self, h: Tensor) -> Tensor:
        """What the decoder reads of output states that may be padded."""
        return h[..., : self.decoder_weight.shape[1]]

    def reads(self, states: Tensor) -> Tensor:
        """What the decoder reads at each timestep, of the states (C, T, …, W) of every kind."""
        if not self.bidirectional:
            return self.read(states[-1])
        ahead = states[-1 - len(kinds_of(self.cell.id))]
        both = torch.cat([half[..., : self.read_units] for half in (ahead, states[-1])], -1)
        return self.of_whole(both)
