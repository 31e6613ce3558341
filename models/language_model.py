"""The network: an LSTM language model, read from top to bottom.

T timesteps, N sentences, H units, V words. The decoder is tied to the embedding (Press and Wolf
2017): the word that a state predicts is the one whose embedding it points at.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LanguageModel(nn.Module):
    """P(next word | words so far): embedding → ``layers`` LSTM layers → decoder.

    Each layer is a `torch.nn.LSTM` of its own, so that training can drop what passes between them
    and every layer's weights have torch's names and layout.
    """

    def __init__(self, vocabulary: int, units: int, layers: int) -> None:
        super().__init__()
        # Zeros until `initialise` or loading: torch's own start draws them, and on the device
        # "meta", where a model folder is checked, that imports torch's compiler: two seconds.
        self.embedding = nn.Embedding(vocabulary, units, _weight=torch.zeros(vocabulary, units))
        self.layers = nn.ModuleList(nn.LSTM(units, units) for _ in range(layers))
        self.decoder_bias = nn.Parameter(torch.zeros(vocabulary))

    @property
    def units(self) -> int:
        return self.embedding.embedding_dim

    @property
    def vocabulary(self) -> int:
        """V."""
        return self.embedding.num_embeddings

    @property
    def decoder_weight(self) -> Tensor:
        """D, V × H: the embedding table itself."""
        return self.embedding.weight

    def initialise(self, generator: torch.Generator, forget_bias: float = 1.0) -> None:
        """Small uniform embeddings, torch's LSTM range, forget gates that start open (bias 1)."""
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1, generator=generator)
        bound = self.units**-0.5
        for layer in self.layers:
            for name, weight in layer.named_parameters():
                if name.startswith("weight"):
                    nn.init.uniform_(weight, -bound, bound, generator=generator)
                else:
                    nn.init.zeros_(weight)
            # torch's gate order is i, f, g, o; one of the two biases is enough to open f.
            forget = layer.get_parameter("bias_ih_l0").data[self.units : 2 * self.units]
            forget.fill_(forget_bias)

    def forward(self, ids: Tensor) -> Tensor:
        """The last layer's output states for ids (T, N): (T, N, H), ready for the decoder."""
        x = self.embedding(ids)  # (T, N, H)
        for layer in self.layers:
            x, _ = layer(x)  # (T, N, H); state zero at the start of each sentence
        out: Tensor = x
        return out

    def logits(self, h: Tensor) -> Tensor:
        """(…, H) → (…, V)."""
        return h @ self.decoder_weight.t() + self.decoder_bias
