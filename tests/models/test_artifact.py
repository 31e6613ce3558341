"""Every way in which a model folder can be wrong is one sentence that names the file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from models.artifact import ArtifactError, find_models, load_model, load_network_only
from models.artifact.folder import forget_figures
from models.artifact.network import READING, reading_of
from models.artifact.saving import save_heads, save_network
from models.checksums import seal
from models.heads import LinearHeads, SharedHeads
from models.training.forms import as_form, classifier
from tests.fixtures.tiny import make_tiny_labelled, make_tiny_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_tiny_model(tmp_path)


def edit(path: Path, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg]
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def other_network(folder: Path) -> None:
    other = make_tiny_model(folder.parent / "other", seed=1)
    (folder / "heads-next.safetensors").write_bytes((other / "heads-next.safetensors").read_bytes())


def not_finite(folder: Path) -> None:
    path = folder / "network.safetensors"
    tensors = load_file(path)
    tensors["decoder_bias"][0] = float("nan")
    save_file(tensors, path)


def weight(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Path], None]:
    """Stores the decoder's bias as something else."""

    def spoil(folder: Path) -> None:
        path = folder / "network.safetensors"
        tensors = load_file(path)
        tensors["decoder_bias"] = change(tensors["decoder_bias"])
        save_file(tensors, path)

    return spoil


def heads_of_another_semantic(folder: Path) -> None:
    shutil.copy(folder / "heads-next.safetensors", folder / "heads-this.safetensors")


def heads_not_finite(folder: Path) -> None:
    path = folder / "heads-this.safetensors"
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata()
    tensors = load_file(path)
    tensors["bias"][0, 0] = float("inf")
    save_file(tensors, path, metadata)


def word(index: int, value: object) -> Callable[[Path], None]:
    """Gives a word of the vocabulary another text (0) or class (1)."""
    return lambda f: edit(f / "vocab.json", lambda v: v["words"][5].__setitem__(index, value))


def config(**fields: object) -> Callable[[Path], None]:
    return lambda f: edit(f / "config.json", lambda c: c.update(fields))


def architecture(**fields: object) -> Callable[[Path], None]:
    return lambda f: edit(f / "config.json", lambda c: c["architecture"].update(fields))


