"""The model ``worked-example``: the LSTM of two units that Guo and Boyd-Graber's lecture "Long
Short Term Memory Networks" works by hand, with its two inputs A and B as words.

Nothing is trained but the heads. The lecture's y = softmax(h) over two outputs is a decoder tied
to embeddings that are the lecture's inputs, A = [1, 0] and B = [0, 1]; the special tokens, which
the lecture has not, have no say in it. ``<bos>`` is read as zeros, which leave h and c at zero: the
lecture's timestep 1 is the row after it.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.artifact import load_model
from models.artifact.folder import CARD, METRICS, id_of, write_json
from models.artifact.saving import save_heads, save_network
from models.checksums import seal
from models.heads import LinearHeads
from models.language_model import LanguageModel
from models.semantics import WORD_SEMANTICS
from models.text import SPECIALS
from models.training.evaluate import evaluate
from models.training.heads import train_heads
from models.training.provenance import code_version, machine
from models.training.recipe import HeadsRecipe
from models.vocabulary import Vocabulary

ID = "worked-example"
WORDS = ("A", "B")
# The lecture's matrices, in torch's order of rows: input, forget, cell, output. No biases.
W_X = [[4, 4], [2, 2], [-2, 3], [2, 3], [1, 3], [0, -3], [5, 5], [3, 5]]
W_H = [[1, 0], [4, -2], [-1, -2], [0, 0], [-4, -8], [4, 3], [1, 0], [2, 1]]
NEVER = -30.0  # a logit: next to 0 it is a probability of 1e-13

_PARTS = {"train": 3000, "valid": 300, "test": 600}  # sentences
_LENGTHS = (3, 8)  # words
_HEADS = HeadsRecipe(epochs=6, batch_tokens=256, rate=0.02)
_EXAMPLES = (
    ("A A B", "The lecture's own input: the prediction is A, then B, then B"),
    ("A B A B A", "B in between does not hide that A has come twice"),
    ("B B B A", "Without an A the prediction stays at A"),
    ("A A A A", "What c holds after many A"),
    ("A\nA A\nA A B", "The lecture's three timesteps, each from the start"),
)
_PALETTES = [
    {
        "id": "two",
        "name": "Two words",
        "colours": {"A": "#e15759", "B": "#4e79a7", "SPECIAL": "#a29e97"},
        "groups": {},
    },
    {
        "id": "colour-blind",
        "name": "Colour-blind safe",
        "colours": {"A": "#d55e00", "B": "#0072b2", "SPECIAL": "#999999"},
        "groups": {},
    },
]


def make(folder: Path, seed: int = 1) -> None:
    """Write the model folder: network, heads, figures and card. Raises ArtifactError, OSError."""
    vocabulary = Vocabulary(
        (*SPECIALS, *WORDS), (2, 2, 2, 2, 0, 1), (*WORDS, "SPECIAL"), rules="symbols", ends=False
    )
    network = lecture_network(vocabulary)
    parts = {
        name: written_sentences(network, vocabulary, count, [seed, index])
        for index, (name, count) in enumerate(_PARTS.items())
    }
    config = _config(id_of(folder), seed)
    fingerprint = save_network(folder, config, vocabulary, network)
    recipe = replace(_HEADS, seed=seed)
    heads = train_heads(network, parts["train"], WORD_SEMANTICS, recipe, "linear")
    following = heads["next"]
    assert isinstance(following, LinearHeads)
    following.weight[-1] = network.decoder_weight  # y = softmax(h), as the lecture has it
    following.bias[-1] = network.decoder_bias
    save_heads(folder, heads, fingerprint)
    model = load_model(folder, metrics_required=False)
    metrics = evaluate(model, parts, dict.fromkeys(parts, 0.0))
    write_json(folder / METRICS, metrics)
    (folder / CARD).write_text(_card(config, metrics), encoding="utf-8")
    seal(folder)


def lecture_network(vocabulary: Vocabulary) -> LanguageModel:
    """The lecture's LSTM; A and B are the last two words."""
    network = LanguageModel(len(vocabulary), 2, 1)
    with torch.no_grad():
        network.embedding.weight[-2:] = torch.eye(2)
        network.decoder_bias[:-2] = NEVER
        layer = network.layers[0]
        layer.get_parameter("weight_ih_l0").copy_(torch.tensor(W_X))
        layer.get_parameter("weight_hh_l0").copy_(torch.tensor(W_H))
        layer.get_parameter("bias_ih_l0").zero_()
        layer.get_parameter("bias_hh_l0").zero_()
    return network.requires_grad_(False).eval()


