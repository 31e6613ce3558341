"""Cross-entropy over a large vocabulary, its normaliser estimated from some of the words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.training.labelled import AnySentence, inputs_and_targets

# Rows of logits at a time, of some thousand words each.
_ROWS = {"cpu": 512, "cuda": 4096}


def sampled_cross_entropy(
    h: Tensor,
    weight: Tensor,
    bias: Tensor,
    targets: Tensor,
    head: int,
    tail: int,
    generator: torch.Generator,
    order: Tensor | None = None,
) -> Tensor:
    """Mean cross-entropy per token with the normaliser estimated; h is (M, H), targets (M,).

    Exact over the ``head`` most frequent words, and ``tail`` words drawn evenly without replacement
    from the rest stand for all of them; the target is always exact. order: all ids, the most
    frequent first; by default as they are, which is how vocabularies are built here. The estimate
    of the normaliser is unbiased in any order, and the nearer the more of it the head has. Head and
    tail are cut to what the vocabulary has. (Importance sampling after Bengio and Senécal 2003,
    with strata.)
    """
    columns, head = drawn_words(weight.shape[0], head, tail, generator)
    if order is not None:
        columns = order[columns]
    loss: Tensor = _Sampled.apply(h, weight, bias, targets, columns, head)  # type: ignore[no-untyped-call]
    return loss


def frequent_first(sentences: Sequence[AnySentence], outputs: int) -> Tensor:
    """All ids by falling count in what is to be said of the sentences; ties as they are."""
    said = np.concatenate([inputs_and_targets(sentence)[1] for sentence in sentences])
    counts = np.bincount(said[said >= 0], minlength=outputs)
    return torch.from_numpy(np.argsort(-counts, kind="stable"))


def strata(vocabulary: int, head: int, tail: int) -> tuple[int, int]:
    """How many words of a vocabulary are exact, and how many are drawn."""
    head = min(head, vocabulary // 2)
    return head, min(tail, vocabulary - head)


def drawn_words(
    vocabulary: int, head: int, tail: int, generator: torch.Generator
) -> tuple[Tensor, int]:
    """Places of the first ``head`` words and ``tail`` others, (K,), and how many are the first."""
    head, tail = strata(vocabulary, head, tail)
    device = generator.device
    drawn = torch.randperm(vocabulary - head, generator=generator, device=device)[:tail] + head
    return torch.cat([torch.arange(head, device=device), drawn]), head


class _Sampled(torch.autograd.Function):
    """The loss over the K ``columns``, of which the first ``head`` are exact.

    Its gradients are computed on the way, block by block: what autograd makes of it writes every
    M × K matrix and reads it again, and takes a quarter longer.
    """

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        bias: Tensor,
        targets: Tensor,
        columns: Tensor,
        head: int,
    ) -> Tensor:
        vocabulary, count = weight.shape[0], h.shape[0]
        some, aimed = weight[columns], weight[targets]
        across = some.t().contiguous()  # (H, K): a product with some.t() takes half as long again
        offset = bias[columns]
        # A drawn word stands for (V − head) / tail words: each is drawn as often, the target too.
        offset[head:] += math.log((vocabulary - head) / (len(columns) - head))
        place = columns.new_full((vocabulary,), -1)
        place[columns] = torch.arange(len(columns), device=h.device)
        at = place[targets]  # column of the target, −1 where it is not among them
        target_logits = (h * aimed).sum(1) + bias[targets]

        d_h = torch.empty_like(h)
        d_across = torch.zeros_like(across) if ctx.needs_input_grad[1] else None
        d_offset = torch.zeros_like(offset)
        normaliser = torch.empty_like(target_logits)
        rows = min(_ROWS[h.device.type], count)
        logits = h.new_empty(rows, len(columns))
        for start in range(0, count, rows):
            block = slice(start, start + rows)
            x = logits[: len(h[block])]
            torch.mm(h[block], across, out=x)
            x += offset
            hit = (at[block] >= 0).nonzero().squeeze(1)
            x[hit, at[block][hit]] = float("-inf")
            # Softmax over the columns and the target beside them.
            most = torch.maximum(x.amax(1), target_logits[block])[:, None]
            x.sub_(most).exp_()
            total = x.sum(1) + (target_logits[block] - most[:, 0]).exp()
            normaliser[block] = total.log() + most[:, 0]
            x /= total[:, None]  # now d loss / d logits
            torch.mm(x, some, out=d_h[block])
            if d_across is not None:
                d_across.addmm_(h[block].t(), x)
            d_offset += x.sum(0)
        d_target = (target_logits - normaliser).exp() - 1  # (M,)
        d_h += d_target[:, None] * aimed
        d_bias = torch.zeros_like(bias).index_copy_(0, columns, d_offset)
        d_bias.index_add_(0, targets, d_target)
        d_weight = None
        if d_across is not None:
            d_weight = torch.zeros_like(weight).index_copy_(0, columns, d_across.t())
            d_weight.index_add_(0, targets, d_target[:, None] * h)
        ctx.save_for_backward(d_h, d_weight, d_bias)
        return (normaliser - target_logits).mean()

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        d_h, d_weight, d_bias = ctx.saved_tensors
        scale = grads[0] / len(d_h)
        d_weight = None if d_weight is None else d_weight * scale
        return d_h * scale, d_weight, d_bias * scale, None, None, None
