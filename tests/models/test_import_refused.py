"""What `unrolled import` refuses: the smallest checkpoint or vocabulary that shows it, with the one
sentence, and what mends it, that is said."""

from __future__ import annotations

import argparse
import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner
from safetensors.torch import save_file
from torch import nn

from models.artifact import saving
from models.importing.cli import import_checkpoint
from models.importing.word_lists import read_words
from tests.fixtures.checkpoints import VOCABULARY, WORDS, Example

STATE = Example().state_dict()


def lacking(*names: str) -> dict[str, torch.Tensor]:
    return {name: value for name, value in STATE.items() if name not in names}


def with_nan() -> dict[str, torch.Tensor]:
    broken = STATE["rnn.bias_hh_l1"].clone()
    broken[2] = torch.nan
    return STATE | {"rnn.bias_hh_l1": broken}


def labeller(embedding: int) -> dict[str, torch.Tensor]:
    """Of a network that gives each word one of three labels."""
    state = Example(embedding=embedding).state_dict()
    decoder = {name for name in state if name.startswith("decoder")}
    named = {name.replace("decoder", "fc"): state[name][:3] for name in decoder}
    return {name: value for name, value in state.items() if name not in decoder} | named


def renamed(**parts: str) -> dict[str, torch.Tensor]:
    state = {}
    for name, value in STATE.items():
        for old, new in parts.items():
            name = name.replace(old, new)
        state[name] = value
    return state


def refusal(
    folder: Path, save: Callable[[Path], object] | dict, *options: str, words: Any = VOCABULARY
) -> str:
    """The message, of one line, after which nothing is left."""
    path, vocabulary = folder / "model.pt", folder / "words.json"
    if isinstance(save, dict):
        torch.save(save, path)
    else:
        save(path)
    vocabulary.write_text(json.dumps(words))
    out = folder / "out"
    result = CliRunner().invoke(
        import_checkpoint, [str(path), "--vocab", str(vocabulary), "--out", str(out), *options]
    )
    assert result.exit_code == 1, result.output
    assert result.output.count("\n") == 1
    assert not out.exists()
    return result.output


@pytest.mark.parametrize(
    ("save", "said"),
    [
        (lambda path: torch.save(Example(), path), "torch.save(model.state_dict(), …)"),
        (lambda path: torch.save(Example(), path), "the class tests.fixtures.checkpoints.Example"),
        (
            lambda path: torch.save({"model": STATE, "args": argparse.Namespace(lr=20)}, path),
            "the class argparse.Namespace",
        ),
        (lambda path: path.write_bytes(b"no weights"), "torch cannot read weights from this file"),
        (lambda path: path.write_bytes(b""), "torch cannot read weights from this file"),
        (lambda path: path.mkdir(), "is a directory"),
        (lambda path: torch.save([1, 2], path), "there is no state dict in this file"),
        (lambda path: torch.save({"epoch": 3}, path), "there is no state dict in this file"),
        (
            lambda path: torch.save({"a": torch.eye(2).to_sparse()}, path),
            "a is quantized, sparse or complex",
        ),
        (
            lambda path: torch.save({"a": torch.ones(1).expand(2000, 2000)}, path),
            "the weights are 16,000,000 bytes by their shapes, of which the file has 4:",
        ),
        (
            lambda path: torch.save({"a": torch.ones(1).expand(1 << 24, 1 << 24)}, path),
            "of which the file has 4:",
        ),
        (
            lambda path: torch.save(dict.fromkeys("abcde", torch.ones(9).half()), path),
            "the weights are 90 bytes by their shapes, of which the file has 18:",
        ),
        (
            lambda path: torch.save(STATE | {"a": torch.ones(3, device="meta")}, path),
            "a has a shape and no values",
        ),
    ],
)
def test_files_that_are_no_state_dicts(save, said, tmp_path):
    if said == "is a directory":
        (tmp_path / "model.pt").mkdir()
        result = CliRunner().invoke(import_checkpoint, [str(tmp_path / "model.pt"), "--vocab", "x"])
        assert result.exit_code == 2
        assert said in result.output
        return
    assert said in refusal(tmp_path, save)


