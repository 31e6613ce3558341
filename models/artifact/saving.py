"""Write a model folder: first the network, then heads for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from models.artifact.folder import (
    CONFIG,
    NETWORK,
    VOCABULARY,
    ArtifactError,
    forget_figures,
    heads_path,
    read_json,
    write_json,
)
from models.artifact.heads import form_of
from models.artifact.weights import as_kept, fingerprint_of, load_tensors, save_tensors
from models.heads import Heads
from models.language_model import LanguageModel
from models.vocabulary import Vocabulary


def save_network(
    folder: Path,
    config: Mapping[str, Any],
    vocabulary: Vocabulary,
    network: LanguageModel,
    dtype: torch.dtype = torch.float16,
) -> str:
    """Write a model folder without heads or metrics; the weights in half precision by default. Its
    place among the models is a person's choice: one that is written there stays. Returns the
    fingerprint of the weights, for `save_heads`. Raises ArtifactError."""
    tensors = as_kept(network.state_dict(), dtype, folder / NETWORK)
    folder.mkdir(parents=True, exist_ok=True)
    forget_figures(folder)
    write_json(folder / CONFIG, {"id": config["id"]} | _place(folder) | dict(config))
    words = [list(pair) for pair in zip(vocabulary.words, vocabulary.classes, strict=True)]
    record = {"classes": list(vocabulary.class_names), "words": words}
    # One word a line: readable, and a change of one word is a change of one line.
    lines = ",\n".join(json.dumps(word, ensure_ascii=False) for word in words)
    head = json.dumps(record["classes"])
    (folder / VOCABULARY).write_text(
        f'{{"classes": {head},\n"words": [\n{lines}\n]}}\n', encoding="utf-8"
    )
    save_tensors(tensors, folder / NETWORK)
    return fingerprint_of(tensors)


def _place(folder: Path) -> dict[str, Any]:
    try:
        config = read_json(folder / CONFIG)
    except ArtifactError:
        return {}
    return {"place": config["place"]} if "place" in config else {}


def save_heads(
    folder: Path,
    heads: Mapping[str, Heads],
    fingerprint: str,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write heads, by semantic. fingerprint: of the network that they were trained on. Raises
    ArtifactError, and writes nothing, where ``folder`` has another by now."""
    if fingerprint_of(load_tensors(folder / NETWORK)) != fingerprint:
        raise ArtifactError(
            f"{folder / NETWORK}: these are no longer the weights that the heads were trained on; "
            "train heads for them with `unrolled train heads`."
        )
    kept = {
        semantic: as_kept(vars(trained), dtype, heads_path(folder, semantic))
        for semantic, trained in heads.items()
    }
    forget_figures(folder)
    for semantic, tensors in kept.items():
        form = form_of(heads[semantic])
        metadata = {"form": form, "semantic": semantic, "network_fingerprint": fingerprint}
        save_tensors(tensors, heads_path(folder, semantic), metadata)
