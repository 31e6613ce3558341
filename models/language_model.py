"""The network: an LSTM language model, read from top to bottom.

T timesteps, N sentences, H units, V words. The decoder is tied to the embedding (Press and Wolf
2017): the word that a state predicts is the one whose embedding it points at.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LanguageModel(nn.Module):
    """P(next word | words so far): embedding → ``layers`` LSTM layers → decoder.

    Each layer is a `torch.nn.LSTM` of its own, so that dropout masks can be held for a whole
    sentence (Gal and Ghahramani 2016) and every layer's weights have torch's names and layout.
    """

    def __init__(self, vocabulary: int, units: int, layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, units)
        self.layers = nn.ModuleList(nn.LSTM(units, units) for _ in range(layers))
        self.decoder_bias = nn.Parameter(torch.zeros(vocabulary))

    @property
    def units(self) -> int:
        return self.embedding.embedding_dim

    @property
    def decoder_weight(self) -> Tensor:
        """D, V × H: the embedding table itself."""
        return self.embedding.weight

    def initialise(self, generator: torch.Generator) -> None:
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
            forget.fill_(1.0)

    def forward(
        self, ids: Tensor, dropout: float = 0.0, generator: torch.Generator | None = None
    ) -> Tensor:
        """The last layer's output states for ids (T, N): (T, N, H), ready for the decoder.

        With ``dropout``, one mask per sentence on the embeddings, between layers and before the
        decoder.
        """
        x = self.embedding(ids)  # (T, N, H)
        x = _dropped(x, dropout, generator)
        for layer in self.layers:
            x, _ = layer(x)  # (T, N, H); state zero at the start of each sentence
            x = _dropped(x, dropout, generator)
        return x

    def logits(self, h: Tensor) -> Tensor:
        """(…, H) → (…, V)."""
        return h @ self.decoder_weight.t() + self.decoder_bias


def _dropped(x: Tensor, dropout: float, generator: torch.Generator | None) -> Tensor:
    if not dropout:
        return x
    keep = 1.0 - dropout
    mask = torch.empty(1, *x.shape[1:]).bernoulli_(keep, generator=generator) / keep  # (1, N, H)
    return x * mask
