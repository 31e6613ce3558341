"""Write a model folder: first the network, then heads for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from models.artifact.folder import (
    CONFIG,
    NETWORK,
    VOCABULARY,
    ArtifactError,
    heads_path,
    read_json,
    write_json,
)
from models.artifact.heads import form_of
from models.artifact.weights import fingerprint_of, save_tensors
from models.heads import Heads
from models.language_model import LanguageModel
from models.vocabulary import Vocabulary


def save_network(
    folder: Path,
    config: Mapping[str, Any],
    vocabulary: Vocabulary,
    network: LanguageModel,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write a model folder without heads or metrics; the weights in half precision by default. Its
    place among the models is a person's choice: one that is written there stays."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / CONFIG, {"id": config["id"]} | _place(folder) | dict(config))
    words = [list(pair) for pair in zip(vocabulary.words, vocabulary.classes, strict=True)]
    record = {"classes": list(vocabulary.class_names), "words": words}
    # One word a line: readable, and a change of one word is a change of one line.
    lines = ",\n".join(json.dumps(word, ensure_ascii=False) for word in words)
    head = json.dumps(record["classes"])
    (folder / VOCABULARY).write_text(
        f'{{"classes": {head},\n"words": [\n{lines}\n]}}\n', encoding="utf-8"
    )
    tensors = {name: value.to(dtype) for name, value in network.state_dict().items()}
    save_tensors(tensors, folder / NETWORK)


def _place(folder: Path) -> dict[str, Any]:
    try:
        config = read_json(folder / CONFIG)
    except ArtifactError:
        return {}
    return {"place": config["place"]} if "place" in config else {}


def save_heads(
    folder: Path, semantic: str, heads: Heads, dtype: torch.dtype = torch.float16
) -> None:
    """Write heads for the network that is in ``folder``, bound to its fingerprint."""
    fingerprint = fingerprint_of(load_file(folder / NETWORK))
    tensors = {name: tensor.to(dtype).contiguous() for name, tensor in vars(heads).items()}
    metadata = {"form": form_of(heads), "semantic": semantic, "network_fingerprint": fingerprint}
    save_tensors(tensors, heads_path(folder, semantic), metadata)
