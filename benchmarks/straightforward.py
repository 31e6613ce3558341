"""The same numbers by the straightforward PyTorch program: each kind's distributions in one batch,
one torch call for each number. What this program is measured against, and checked with.

R timesteps, C columns (the output last), V words, H units, K classes, B bars.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from models.artifact import Model
from models.decode import Decoded, Question

# The products of both are in single precision: what they differ by shows as this much.
_MASS = 2e-6
# A logit of the linear form is a sum of 300 terms that come to 100 without their signs: in single
# precision, in whatever order, one of 100,000 is off by as much, and its probability by that part.
_LOGIT = {"shared": 1e-5, "linear": 3e-5}


@torch.no_grad()
def straightforward(
    model: Model,
    semantic: str,
    states: Tensor,
    question: Question,
    dtype: torch.dtype = torch.float32,
) -> Decoded:
    """Decode the states (C − 1, R, H) of every kind and the network's output.

    Ties are broken as torch does, which is by no rule. dtype: of what comes after the products;
    in single precision torch's softmax alone is off by some 5 · 10⁻⁶.
    """
    network, heads = model.network, model.heads[semantic]
    classes = torch.from_numpy(question.classes)
    labels, next_ids = torch.from_numpy(question.labels), torch.from_numpy(question.next_ids)
    rows, columns = states.shape[1], len(states) + 1
    out = Decoded.empty(rows, columns, question)
    y = network.logits(states[-1]).to(dtype).softmax(-1)  # (R, V)
    for c in range(columns):
        if c < columns - 1:
            logits = heads.logits(c, states[c], network.decoder_weight).to(dtype)  # (R, V)
        else:
            logits = network.logits(states[-1]).to(dtype)
        log_probs = logits.log_softmax(-1)
        probs = log_probs.exp()
        top = probs.topk(question.bars)
        out.top_ids[:, c], out.top_probs[:, c] = top.indices.numpy(), top.values.numpy()
        kept = probs.topk(question.top_words)
        mass = torch.zeros(rows, question.class_count, dtype=dtype)
        out.mass[:, c] = mass.scatter_add_(1, classes[kept.indices], kept.values).numpy()
        entropy = -(probs * log_probs).sum(-1)
        out.entropy[:, c] = entropy.numpy() / math.log(2)
        m = ((probs + y) / 2).clamp_min(1e-37)
        divergence = -(m * m.log()).sum(-1) - (entropy + _entropy(y)) / 2
        out.divergence[:, c] = (divergence / math.log(2)).clamp(0, 1).numpy()
        out.label_ranks[:, c], out.label_probs[:, c] = _rank(probs, labels)
    out.next_ranks[:], out.next_probs[:] = _rank(y, next_ids)
    out.surprisal[:] = -np.log2(out.next_probs)
    return out


def _entropy(probs: Tensor) -> Tensor:
    return -torch.special.xlogy(probs, probs).sum(-1)


def _rank(probs: Tensor, ids: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Rank and probability of ids (R,) in rows (R, V); 0 and nan for −1."""
    asked = probs.gather(1, ids.clamp_min(0)[:, None])
    ranks = 1 + (probs > asked).sum(-1)
    there = (ids >= 0).numpy()
    return np.where(there, ranks.numpy(), 0), np.where(there, asked[:, 0].numpy(), np.nan)


def check_equal(got: Decoded, reference: Decoded, top_words: int, form: str) -> None:
    """Raises AssertionError unless both say the same: masses to 2e-6, probabilities to 1e-5 of
    themselves (of heads of the linear form to 3e-5) and 2e-6, the same words but where the
    reference's own probabilities are equal to the last digits of single precision: there, either
    word may be the last one that counts.
    """
    total = reference.mass.sum(-1)
    # The least likely of the words summed is no more likely than they are on average.
    gap = np.abs(got.mass - reference.mass).max(-1)
    assert (gap <= _MASS + total / top_words).all(), "the masses differ"
    assert (gap <= _MASS).mean() > 0.8, "the masses differ"
    np.testing.assert_allclose(got.mass.sum(-1), total, atol=_MASS, err_msg="mass")
    for name in ("top_probs", "label_probs", "next_probs"):
        here, there = getattr(got, name), getattr(reference, name)
        np.testing.assert_allclose(here, there, atol=_MASS, rtol=_LOGIT[form], err_msg=name)
    for name in ("entropy", "divergence", "surprisal"):
        np.testing.assert_allclose(
            getattr(got, name), getattr(reference, name), atol=2e-4, err_msg=name
        )
    # A bar may hold another word only where its neighbour is as likely.
    other = got.top_ids != reference.top_ids
    gaps = np.abs(np.diff(reference.top_probs, axis=-1))
    near = np.zeros_like(other)
    near[..., :-1] |= gaps <= 1e-6 * reference.top_probs[..., :-1] + 1e-9
    near[..., 1:] |= near[..., :-1]
    near[..., -1] = True  # its neighbour is not told
    assert not (other & ~near).any(), "the bars hold other words"
    # Beyond the first hundred, words stand so close that some are equal to the last digits: there a
    # rank may be the one beside it.
    apart = np.abs(got.next_ranks - reference.next_ranks)
    assert (apart <= (reference.next_ranks > 100)).all(), "other ranks"
