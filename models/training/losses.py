"""Exact cross-entropy over a large vocabulary (`sampled` estimates it).

`cross_entropy` gives the mean over tokens, `nll_sum` the sum, of the negative natural
log-likelihood; h is (M, H), targets (M,).
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.products import BY_TORCH
from models.separate_cores import cores

# What numpy's BLAS uses, which is told by the environment alone.
_BLAS_THREADS = (
    os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or str(cores())
)

# Rows of logits at a time: 256 × 15,000 floats stay in a processor's cache; a GPU wants more work
# at once, and has the memory.
_ROWS = {"cpu": 256, "cuda": 4096}

# A distribution per token as targets: softmax(h Wᵀ + b) of another head, as its (h, W, b).
Soft = tuple[Tensor, Tensor, Tensor]


class _ExactCrossEntropy(torch.autograd.Function):
    """Mean cross-entropy of softmax(h Dᵀ + b), its gradients computed block by block on the way.

    Never holds more than a block of logits, and each is passed over once: an ordinary linear layer
    and cross_entropy write and read the M × V matrix six times.
    """

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, weight: Tensor, bias: Tensor, targets: Tensor | Soft
    ) -> Tensor:
        d_h = torch.empty_like(h)
        d_weight = torch.zeros_like(weight) if ctx.needs_input_grad[1] else None
        d_bias = torch.zeros_like(bias)
        total = h.new_zeros(())
        rows = min(_ROWS[h.device.type], h.shape[0])
        logits, probs = h.new_empty(2, rows, weight.shape[0])  # used again for every block
        for start in range(0, h.shape[0], rows):
            block = slice(start, start + rows)
            m = len(h[block])
            torch.softmax(_logits(h[block], weight, bias, logits[:m]), 1, out=probs[:m])
            p = probs[:m]  # (m, V)
            if isinstance(targets, Tensor):
                at = targets[block, None]
                total -= p.gather(1, at).clamp_min(torch.finfo(p.dtype).tiny).log().sum()
                p.scatter_add_(1, at, p.new_full(at.shape, -1.0))  # now d loss / d logits
            else:
                y = _softmax(targets, block)
                total -= (y * torch.log_softmax(logits[:m], 1)).sum()
                p -= y
            torch.mm(p, weight, out=d_h[block])
            if d_weight is not None:
                d_weight.addmm_(p.t(), h[block])
            d_bias += p.sum(0)
        ctx.save_for_backward(d_h, d_weight, d_bias)
        ctx.count = h.shape[0]
        mean: Tensor = total / ctx.count
        return mean

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        d_h, d_weight, d_bias = ctx.saved_tensors
        scale = grads[0] / ctx.count
        return d_h * scale, None if d_weight is None else d_weight * scale, d_bias * scale, None


def cross_entropy(h: Tensor, weight: Tensor, bias: Tensor, targets: Tensor | Soft) -> Tensor:
    """Exact mean cross-entropy of softmax(h Dᵀ + b) with D (V, H), against words, or against the
    distributions of another head: then it is the divergence of Kullback and Leibler plus those
    distributions' own entropy, which no weight here changes."""
    loss: Tensor = _ExactCrossEntropy.apply(h, weight, bias, targets)  # type: ignore[no-untyped-call]
    return loss


@torch.no_grad()
def nll_sum(h: Tensor, weight: Tensor, bias: Tensor, targets: Tensor) -> Tensor:
    """Σ −log P(target) of softmax(h Dᵀ + b) over the M rows, in float64, without gradients."""
    total = torch.zeros((), dtype=torch.float64, device=h.device)
    rows = min(_ROWS[h.device.type], h.shape[0])
    logits, log_probs = h.new_empty(2, rows, weight.shape[0])  # used again for every block
    for start in range(0, h.shape[0], max(1, rows)):
        block = slice(start, start + rows)
        m = len(h[block])
        # torch's log_softmax takes a fifth of the time of its logsumexp here.
        torch.log_softmax(_logits(h[block], weight, bias, logits[:m]), 1, out=log_probs[:m])
        total -= log_probs[:m].gather(1, targets[block, None]).sum(dtype=torch.float64)
    return total


def _logits(h: Tensor, weight: Tensor, bias: Tensor, out: Tensor) -> Tensor:
    """h Dᵀ + b, written to ``out``. On a processor the product is numpy's, where its BLAS has the
    threads that torch was given: it takes 0.6 of the time of torch's for a matrix as tall as a
    vocabulary (AMD, AVX2). Torch's on Intel, where a whole step takes half as long by it, and where
    factors may be rounded."""
    rounded = torch.get_float32_matmul_precision() == "medium"
    if not (h.is_cuda or BY_TORCH or rounded) and str(torch.get_num_threads()) == _BLAS_THREADS:
        np.matmul(h.detach().numpy(), weight.detach().numpy().T, out=out.numpy())
    else:
        torch.mm(h, weight.t(), out=out)
    return out.add_(bias)


def _softmax(head: Soft, block: slice) -> Tensor:
    h, weight, bias = head
    rows = h[block]
    return _logits(rows, weight, bias, rows.new_empty(len(rows), weight.shape[0])).softmax(1)