PALETTE = {"id": "two", "name": "Two", "colours": {"NOUN": "#4e79a7"}, "groups": {}}
FAULTS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no config": (lambda f: (f / "config.json").unlink(), "config.json", "missing"),
    "config not JSON": (lambda f: (f / "config.json").write_text("{"), "config.json", "JSON"),
    "config a list": (lambda f: (f / "config.json").write_text("[]"), "config.json", "object"),
    "unknown cell": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(cell="gru2")),
        "config.json",
        "gru2",
    ),
    "cell not a name": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(cell=["lstm"])),
        "config.json",
        "architecture.cell must be a string",
    ),
    "bidirectional": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(bidirectional=True)),
        "config.json",
        "reads the words to come",
    ),
    "a projection that the cell has not": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(projection=4)),
        "config.json",
        "cannot project",
    ),
    "units of another number of layers": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(units=[8])),
        "config.json",
        "2 layers",
    ),
    "weights of another cell": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(cell="gru")),
        "network.safetensors",
        "bias_hh_l0 is (32,)",
    ),
    "no architecture": (
        lambda f: edit(f / "config.json", lambda c: c.pop("architecture")),
        "config.json",
        "architecture",
    ),
    "other units": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(units=9)),
        "network.safetensors",
        "(",
    ),
    "no weights": (
        lambda f: (f / "network.safetensors").unlink(),
        "network.safetensors",
        "missing",
    ),
    "truncated weights": (
        lambda f: truncate(f / "network.safetensors"),
        "network.safetensors",
        "read",
    ),
    "weights not finite": (not_finite, "network.safetensors", "finite"),
    "truncated heads": (
        lambda f: truncate(f / "heads-this.safetensors"),
        "heads-this.safetensors",
        "read",
    ),
    "heads of another network": (other_network, "heads-next.safetensors", "another network"),
    "a word too few": (
        lambda f: edit(f / "vocab.json", lambda v: v["words"].pop()),
        "network.safetensors",
        "vocab.json",
    ),
    "no <unk>": (
        lambda f: edit(f / "vocab.json", lambda v: v["words"][0].__setitem__(0, "zzz")),
        "vocab.json",
        "<unk>",
    ),
    "a class too many": (
        lambda f: edit(f / "vocab.json", lambda v: v["words"][5].__setitem__(1, 99)),
        "vocab.json",
        "class",
    ),
    "an example without shows": (
        lambda f: edit(f / "config.json", lambda c: c.update(examples=[{"text": "a"}])),
        "config.json",
        "examples[0].shows is missing",
    ),
    "a second text that is no string": (
        lambda f: edit(f / "config.json", lambda c: c["examples"][0].update(compare=["a"])),
        "config.json",
        "examples[0].compare must be a string",
    ),
    "text a string": (
        lambda f: edit(f / "config.json", lambda c: c.update(text="penn")),
        "config.json",
        "text must be an object",
    ),
    "a palette without colours": (
        lambda f: edit(f / "config.json", lambda c: c.update(palettes=[{"id": "x"}])),
        "config.json",
        "palettes[0].name is missing",
    ),
    "a palette of other classes": (
        lambda f: edit(f / "config.json", lambda c: c.update(palettes=[PALETTE])),
        "config.json",
        "the palette 'Two' has no colour for 'PRON'",
    ),
    "a colour that is none": (
        lambda f: edit(
            f / "config.json",
            lambda c: c.update(palettes=[PALETTE | {"colours": {"NOUN": "red"}}]),
        ),
        "config.json",
        "palettes[0].colours.NOUN",
    ),
    "another size of vocabulary": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(vocabulary=5)),
        "config.json",
        "architecture.vocabulary is 5, but vocab.json has 52 words",
    ),
    "not told whether it is tied": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].pop("tied")),
        "config.json",
        "architecture.tied is missing",
    ),
    "units that are no number": (
        lambda f: edit(f / "config.json", lambda c: c["architecture"].update(units=[8, "8"])),
        "config.json",
        "architecture.units must be a whole number over 0, or a list of them",
    ),
    "a field of another name": (
        lambda f: edit(f / "config.json", lambda c: c.update(palletes=[])),
        "config.json",
        "palletes is no field that is known",
    ),
    "figures that are no numbers": (
        lambda f: edit(f / "metrics.json", lambda m: m["perplexity"].update(test="22")),
        "metrics.json",
        "perplexity.test must be a number of at least 1",
    ),
    "figures of no head": (
        lambda f: edit(f / "metrics.json", lambda m: m.update(heads={"next": {"embedding": 3}})),
        "metrics.json",
        "heads.next.embedding must be an object",
    ),
    "no id": (lambda f: edit(f / "config.json", lambda c: c.pop("id")), "config.json", "id"),
    "heads not finite": (heads_not_finite, "heads-this.safetensors", "finite"),
    "figures of another network": (
        lambda f: edit(f / "metrics.json", lambda m: m.update(network_fingerprint="0" * 16)),
        "metrics.json",
        "another network",
    ),
    "no perplexity": (
        lambda f: edit(f / "metrics.json", lambda m: m.pop("perplexity")),
        "metrics.json",
        "perplexity",
    ),
    "heads of another semantic": (
        heads_of_another_semantic,
        "heads-this.safetensors",
        "trained for the semantic next, not for this",
    ),
    "a scalar for a weight": (
        weight(lambda _: torch.tensor(1.0)),
        "network.safetensors",
        "decoder_bias is ()",
    ),
    "weights in eight bits": (
        weight(lambda bias: bias.to(torch.float8_e4m3fn)),
        "network.safetensors",
        "decoder_bias is stored as float8_e4m3fn",
    ),
    "weights beyond single precision": (
        weight(lambda bias: torch.full(bias.shape, 1e300, dtype=torch.float64)),
        "network.safetensors",
        "finite",
    ),
    "more layers than any memory holds": (
        architecture(layers=10**9),
        "config.json",
        "1,000,000,000 layers are more than 64",
    ),
    "more units than any memory holds": (
        architecture(units=10**10),
        "config.json",
        "10,000,000,000 units are more than 65,536",
    ),
    "a larger embedding than any memory holds": (
        architecture(embedding=10**10, tied=False),
        "config.json",
        "10,000,000,000 units are more than 65,536",
    ),
    "a word that is a number": (word(0, 5), "vocab.json", "words and the names of classes"),
    "a word that is nothing": (word(0, None), "vocab.json", "words and the names of classes"),
    "a class between two": (word(1, 1.5), "vocab.json", "class must be a whole number"),
    "half a character in a word": (word(0, "\ud800"), "vocab.json", "surrogates not allowed"),
    "half a character in the name": (config(name="\ud800"), "config.json", "surrogates"),
    "half a character in a key": (config(imported={"\ud800": 1}), "config.json", "surrogates"),
    "lists in lists": (
        lambda f: (f / "config.json").write_text("[" * 100_000),
        "config.json",
        "recursion",
    ),
    "a place beyond every number": (config(place=10**400), "config.json", "place must be a number"),
    "an id with a slash": (config(id="a/b"), "config.json", "id must be a string of letters"),
    "an id of no letter": (config(id=""), "config.json", "id must be a string of letters"),
    "an id that is a folder's": (config(id=".."), "config.json", "id must be a string of letters"),
    "no metrics": (lambda f: (f / "metrics.json").unlink(), "metrics.json", "missing"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_folder_is_refused_by_file(folder: Path, fault: str) -> None:
    spoil, file, said = FAULTS[fault]
    spoil(folder)
    with pytest.raises(ArtifactError) as refusal:
        load_model(folder)
    message = str(refusal.value)
    assert file in message
    assert said in message
    assert "\n" not in message


def test_a_folder_without_heads_says_how_to_make_them(folder: Path) -> None:
    for path in folder.glob("heads-*"):
        path.unlink()
    with pytest.raises(ArtifactError, match="unrolled train heads"):
        load_model(folder)


def test_one_flipped_byte_of_the_network_is_noticed(folder: Path) -> None:
    path = folder / "network.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ArtifactError, match="another network"):
        load_model(folder)


@pytest.mark.parametrize(
    "file", ["network.safetensors", "heads-this.safetensors", "vocab.json", "metrics.json"]
)
def test_any_flipped_byte_of_a_sealed_folder_is_noticed(folder: Path, file: str) -> None:
    seal(folder)
    load_model(folder)
    path = folder / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ArtifactError, match=f"{path}: the file is not the one that was written"):
        load_model(folder)


