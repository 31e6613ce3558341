"""Checkpoints of others, as networks of ours: what is matched to what, and that both say the same.

The oracle is the module that the checkpoint is of.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from models.artifact import load_network_only
from models.cells import CELLS
from models.importing.folder import write_model
from models.importing.gates import order_of
from models.importing.matching import fill, match
from models.importing.weights import read_weights
from models.importing.words import understand
from tests.fixtures.checkpoints import VOCABULARY, WORDS, Averaged, Cells, Example, randomised

IDS = torch.randint(WORDS, (9, 3), generator=torch.Generator().manual_seed(1))

SCHEMES = {
    "PyTorch's example, LSTM": lambda: Example(),
    "PyTorch's example, tied": lambda: Example(tied=True),
    "PyTorch's example, embeddings of their own size": lambda: Example(embedding=3, units=6),
    "GRU": lambda: Example("GRU"),
    "Elman": lambda: Example("RNN"),
    "without biases": lambda: Example(bias=False),
    "projected": lambda: Example(proj_size=3),
    "one layer": lambda: Example(layers=1),
    "eleven layers": lambda: Example(layers=11),
    "DataParallel": lambda: nn.DataParallel(Example()),
    "AWD-LSTM, raw weights in the layer": lambda: Averaged(),
    "AWD-LSTM, raw weights in the wrapper": lambda: Averaged(inside=False),
    "torch's cells": Cells,
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_imported_network_says_what_the_module_says(scheme: str, tmp_path: Path) -> None:
    module = randomised(SCHEMES[scheme]())
    path = tmp_path / "model.pt"
    torch.save(module.state_dict(), path)
    state = read_weights(path)
    matched = match(state, WORDS)
    write_model(tmp_path / "own", path, None, matched, fill(matched, state), understand(VOCABULARY))
    _, _, network, _ = load_network_only(tmp_path / "own")
    said = network.logits(network(IDS)).log_softmax(-1)
    torch.testing.assert_close(said, module(IDS).detach(), rtol=0, atol=1e-5)
    network, module = network.double(), module.double()
    said = network.logits(network(IDS)).log_softmax(-1)
    torch.testing.assert_close(said, module(IDS).detach(), rtol=0, atol=1e-6)


def test_the_relu_of_an_elman_network_is_told() -> None:
    module = randomised(Example("RNN", nonlinearity="relu"))
    state = module.state_dict()
    network = fill(matched := match(state, WORDS, cell="elman-relu"), state)
    assert matched.architecture["cell"] == "elman-relu"
    said = network.logits(network(IDS)).log_softmax(-1)
    torch.testing.assert_close(said, module(IDS).detach(), rtol=0, atol=1e-5)


def test_names_of_no_one_else_are_mapped_and_their_gates_put_in_order() -> None:
    """As TensorFlow's BasicLSTMCell has them: i, c̃, f, o."""
    module = randomised(Example(layers=1))
    state = dict(module.state_dict())
    theirs = {
        "layers.0.weight_ih_l0": "cell.kernel",
        "layers.0.weight_hh_l0": "cell.recurrent",
        "layers.0.bias_ih_l0": "cell.bias",
    }
    i, f, c, o = range(4)
    for ours, name in theirs.items():
        weight = state.pop("rnn." + ours.removeprefix("layers.0."))
        if "bias" in ours:
            weight = weight + state.pop("rnn.bias_hh_l0")
        blocks = weight.chunk(4)
        state[name] = torch.cat([blocks[k] for k in (i, c, f, o)])
    matched = match(state, WORDS, given=theirs, gates="igfo")
    assert matched.names["layers.0.bias_hh_l0"] is None
    network = fill(matched, state)
    said = network.logits(network(IDS)).log_softmax(-1)
    torch.testing.assert_close(said, module(IDS).detach(), rtol=0, atol=1e-5)


def test_a_map_overrides_what_would_be_found() -> None:
    state = dict(randomised(Example()).state_dict())
    swapped = {"embedding.weight": "decoder.weight", "decoder": "encoder.weight"}
    matched = match(state, WORDS, given=swapped)
    assert matched.names["embedding.weight"] == "decoder.weight"
    assert torch.equal(fill(matched, state).decoder_weight, state["encoder.weight"])