@torch.no_grad()
def written_sentences(
    network: LanguageModel, vocabulary: Vocabulary, count: int, seed: Sequence[int]
) -> list[np.ndarray]:
    """Sentences that the network itself writes, word by word from its own prediction, so that it
    is as good a model of them as there can be: ``<bos>`` and the words, in ids. They have no end
    of their own: their lengths are drawn.
    """
    rng = np.random.default_rng(seed)
    ids = np.full((1, count), vocabulary.bos)
    for _ in range(_LENGTHS[1]):
        h = network(torch.from_numpy(ids))[-1]
        second = torch.softmax(network.logits(h), 1)[:, -1].numpy()
        drawn = np.where(rng.random(count) < second, len(vocabulary) - 1, len(vocabulary) - 2)
        ids = np.concatenate([ids, drawn[None]])
    lengths = rng.integers(_LENGTHS[0], _LENGTHS[1] + 1, count)
    return [ids[: length + 1, n] for n, length in enumerate(lengths)]


def _config(id: str, seed: int) -> dict[str, Any]:
    device = torch.device("cpu")
    code = code_version()
    record = asdict(replace(_HEADS, seed=seed)) | {"form": "linear", "code": code}
    return {
        "id": id,
        "place": 4,
        "name": "Worked example · LSTM 2×1",
        "description": (
            "The LSTM of two units that Guo and Boyd-Graber's lecture works by hand through A, A, "
            "B: has A come more than once? As y's word, A says at most once and B more often; "
            "which letter came next has no meaning here."
        ),
        "architecture": {
            "cell": "lstm",
            "layers": 1,
            "units": 2,
            "vocabulary": len(SPECIALS) + len(WORDS),
            "tied": True,
        },
        "text": {
            "rules": "symbols",
            "minimum_count": 1,
            "sentence_start": "<bos>",
            "sentence_end": None,  # the lecture has none: none is scored
        },
        "corpus": {
            "name": "Its own sentences",
            "source": "drawn from the network's own predictions",
            "format": ID,
            "split": "given",
            "parts": ", ".join(f"{count:,} {name}" for name, count in _PARTS.items()),
        },
        "training": {
            "recipe": ID,
            "network": {},
            "seed": seed,
            "heads": dict.fromkeys(WORD_SEMANTICS, record),
        },
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "code": code,
        }
        | machine(device),
        "palettes": _PALETTES,
        "examples": [{"text": text, "shows": shows} for text, shows in _EXAMPLES],
    }


def _card(config: dict[str, Any], metrics: dict[str, Any]) -> str:
    figures = metrics["heads"]["next"]
    rows = "\n".join(
        f"| {kind} | {layer} | {figure['perplexity']:.3f} |"
        for kind, layers in figures.items()
        for layer, figure in layers.items()
    )
    return f"""# {config["id"]}

{config["description"]}

Input A is [1, 0], input B is [0, 1], all biases are zero, and y = softmax(h). The lecture reads
y as a class, its first output as the one, its second as the other. Here the first output is the
word A and the second the word B, so that the most likely word at A, A, B is A, B, B. Each letter is
a token; `<bos>` leaves h and c at zero, so the lecture's timestep 1 is the second row. Its last
slide ("Next time step…") has other figures than its own walk through timestep 3; the walk is what
the network computes.

## Heads

The head of the output state h, asked for the next word, is the lecture's identity, softmax(h). The
others are fitted to sentences that the network itself writes (seed {config["training"]["seed"]};
{config["corpus"]["parts"]}). On the test sentences the network has perplexity
{metrics["perplexity"]["test"]:.3f}, of 2 at most, and its kinds, by their heads for the next word:

| kind | layer | perplexity |
|---|---|---|
{rows}

## To make it again

```
.venv/bin/unrolled train worked-example --out models/zoo/{config["id"]}
```
"""