@pytest.mark.parametrize(
    "file", ["network.safetensors", "heads-this.safetensors", "vocab.json", "metrics.json"]
)
def test_a_file_that_a_sealed_folder_lost_is_missed(folder: Path, file: str) -> None:
    seal(folder)
    (folder / file).unlink()
    with pytest.raises(ArtifactError, match=f"{folder / file}: the file is missing"):
        load_model(folder, metrics_required=False)


def test_figures_that_are_about_to_be_measured_anew_are_not_missed(folder: Path) -> None:
    seal(folder)
    (folder / "metrics.json").unlink()
    load_model(folder, metrics_read=False)


def test_figures_that_are_taken_away_leave_a_folder_that_loads(folder: Path) -> None:
    seal(folder)
    forget_figures(folder)
    assert load_model(folder, metrics_required=False).metrics == {}


def test_a_model_in_memory_is_not_changed_by_what_is_written_over_its_files(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path, semantics=("next",))
    heads = load_model(folder).heads["next"]
    kept_in_full = save_network(folder, *load_network_only(folder)[:3], torch.float32)
    save_heads(folder, {"next": heads}, kept_in_full, torch.float32)
    model = load_model(folder, metrics_read=False)
    kept = [model.network.decoder_bias, model.heads["next"].bias]
    before = [tensor.clone() for tensor in kept]
    for path in folder.glob("*.safetensors"):
        with path.open("r+b") as file:  # as `cp` writes
            file.write(bytes(path.stat().st_size))
    assert all(map(torch.equal, kept, before))


def test_a_seal_is_what_sha256sum_checks_and_goes_when_weights_are_written(folder: Path) -> None:
    seal(folder)
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    model = load_model(folder)
    save_heads(folder, model.heads, model.network_fingerprint)
    assert not (folder / "SHA256SUMS").exists()


def test_a_broken_file_is_noticed_where_it_is_not_about_to_be_written(folder: Path) -> None:
    seal(folder)
    path = folder / "heads-this.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    load_network_only(folder, [path.name])
    with pytest.raises(ArtifactError, match=f"{path}: the file is not the one that was written"):
        load_network_only(folder, ["heads-next.safetensors"])


