"""The network: a recurrent language model, read from top to bottom.

T timesteps, N sentences, H units, E of the embedding, V words. The decoder is tied to the embedding
(Press and Wolf 2017) unless it is told otherwise: the word that a state predicts is then the one
whose embedding it points at.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from models.cells import CELLS, OUTPUT
from models.kinds import kinds_of


class LanguageModel(nn.Module):
    """P(next word | words so far): embedding → ``layers`` recurrent layers → decoder.

    units: H of every layer, or of each. cell: an id of `models.cells.CELLS`. projection: of the
    output states, for a cell that has one. embedding: E; by default what the last layer gives,
    as a tied decoder needs it. Each layer holds weights with torch's names and layout. Raises
    ValueError for sizes that do not go together.
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
    ) -> None:
        super().__init__()
        self.cell = CELLS[cell]
        sizes = [units] * layers if isinstance(units, int) else list(units)
        if len(sizes) != layers or not sizes or min(sizes) < 1:
            raise ValueError(f"{layers} layers cannot have the units {units}")
        if self.cell.projected != (0 < projection < min(sizes)):
            raise ValueError(
                f"the cell {cell} of {min(sizes)} units cannot project to {projection}"
            )
        outputs = [projection or size for size in sizes]
        embedding = outputs[-1] if embedding is None else embedding
        if tied and embedding != outputs[-1]:
            raise ValueError(
                f"a decoder tied to embeddings of {embedding} cannot read states of {outputs[-1]}"
            )
        # Zeros until `initialise` or loading: torch's own start draws them, and on the device
        # "meta", where a model folder is checked, that imports torch's compiler: two seconds.
        self.embedding = nn.Embedding(
            vocabulary, embedding, _weight=torch.zeros(vocabulary, embedding)
        )
        inputs = [embedding, *outputs[:-1]]
        self.layers = nn.ModuleList(
            self.cell.build(below, size, projection)
            for below, size in zip(inputs, sizes, strict=True)
        )
        self.decoder = None if tied else nn.Parameter(torch.zeros(vocabulary, outputs[-1]))
        self.decoder_bias = nn.Parameter(torch.zeros(vocabulary))
        self.units = sizes[-1]
        kinds = kinds_of(cell)
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
    def decoder_weight(self) -> Tensor:
        """D, V × what the last layer gives: the embedding table itself where it is tied."""
        return self.embedding.weight if self.decoder is None else self.decoder

    def initialise(self, generator: torch.Generator, forget_bias: float = 1.0) -> None:
        """Small uniform embeddings, torch's range of weights, no biases but those of forget gates,
        which start open (bias 1).
        """
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1, generator=generator)
        if self.decoder is not None:
            nn.init.uniform_(self.decoder, -0.1, 0.1, generator=generator)
        for layer in self.layers:
            units = len(layer.get_parameter("bias_hh_l0")) // self.cell.blocks
            for name, weight in layer.named_parameters():
                if name.startswith("weight"):
                    nn.init.uniform_(weight, -(units**-0.5), units**-0.5, generator=generator)
                else:
                    nn.init.zeros_(weight)
            if self.cell.begin is not None:
                self.cell.begin(layer, forget_bias)

    def forward(self, ids: Tensor) -> Tensor:
        """The last layer's output states for ids (T, N): (T, N, ·), ready for the decoder."""
        x: Tensor = self.embedding(ids)  # (T, N, E)
        for layer in self.layers:
            # State zero at the start of each sentence.
            x, _ = self.cell.run(x, dict(layer.named_parameters()))  # (T, N, ·)
        return x

    def logits(self, h: Tensor) -> Tensor:
        """(…, W) → (…, V), of output states as they are or padded."""
        return self.read(h) @ self.decoder_weight.t() + self.decoder_bias

    def read(self, h: Tensor) -> Tensor:
        """What the decoder reads of output states that may be padded."""
        return h[..., : self.decoder_weight.shape[1]]