def test_a_file_that_is_not_there_or_no_safetensors(tmp_path):
    (tmp_path / "words.txt").write_text("a\nb\n")
    (tmp_path / "model.safetensors").write_bytes(b"{}")
    for name, said in (("none.pt", "no such file"), ("model.safetensors", "no safetensors file")):
        arguments = [str(tmp_path / name), "--vocab", str(tmp_path / "words.txt")]
        result = CliRunner().invoke(import_checkpoint, arguments)
        assert result.exit_code == 1
        assert said in result.output


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (Example(bidirectional=True).state_dict(), "the network is bidirectional"),
        (Example(bidirectional=True).state_dict(), "Taggers and classifiers are not imported"),
        (labeller(embedding=5), "fc.weight gives 3 outputs, where a decoder has one for each"),
        (labeller(embedding=4), "fc.weight has 3 rows, but the vocabulary has 11 words"),
        (labeller(embedding=4), "Or are its 3 rows labels? Taggers and classifiers are not"),
        (
            {n: w.t() if ".weight_" in n else w for n, w in STATE.items()},
            "rnn.weight_hh_l0 is 5 × 20, units × gates, as Keras",
        ),
        (lacking("encoder.weight"), "there is no embedding beside decoder.weight: if"),
        (
            {n: v for n, v in STATE.items() if v.dim() < 2 or "rnn" in n},
            "there is no embedding: no matrix of 11 words × 5 units",
        ),
        (lacking("rnn.weight_hh_l1"), "no weight_hh (it has rnn.weight_ih_l1"),
        (nn.Embedding(WORDS, 5).state_dict(), "there is no recurrent layer"),
        (with_nan(), "rnn.bias_hh_l1 holds NaN or infinity"),
        (STATE | {"attention.weight": torch.ones(5, 5)}, "attention.weight: the network has parts"),
        (
            STATE | {"rnn.weight_hh_l1": torch.ones(25, 5)},
            "rnn.weight_hh_l1 has 25 rows for 5 units",
        ),
        (STATE | {"rnn.weight_ih_l1": torch.ones(20, 6)}, "rnn.weight_ih_l1 is (20, 6), but as"),
        (STATE | {"rnn.bias_ih_l1": torch.ones(5)}, "rnn.bias_ih_l1 is (5,), but as"),
        (STATE | {"rnn.weight_hh_l1": torch.ones(20)}, "rnn.weight_hh_l1 is no matrix"),
        (
            renamed(encoder="tables.0", decoder="tables.1"),
            "each of tables.0.weight, tables.1.weight may be the embedding",
        ),
        (
            STATE | {"final.bias": torch.ones(WORDS), "decoder.bias": torch.ones(3)},
            "decoder.bias: the network has parts",
        ),
        (
            renamed(rnn="encoder_rnn")
            | {f"decoder_rnn.{n[4:]}": v for n, v in STATE.items() if n[:3] == "rnn"},
            "there are several recurrent stacks (decoder_rnn, encoder_rnn)",
        ),
    ],
)
def test_networks_that_are_not_understood(state, said, tmp_path):
    assert said in refusal(tmp_path, state)


def test_a_tied_decoder_of_other_units_is_missing(tmp_path):
    state = Example(embedding=3, units=6).state_dict()
    del state["decoder.weight"]
    assert "there is no decoder: no matrix of 11 words × 6 units" in refusal(tmp_path, state)


def test_two_candidates_for_the_bias(tmp_path):
    state = lacking("decoder.bias") | {"a": torch.ones(WORDS), "b": torch.ones(WORDS)}
    assert "each of a, b may be the decoder's bias" in refusal(tmp_path, state)


def test_a_vector_is_a_bias_only_where_it_is_called_one(tmp_path):
    """A loss may keep the weights of the classes beside the network's."""
    state = lacking("decoder.bias") | {"criterion.weight": torch.ones(WORDS)}
    assert "Error: criterion.weight may be the decoder's bias: say" in refusal(tmp_path, state)


