"""Weights as a model folder stores them: safetensors, never a pickle."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from models.artifact.folder import CONFIG, ArtifactError

_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def load_tensors(path: Path) -> dict[str, Tensor]:
    """By name; every value finite, in single precision too. They are the mapped file: what is kept
    must be a copy, which no write to the file changes. Raises ArtifactError."""
    try:
        tensors = load_file(path)
    except FileNotFoundError as error:
        raise ArtifactError(f"{path}: the file is missing.") from error
    except (OSError, SafetensorError) as error:
        raise ArtifactError(f"{path}: the weights cannot be read ({error}).") from error
    for name, tensor in tensors.items():
        if tensor.dtype not in _TYPES:
            stored = str(tensor.dtype).removeprefix("torch.")
            raise ArtifactError(
                f"{path}: {name} is stored as {stored}, which is no type of weights."
            )
        kept = tensor.float() if tensor.dtype == torch.float64 else tensor
        if not torch.isfinite(kept).all():
            raise ArtifactError(f"{path}: {name} holds a value that is not finite.")
    return tensors


def as_kept(tensors: Mapping[str, Tensor], dtype: torch.dtype, path: Path) -> dict[str, Tensor]:
    """In the type in which ``path`` is to have them. Raises ArtifactError for a value that the type
    has not: the file could be written, and not be loaded."""
    kept = {name: tensor.to(dtype).contiguous() for name, tensor in tensors.items()}
    for name, tensor in kept.items():
        if not torch.isfinite(tensor).all():
            stored, most = str(dtype).removeprefix("torch."), torch.finfo(dtype).max
            raise ArtifactError(
                f"{path}: not written: {name} holds a value that {stored} cannot keep, which goes "
                f"to {most:,.0f}."
            )
    return kept


def save_tensors(
    tensors: dict[str, Tensor], path: Path, metadata: dict[str, str] | None = None
) -> None:
    """Write weights that whoever may read the folder's config may read too. The same weights give
    the same bytes, by which a model is known."""
    path.write_bytes(_in_order(save(tensors, metadata)))
    shutil.copymode(path.with_name(CONFIG), path)


def _in_order(file: bytes) -> bytes:
    """safetensors writes its metadata in an order that changes from file to file."""
    size = int.from_bytes(file[:8], "little")
    header = json.loads(file[8 : 8 + size])
    if "__metadata__" in header:
        header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    written = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    written += b" " * (-len(written) % 8)  # what follows is aligned
    return len(written).to_bytes(8, "little") + written + file[8 + size :]


def fingerprint_of(tensors: Mapping[str, Tensor]) -> str:
    """16 hex digits of the SHA-256 of weights as they are stored: names, types, shapes, values."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].contiguous()
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:16]