def test_heads_are_not_written_for_weights_that_were_put_in_place_of_theirs(folder: Path) -> None:
    model = load_model(folder)
    seal(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    other = make_tiny_model(folder.parent / "other", seed=1) / "network.safetensors"
    shutil.copy(other, folder)
    with pytest.raises(ArtifactError, match=r"network\.safetensors: these are no longer the weigh"):
        save_heads(folder, model.heads, model.network_fingerprint)
    before["network.safetensors"] = other.read_bytes()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_half_precision_cannot_keep_is_not_written(folder: Path) -> None:
    config, vocabulary, network, fingerprint = load_network_only(folder)
    heads = load_model(folder).heads
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    heads["this"].bias[0, 0] = 65_520  # rounded to half precision: infinity
    with pytest.raises(ArtifactError, match=r"heads-this.*: bias holds .* goes to 65,504"):
        save_heads(folder, heads, fingerprint)
    network.decoder_bias[0] = -65_520
    with pytest.raises(ArtifactError, match=r"network\.saf.*: decoder_bias holds .* to 65,504"):
        save_network(folder, config, vocabulary, network)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    heads["this"].bias[0, 0] = 65_504
    save_heads(folder, heads, fingerprint)
    assert load_model(folder, metrics_read=False).heads["this"].bias[0, 0] == 65_504


def recorded(folder: Path, semantic: str) -> None:
    """As the commands write it."""
    reading = reading_of(json.loads((folder / "config.json").read_text()))
    record = {"heads": {semantic: {READING: reading}}}
    edit(folder / "config.json", lambda config: config.update(training=record))
    edit(folder / "metrics.json", lambda metrics: metrics.update({READING: reading}))
    load_model(folder)


def test_weights_that_are_read_in_another_way_have_no_heads_and_no_figures(tmp_path: Path) -> None:
    """Their shapes and values are the same: a cell's function, and the order of labels."""
    elman = make_tiny_model(tmp_path, cell="elman", semantics=("next",))
    recorded(elman, "next")
    architecture(cell="elman-relu")(elman)
    said = "trained on a network whose cell was elman, where config.json says elman-relu"
    with pytest.raises(ArtifactError, match=f"heads-next.safetensors: these heads were {said}"):
        load_model(elman)
    load_network_only(elman)  # to train them again
    (elman / "heads-next.safetensors").unlink()
    with pytest.raises(ArtifactError, match=r"metrics\.json: these figures .* cell was elman,"):
        load_model(elman, heads_required=False)
    load_model(elman, heads_required=False, metrics_read=False)  # to measure them again

    tagger = make_tiny_labelled(tmp_path)
    recorded(tagger, "label")
    config(labels=["VERB", "NOUN", "two words"])(tagger)
    with pytest.raises(ArtifactError, match="whose labels was"):
        load_model(tagger)


@pytest.mark.parametrize("sums", ["x", f"{'0' * 64}  ../vocab.json", "\xff"])
def test_what_is_no_list_of_sums_is_refused(folder: Path, sums: str) -> None:
    (folder / "SHA256SUMS").write_text(sums, encoding="latin1")
    with pytest.raises(ArtifactError, match="SHA256SUMS"):
        load_model(folder)


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    seal(folder)
    path = folder / "heads-next.safetensors"
    path.unlink()
    path.mkdir()
    for sums in (True, False):
        if not sums:
            (folder / "SHA256SUMS").unlink()
        with pytest.raises(ArtifactError, match=f"{path}: .* cannot be read"):
            load_model(folder)


def test_models_are_found_by_name(folder: Path) -> None:
    (folder.parent / "not-a-model").mkdir()
    assert find_models(folder.parent) == [folder]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640)])
def test_every_file_that_is_written_follows_the_umask(
    tmp_path: Path, umask: int, mode: int
) -> None:
    before = os.umask(umask)
    try:
        folder = make_tiny_model(tmp_path)
    finally:
        os.umask(before)
    names = "config.json vocab.json network.safetensors metrics.json MODEL_CARD.md".split()
    names += ["heads-next.safetensors", "heads-this.safetensors"]
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == dict.fromkeys(names, mode)


def test_a_network_trained_anew_keeps_the_place_that_its_folder_was_given(folder: Path) -> None:
    edit(folder / "config.json", lambda config: config.update(place=3))
    make_tiny_model(folder.parent, seed=1)
    assert json.loads((folder / "config.json").read_text())["place"] == 3


def test_the_same_weights_are_the_same_bytes(folder: Path) -> None:
    """By which a model is known: one that is made again has the same fingerprint."""
    model = load_model(folder)
    heads = model.heads["next"]
    path = folder / "heads-next.safetensors"
    written = set()
    for _ in range(8):
        save_heads(folder, {"next": heads}, model.network_fingerprint)
        written.add(path.read_bytes())
    assert len(written) == 1
    with safe_open(path, framework="pt") as file:
        assert file.metadata().keys() == {"form", "network_fingerprint", "semantic"}
        for name in file.keys():  # noqa: SIM118
            assert torch.equal(file.get_tensor(name), getattr(heads, name).half())


def test_the_matrices_of_linear_heads_stay_in_half_precision(folder: Path) -> None:
    model = load_model(folder)
    shared = model.heads["next"]
    assert isinstance(shared, SharedHeads)
    linear = as_form(shared, "linear", model.network)
    save_heads(folder, {"next": linear}, model.network_fingerprint)
    loaded = load_model(folder, metrics_required=False).heads["next"]
    assert isinstance(loaded, LinearHeads)
    assert (loaded.weight.dtype, loaded.bias.dtype) == (torch.float16, torch.float32)
    states = torch.randn(3, loaded.units, generator=torch.Generator().manual_seed(0))
    x, weight, bias = classifier(loaded, 1, states, model.network)
    expected = loaded.logits(1, states, model.network.decoder_weight)
    kept = loaded.weight[1].float()
    torch.testing.assert_close(expected, states @ kept.t() + bias)
    torch.testing.assert_close(torch.addmm(bias, x, weight.t()), expected)