def test_an_unknown_gate_order(tmp_path):
    names = {"rnn.weight_ih_l0": "rnn.kernel", "rnn.weight_hh_l0": "rnn.recurrent_kernel"}
    state = {names.get(n, n): v for n, v in Example(layers=1).state_dict().items()}
    given = tmp_path / "map.json"
    given.write_text(json.dumps({f"layers.0.{ours[4:]}": theirs for ours, theirs in names.items()}))
    said = refusal(tmp_path, state, "--map", str(given))
    assert "rnn.kernel is no name of torch's" in said
    assert "--gates (ifco is torch's)" in said
    said = refusal(tmp_path, state, "--map", str(given), "--gates", "ifx")
    assert "the gates of this cell are i f c o" in said


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        ("--map", "[1]", "--map is a JSON object"),
        ("--map", "{", "cannot be read as JSON"),
        ("--map", "[" * 100_000, "cannot be read as JSON"),
        (
            "--map",
            '{"embedding.weight": "wte"}',
            "the checkpoint has no weight wte; it has decoder",
        ),
        (
            "--map",
            '{"layers.5.weight_hh_l0": "decoder.bias"}',
            "recurrent layer 3 has no weight_ih",
        ),
        ("--map", '{"layers.5000.weight_hh_l0": "decoder.bias"}', "over 100 layers is not read"),
        (
            "--map",
            f'{{"layers.{"1" * 5000}.weight_hh_l0": "decoder.bias"}}',
            "a network of over 100 layers is not read",
        ),
        ("--map", '{"decoder.weight": "decoder.weight"}', "decoder.weight is no weight of this"),
    ],
)
def test_maps(option, content, said, tmp_path):
    (tmp_path / "map.json").write_text(content)
    assert said in refusal(tmp_path, STATE, option, str(tmp_path / "map.json"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cell", "gru"], "--cell gru: the weights have 4 blocks of rows, the cell has 3; lstm"),
        (["--cell", "lstm-projected"], "needs projection (weight_hr)"),
        (["--cell", "lstm-peephole"], "there is no layers.0.weight_ch_l0"),
        (["--ignore", "nothing"], "the checkpoint has no weight nothing"),
        (["--unk", "oov"], "--unk oov: the vocabulary has no such word"),
        (["--classes", "none.tsv"], "none.tsv: cannot be read"),
    ],
)
def test_options_that_do_not_fit(options, said, tmp_path):
    assert said in refusal(tmp_path, STATE, *options)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (VOCABULARY[:-1], "encoder.weight has 11 rows, but the vocabulary has 10 words"),
        ([*VOCABULARY[:-1], "the"], "the word 'the' stands here twice (id 10)"),
        ([*VOCABULARY[:-1], ""], "a word is empty (id 10)"),
        ([*VOCABULARY[:-1], "\ud800"], "half of a surrogate pair"),
        (["a"], "two words at least"),
        ({"a": 0, "b": 2}, "no word has the id 1"),
        ({"a": 0, "b": 0}, "'a' and 'b' both have the id 0"),
        ({"0": "a", "1": "b", "01": "c"}, "'b' and 'c' both have the id 1"),
        ({"0": "a", "1" * 5000: "b"}, "not every word of this object has a number"),
        ({"a": 0, "b": "x"}, "not every word of this object has a number"),
        (3, "must be a JSON list of words"),
        ([w for w in VOCABULARY if w != "<unk>"] + ["x"], "no word for unknown ones"),
        ([w for w in VOCABULARY if w != "<eos>"] + ["x"], "no end of a sentence"),
    ],
)
def test_vocabularies(words, said, tmp_path):
    assert said in refusal(tmp_path, STATE, words=words)


def test_a_vocabulary_that_is_no_text(tmp_path):
    torch.save(STATE, tmp_path / "model.pt")
    (tmp_path / "words.pkl").write_bytes(b"\x80\x04\x95")
    arguments = [str(tmp_path / "model.pt"), "--vocab", str(tmp_path / "words.pkl")]
    result = CliRunner().invoke(import_checkpoint, arguments)
    assert result.exit_code == 1
    assert "a pickle is not read" in result.output


