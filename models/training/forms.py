"""The two forms of G, as training sees them: a matrix over the vocabulary, and what it reads.

Either form is softmax(W x + b): for ``linear`` x is the state v and W the kind's own matrix, for
``shared`` x is P v + p and W the network's decoder D, which stays as it is.
"""

from __future__ import annotations

import torch
from torch import Tensor

from models.heads import Heads, LinearHeads, SharedHeads
from models.language_model import LanguageModel


def classifier(
    heads: Heads, kind: int, states: Tensor, network: LanguageModel
) -> tuple[Tensor, Tensor, Tensor]:
    """x (M, ·), W (V, ·) and b (V,) of one kind for states (M, H)."""
    if isinstance(heads, LinearHeads):
        return states, heads.weight[kind].to(states.dtype), heads.bias[kind]
    x = torch.addmm(heads.offset[kind], states, heads.projection[kind].t())
    return x, network.decoder_weight.detach(), heads.bias[kind]


def as_form(shared: SharedHeads, form: str, network: LanguageModel) -> Heads:
    """The same distributions in the form asked for: W = D P, b = D p + b."""
    if form == "shared":
        return shared
    decoder = network.decoder_weight.detach()
    return LinearHeads(
        weight=decoder @ shared.projection,  # (C, V, H)
        bias=shared.bias + shared.offset @ decoder.t(),
    )