def test_a_table_of_another_name_is_the_embedding_where_the_map_says_so() -> None:
    """As safetensors leaves it of two tied ones: the one that comes first in the alphabet."""
    module = randomised(Example(tied=True))
    state = {n: v for n, v in module.state_dict().items() if n != "encoder.weight"}
    matched = match(state, WORDS, given={"embedding.weight": "decoder.weight"})
    assert matched.architecture["tied"]
    network = fill(matched, state)
    said = network.logits(network(IDS)).log_softmax(-1)
    torch.testing.assert_close(said, module(IDS).detach(), rtol=0, atol=1e-5)


def test_what_is_no_part_is_ignored_when_told() -> None:
    state = dict(Example().state_dict()) | {"criterion.weight": torch.ones(3)}
    matched = match(state, WORDS, ignored=["criterion.weight"])
    assert matched.passed_over == ("criterion.weight",)


def test_layers_are_in_the_order_of_their_numbers() -> None:
    matched = match(Example(layers=11).state_dict(), WORDS)
    names = [matched.names[f"layers.{k}.weight_hh_l0"] for k in range(11)]
    assert names == [f"rnn.weight_hh_l{k}" for k in range(11)]


def test_gates_are_in_the_order_of_the_cell_s_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [order_of(cell) for cell in ("lstm", "gru", "elman")] == ["ifco", "rzh", "a"]
    assert order_of("lstm-coupled") == "fco"
    turned = replace(CELLS["lstm"], rows=CELLS["lstm"].rows[::-1])
    monkeypatch.setitem(CELLS, "lstm", turned)
    assert order_of("lstm") == "ocfi"


@pytest.mark.parametrize(
    "keys", [("model",), ("state_dict",), ("model_state_dict",), ("state_dict", "model")]
)
def test_a_nested_state_dict_is_found(keys: tuple[str, ...], tmp_path: Path) -> None:
    state = Example().state_dict()
    nested: object = state
    for key in keys:
        nested = {key: nested, "epoch": 3, "optimizer": {"state": {0: torch.ones(2)}}}
    torch.save(nested, tmp_path / "checkpoint.pt")
    assert read_weights(tmp_path / "checkpoint.pt").keys() == state.keys()


def test_safetensors_and_half_precision(tmp_path: Path) -> None:
    module = randomised(Example()).half()
    save_file(module.state_dict(), tmp_path / "model.safetensors")
    state = read_weights(tmp_path / "model.safetensors")
    assert {value.dtype for value in state.values()} == {torch.float32}
    assert torch.equal(state["rnn.weight_hh_l1"], module.rnn.weight_hh_l1.float())


def test_weights_of_a_gpu_are_read_on_a_machine_without(tmp_path: Path, monkeypatch) -> None:
    """torch writes beside each weight where it lay: here, as if on the first GPU."""
    monkeypatch.setattr(torch.serialization, "location_tag", lambda storage: "cuda:0")
    torch.save(Example().state_dict(), tmp_path / "gpu.pt")
    monkeypatch.undo()
    assert b"cuda:0" in (tmp_path / "gpu.pt").read_bytes()
    state = read_weights(tmp_path / "gpu.pt")
    assert {str(value.device) for value in state.values()} == {"cpu"}


def test_counters_are_no_weights(tmp_path: Path) -> None:
    state = dict(Example().state_dict()) | {"steps": torch.tensor(7)}
    torch.save(state, tmp_path / "model.pt")
    assert "steps" not in read_weights(tmp_path / "model.pt")


def test_a_folder_says_where_it_is_from(tmp_path: Path) -> None:
    module = randomised(Example(embedding=3, units=6))
    torch.save(module.state_dict(), tmp_path / "model.pt")
    state = read_weights(tmp_path / "model.pt")
    matched = match(state, WORDS)
    folder = tmp_path / "own"
    write_model(
        folder, tmp_path / "model.pt", None, matched, fill(matched, state), understand(VOCABULARY)
    )
    config = json.loads((folder / "config.json").read_text())
    assert config["architecture"] == {
        "cell": "lstm",
        "layers": 2,
        "units": 6,
        "tied": False,
        "embedding": 3,
        "vocabulary": WORDS,
    }
    assert config["imported"]["weights"]["decoder"] == "decoder.weight"
    assert config["name"] == "own · LSTM 6×2"
    assert "`rnn.weight_hh_l1`" in (folder / "MODEL_CARD.md").read_text()