def test_a_folder_whose_name_is_no_id_is_refused(tmp_path):
    save_file(STATE, tmp_path / "model.safetensors")
    (tmp_path / "words.txt").write_text("\n".join(VOCABULARY))
    arguments = [str(tmp_path / "model.safetensors"), "--vocab", str(tmp_path / "words.txt")]
    result = CliRunner().invoke(import_checkpoint, [*arguments, "--out", str(tmp_path / "my own")])
    assert result.exit_code == 1
    assert "the name of the folder, 'my own', is the model's id" in result.output
    assert not (tmp_path / "my own").exists()


def test_a_folder_is_named_after_the_checkpoint_in_letters_that_an_id_may_have(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    save_file(STATE, "modèle à moi.safetensors")
    Path("words.txt").write_text("\n".join(VOCABULARY))
    arguments = ["modèle à moi.safetensors", "--vocab", "words.txt"]
    assert CliRunner().invoke(import_checkpoint, arguments).exit_code == 0
    assert [path.name for path in Path("imported").iterdir()] == ["mod-le-moi"]


def test_a_vocabulary_of_pieces_of_words_is_imported_with_a_warning(tmp_path):
    save_file(STATE, tmp_path / "model.safetensors")
    words = [word if word.startswith("<") else f"▁{word}" for word in VOCABULARY]
    (tmp_path / "words.txt").write_text("\n".join(words))
    arguments = [str(tmp_path / "model.safetensors"), "--vocab", str(tmp_path / "words.txt")]
    result = CliRunner().invoke(import_checkpoint, [*arguments, "--out", str(tmp_path / "own")])
    assert result.exit_code == 0, result.output
    assert "Warning: 9 of the 11 words are marked as pieces of words (▁)" in result.stderr
    assert (tmp_path / "own" / "config.json").is_file()


def test_a_folder_that_has_something_in_it_is_left_as_it_is(tmp_path):
    save_file(STATE, tmp_path / "model.safetensors")
    (tmp_path / "words.txt").write_text("\n".join(VOCABULARY))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    arguments = [str(tmp_path / "model.safetensors"), "--vocab", str(tmp_path / "words.txt")]
    result = CliRunner().invoke(import_checkpoint, [*arguments, "--out", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "this folder is not empty" in result.output
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_could_not_be_written_is_not_in_the_way_of_the_next_try(
    there, tmp_path, monkeypatch
):
    save_file(STATE, tmp_path / "model.safetensors")
    (tmp_path / "words.txt").write_text("\n".join(VOCABULARY))
    out = tmp_path / "out"
    if there:
        out.mkdir()
    arguments = [str(tmp_path / "model.safetensors"), "--vocab", str(tmp_path / "words.txt")]

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(saving, "save_tensors", full)
        result = CliRunner().invoke(import_checkpoint, [*arguments, "--out", str(out)])
    assert result.exit_code == 1
    assert result.output == f"Error: {out}: cannot be written (No space left on device).\n"
    assert out.exists() == there
    result = CliRunner().invoke(import_checkpoint, [*arguments, "--out", str(out)])
    assert result.exit_code == 0, result.output


def test_names_with_numbers_that_python_does_not_read(tmp_path):
    state = renamed(rnn="²")
    long = {n.replace("_l1", f"_l{'1' * 5000}"): v for n, v in state.items()}
    for number, given in enumerate((state, long)):
        save_file(given, tmp_path / "model.safetensors")
        (tmp_path / "words.txt").write_text("\n".join(VOCABULARY))
        arguments = [str(tmp_path / "model.safetensors"), "--vocab", str(tmp_path / "words.txt")]
        out = tmp_path / f"out-{number}"
        result = CliRunner().invoke(import_checkpoint, [*arguments, "--out", str(out)])
        assert result.exit_code == 0, result.output


def test_lines_whose_numbers_are_no_ids(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(f"{'1' * 5000} a\nb\nc\n")
    assert read_words(path) == [f"{'1' * 5000} a", "b", "c"]
