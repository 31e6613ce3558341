"""The weights of a checkpoint, by name. Nothing in the file is run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from models.importing.refused import ImportRefused

# Under which a checkpoint may keep the weights, beside the optimiser's and the like.
_NESTS = ("state_dict", "model_state_dict", "model")
# How torch names the class that it would have had to build.
_GLOBAL = re.compile(r"GLOBAL ([\w.]+)")
# How many times as large as what is stored the weights may be: a tied one stands there twice.
_MOST_SHARED = 4


def read_weights(path: Path) -> dict[str, Tensor]:
    """Names, as they stand in the file, and weights as float32 on the processor.

    ``.safetensors``, or what ``torch.save`` made of a state dict, which may be nested under
    ``state_dict``, ``model_state_dict`` or ``model``. What counts (``num_batches_tracked``) is no
    weight. Raises ImportRefused.
    """
    if not path.is_file():
        raise ImportRefused(f"{path}: there is no such file.")
    if path.suffix in (".h5", ".hdf5", ".keras"):
        raise ImportRefused(
            f"{path}: this is a file of Keras's: save the weights as docs/your-own-model.md, From "
            "Keras, shows."
        )
    loaded = _safetensors(path) if path.suffix == ".safetensors" else _pickled(path)
    state = _state_dict(loaded, path)
    try:
        weights = {n: v.detach() for n, v in state.items() if v.is_floating_point()}
        _check_stored(weights, path)
        return {name: value.to(torch.float32).contiguous() for name, value in weights.items()}
    except (RuntimeError, ValueError, MemoryError) as error:  # numbers of a kind that torch cannot
        raise ImportRefused(
            f"{path}: torch cannot make numbers in single precision of these weights ({error})."
        ) from error


def _safetensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path, device="cpu")
    except (OSError, SafetensorError) as error:
        raise ImportRefused(f"{path}: this is no safetensors file ({error}).") from error


def _pickled(path: Path) -> Any:
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # whatever a damaged or a hostile file leads to
        if type(error).__name__ == "UnpicklingError" and (found := _GLOBAL.search(str(error))):
            raise ImportRefused(
                f"{path}: holds an object of the class {found[1]}, and to load it would run code "
                "that came with the file: save the weights alone, with "
                "torch.save(model.state_dict(), …)."
            ) from error
        raise ImportRefused(
            f"{path}: torch cannot read weights from this file: save them with "
            "torch.save(model.state_dict(), …), or as .safetensors."
        ) from error


def _state_dict(loaded: Any, path: Path) -> dict[str, Tensor]:
    for _ in range(3):  # Lightning and others nest once or twice
        if not isinstance(loaded, Mapping):
            break
        nested = next((key for key in _NESTS if isinstance(loaded.get(key), Mapping)), None)
        if nested is None:
            break
        loaded = loaded[nested]
    weights = (
        {str(name): value for name, value in loaded.items() if isinstance(value, Tensor)}
        if isinstance(loaded, Mapping)
        else {}
    )
    if not weights:
        raise ImportRefused(
            f"{path}: there is no state dict in this file, neither at its top nor under "
            f"{', '.join(_NESTS)}: save one with torch.save(model.state_dict(), …)."
        )
    for name, value in weights.items():
        if value.layout != torch.strided or value.is_quantized or value.is_complex():
            raise ImportRefused(
                f"{path}: {name} is quantized, sparse or complex: save the weights as they were "
                "trained, dense and real."
            )
    return weights


def _check_stored(weights: Mapping[str, Tensor], path: Path) -> None:
    """Raises ImportRefused for weights whose values are not in the file: a tensor may say that it
    has a billion of them, and that all are one that is stored, and a copy would fill any memory."""
    for name, value in weights.items():
        if value.is_meta:
            raise ImportRefused(
                f"{path}: {name} has a shape and no values (it is on the device meta): save the "
                "weights once they are loaded."
            )
    storages = {
        v.untyped_storage().data_ptr(): v.untyped_storage().nbytes() for v in weights.values()
    }
    said = sum(value.numel() * value.element_size() for value in weights.values())
    stored = sum(storages.values())
    if said > _MOST_SHARED * stored:
        raise ImportRefused(
            f"{path}: the weights are {said:,} bytes by their shapes, of which the file has "
            f"{stored:,}: save each with its own values (weight.clone())."
        )
