"""The heads of a model folder, one file for each semantic. Each carries the fingerprint of the
network that it was trained on: heads of another network decode nonsense that looks like sense.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor

from models.artifact.folder import ArtifactError
from models.artifact.weights import load_tensors
from models.heads import Heads, LinearHeads, SharedHeads
from models.language_model import LanguageModel

FORMS: dict[str, type[Heads]] = {"shared": SharedHeads, "linear": LinearHeads}


def form_of(heads: Heads) -> str:
    """An id of `FORMS`."""
    return next(name for name, kind in FORMS.items() if isinstance(heads, kind))


def _kept(form: str, name: str, tensor: Tensor) -> Tensor:
    """In single precision; but the matrices of linear heads, which are large, in half precision if
    they are stored so (`models.decode.classifiers` reads them so, or widens a piece at a time)."""
    half = form == "linear" and name == "weight" and tensor.dtype == torch.float16
    return tensor.clone() if half else tensor.to(torch.float32, copy=True)


def load_heads(
    path: Path, semantic: str, fingerprint: str, kinds: int, network: LanguageModel, said: str
) -> Heads:
    """semantic: what they must have been trained for. said: what the network chooses among, words
    or labels. Raises ArtifactError."""
    tensors = load_tensors(path)
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata() or {}
    trained_on = metadata.get("network_fingerprint")
    if trained_on != fingerprint:
        raise ArtifactError(
            f"{path}: these heads were trained on another network "
            f"(fingerprint {trained_on}, the network's is {fingerprint}); train them again with "
            "`unrolled train heads`, or remove the file."
        )
    trained_for = metadata.get("semantic")
    if trained_for != semantic:
        raise ArtifactError(
            f"{path}: these heads were trained for the semantic {trained_for}, not for {semantic}; "
            "the file must have the name that it was written with."
        )
    form = metadata.get("form", "")
    if form not in FORMS:
        raise ArtifactError(f"{path}: the form {form!r} is not known; {', '.join(FORMS)} are.")
    try:
        heads = FORMS[form](**{name: _kept(form, name, t) for name, t in tensors.items()})
    except (TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: these are not {form} heads ({error}).") from error
    shape = (heads.kinds, heads.units, heads.words)
    if shape != (kinds, network.width, network.outputs):
        raise ArtifactError(
            f"{path}: the heads are for {shape[0]} kinds, {shape[1]} units and {shape[2]} {said}; "
            f"the network has {kinds}, {network.width} and {network.outputs}."
        )
    read = network.decoder_weight.shape[1]
    if isinstance(heads, SharedHeads) and heads.offset.shape[1] != read:
        raise ArtifactError(
            f"{path}: the heads project to {heads.offset.shape[1]} units; the network's decoder "
            f"reads {read}."
        )
    return heads
