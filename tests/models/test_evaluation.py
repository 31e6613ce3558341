"""`unrolled evaluate`: what it writes can be loaded, and its card says what is recorded."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner, Result

from models.artifact import ArtifactError, load_model
from models.artifact.saving import save_heads, save_network
from models.checksums import SUMS, changed, sums_of
from models.importing.folder import write_model
from models.importing.matching import fill, match
from models.importing.words import understand
from models.training.card_recipe import _recipe, network_recipe
from models.training.cli import evaluate, measuring, train
from models.training.cli import heads as heads_cli
from models.training.cli import network as network_cli
from models.training.recipe import NetworkRecipe
from models.training.recipe_files import load_recipe
from server import create_app
from server.settings import Settings
from tests.fixtures.checkpoints import VOCABULARY, Example, randomised

LINES = ["the dog barks .", "the old dog sleeps .", "a dog and a cat sleep ."] * 20
RECIPE = """
[corpus]
format = "text"
split = "sentences"
minimum_count = 1
[network]
units = 6
layers = 1
epochs = 1
exact_epochs = 1
batch_sentences = 8
[heads]
epochs = 1
batch_tokens = 64
"""


def run(command: str, *arguments: str) -> Result:
    group, first = (evaluate, []) if command == "evaluate" else (train, [command])
    result = CliRunner().invoke(group, [*first, *arguments, "--threads", "1"])
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a recipe and a text, to work in."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(RECIPE)
    Path("text.txt").write_text("\n".join(LINES))
    return tmp_path


def network(*changes: str, corpus: str = "text.txt") -> None:
    """The network of the folder ``m``; each call's checkpoints are its own."""
    by = [part for change in changes for part in ("--set", change)]
    run_folder = f"run-{'-'.join(changes)}"
    where = ["--corpus", corpus, "--out", "m", "--checkpoints", run_folder]
    run("network", "--recipe", "mine.toml", *by, *where)


def heads(*options: str, corpus: str = "text.txt") -> None:
    where = ["--corpus", corpus, "--model", "m", "--checkpoints", f"heads-{'-'.join(options)}"]
    run("heads", "--recipe", "mine.toml", *where, *options)


def card() -> str:
    """The folder's, its lines joined."""
    return " ".join(Path("m/MODEL_CARD.md").read_text().split())


def test_a_network_without_heads_has_figures_a_card_and_a_seal(home: Path) -> None:
    network()
    said = run("evaluate", "--model", "m", "--corpus", "text.txt")
    assert "network, test" in said.output
    assert "The kinds of hidden state have no heads, and so no figures." in card()
    assert "Heads: none yet" in card()
    assert (home / "m" / SUMS).exists()
    assert changed(home / "m", sums_of(home / "m")) is None
    model = load_model(home / "m", heads_required=False)
    assert model.metrics["perplexity"].keys() == {"valid", "test"}


def test_heads_are_trained_on_what_the_network_was(home: Path) -> None:
    network()
    where = ["--corpus", "text.txt", "--model", "m", "--recipe", "mine.toml", "--semantic", "next"]
    by = [*where, "--threads", "1", "--set"]
    result = CliRunner().invoke(train, ["heads", *by, "corpus.split=documents"])
    assert result.exit_code == 1
    assert "m says itself what it was trained on (format text, split sentences)" in result.stderr
    run("heads", *where, "--set", "corpus.split=sentences")


def test_figures_that_cannot_be_written_are_told_all_the_same(home: Path) -> None:
    Path("classes.tsv").write_text("dog\tNOUN\n")
    where = ["--corpus", "text.txt", "--classes", "classes.tsv", "--out", "m"]
    run("network", "--recipe", "mine.toml", *where)
    asked = ["--model", "m", "--corpus", "text.txt", "--threads", "1"]
    result = CliRunner().invoke(evaluate, [*asked, "--json", "/dev/full"])
    assert result.exit_code == 1
    assert "network, test" in result.stdout
    assert result.stderr.splitlines()[-1] == "Error: No space left on device."
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    assert "train network --recipe mine.toml --corpus CORPUS --classes CLASSES --out" in card()


def test_weights_that_cannot_be_written_are_told_in_one_sentence(home: Path) -> None:
    Path("m/network.safetensors").mkdir(parents=True)
    where = ["--recipe", "mine.toml", "--corpus", "text.txt", "--out", "m"]
    result = CliRunner().invoke(train, ["network", *where, "--threads", "1"])
    assert result.exit_code == 1
    assert "Is a directory" in result.stderr.splitlines()[-1]
    assert result.stderr.splitlines()[-1].startswith("Error: ")


def test_the_folder_that_one_is_in_has_its_name_for_an_id(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "mine").mkdir()
    monkeypatch.chdir(home / "mine")
    where = ["--recipe", "../mine.toml", "--corpus", "../text.txt"]
    run("network", *where, "--out", ".")
    run("heads", *where, "--model", ".", "--semantic", "next")
    assert load_model(Path(), metrics_required=False).id == "mine"
    assert sorted(path.name for path in Path("runs").iterdir()) == ["mine", "mine-heads-shared"]


def test_heads_of_one_semantic_are_told_by_their_own_record(home: Path) -> None:
    network("network.averaging=0.9")
    heads("--semantic", "this", "--form", "linear", "--set", "heads.start=zero")
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    told = card()
    assert "| kind | layer | `this` |" in told
    assert "Heads: the `linear` form, softmax(W v + b), one W and b per kind and semantic." in told
    assert "From zero, AdamW at 0.001" in told
    assert "the weights averaged over the steps (decay 0.9)" in told
    for untrue in ("ridge", "P v + p", "0% of the words", "make test"):
        assert untrue not in told
    heads("--semantic", "next", "--set", "heads.loss=network")
    assert not Path("m/MODEL_CARD.md").exists(), "its figures were of the heads before"
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    told = card()
    assert "Heads for `next`: the `shared` form, softmax(D (P v + p) + b)" in told
    assert "fitted to the network's own output" in told
    assert "Heads for `this`: the `linear` form" in told
    assert "--semantic this --form linear" in told


@pytest.mark.parametrize("lacks", [True, False])
def test_a_processor_without_bfloat16_is_told_what_is_faster(
    home: Path, monkeypatch: pytest.MonkeyPatch, lacks: bool
) -> None:
    monkeypatch.setattr(network_cli, "lacks_bfloat16", lambda: lacks)
    where = ["--recipe", "mine.toml", "--corpus", "text.txt", "--out", "m", "--device", "cpu"]
    plain = run("network", *where).output
    assert "bfloat16" not in plain
    rounded = run("network", *where, "--set", "network.bfloat16=true", "--checkpoints", "other")
    assert ("--set network.bfloat16=false" in rounded.output) == lacks


def test_a_network_whose_last_cycle_carried_the_state_is_told_as_it_was_trained(home: Path) -> None:
    network("restarts.1.state=carried", "restarts.1.stretch=9")
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    model = load_model(home / "m", heads_required=False)
    test, valid = (f"{model.metrics['perplexity_carried'][name]:.1f}" for name in ("test", "valid"))
    assert (
        "With the state carried from sentence to sentence, as it was trained, it has "
        f"**{test}** on the test part and {valid} on the validation part."
    ) in card()
    network()
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    assert "carried" not in card()


@pytest.mark.parametrize(
    ("section", "field", "said"),
    [
        ("corpus", "source", "m/config.json: source is missing in what the model card tells"),
        ("training", "network", "m/config.json: network is missing in what the model card tells"),
        ("text", "numbers", "m/config.json: numbers is missing in what the model card tells"),
        ("versions", None, "m/config.json: versions is missing in what the model card tells"),
    ],
)
def test_what_a_card_needs_is_missed_before_anything_is_measured(
    home: Path, monkeypatch: pytest.MonkeyPatch, section: str, field: str | None, said: str
) -> None:
    network()
    record = json.loads(Path("m/config.json").read_text())
    record.pop(section) if field is None else record[section].pop(field)
    Path("m/config.json").write_text(json.dumps(record))
    with monkeypatch.context() as context:
        context.setattr(measuring, "evaluate_model", lambda *_: pytest.fail("it was measured"))
        assert said in refused("evaluate")
    run("evaluate", "--model", "m", "--corpus", "text.txt", "--json", "figures.json")


def test_figures_of_another_network_are_measured_anew(home: Path) -> None:
    network()
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    before = json.loads(Path("m/metrics.json").read_text())
    network("network.seed=2")
    assert not Path("m/metrics.json").exists()
    assert not Path("m/MODEL_CARD.md").exists()
    Path("m/metrics.json").write_text(json.dumps(before))
    with pytest.raises(ArtifactError, match="another network"):
        load_model(home / "m", heads_required=False)
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    Path("m/metrics.json").write_text("{")  # sealed, and broken since
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    measured = load_model(home / "m", heads_required=False).metrics
    assert measured["network_fingerprint"] != before["network_fingerprint"]


def refused(*arguments: str) -> str:
    """What is said."""
    command, *options = arguments
    group, first = (evaluate, []) if command == "evaluate" else (train, [command])
    where = ["--model", "m", "--corpus", "text.txt", "--threads", "1"]
    result = CliRunner().invoke(group, [*first, *where, *options])
    assert result.exit_code == 1, result.output
    return result.stderr


def test_a_bit_that_flipped_is_noticed_before_heads_are_fitted_to_it(home: Path) -> None:
    network()
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    path = home / "m" / "network.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    said = refused("heads", "--recipe", "mine.toml")
    assert "m/network.safetensors: the file is not the one that was written" in said
    assert (home / "m" / SUMS).exists()


def test_heads_are_of_the_network_that_they_were_trained_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another of the same shape takes its place meanwhile."""
    network("network.seed=2")
    other = (home / "m" / "network.safetensors").read_bytes()
    network()
    fit = heads_cli.train_heads

    def replaced(*given: Any, **more: Any) -> Any:
        (home / "m" / "network.safetensors").write_bytes(other)
        return fit(*given, **more)

    monkeypatch.setattr(heads_cli, "train_heads", replaced)
    said = refused("heads", "--recipe", "mine.toml", "--semantic", "next")
    assert "m/network.safetensors: these are no longer the weights that the heads" in said
    assert not list((home / "m").glob("heads-*"))


def test_figures_are_of_the_heads_that_were_measured(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network()
    heads("--semantic", "next")
    measure = measuring.evaluate_model

    def replaced(*given: Any) -> Any:
        heads("--semantic", "next", "--set", "heads.seed=2")
        return measure(*given)

    monkeypatch.setattr(measuring, "evaluate_model", replaced)
    assert "m: it was written to while its model was measured" in refused("evaluate")
    assert not (home / "m" / "metrics.json").exists()
    assert not (home / "m" / SUMS).exists()


@pytest.mark.parametrize("part", ["network", "heads"])
def test_a_loss_past_all_perplexities_is_told_in_one_sentence(home: Path, part: str) -> None:
    network()
    heads("--semantic", "next", "--form", "linear")
    model = load_model(home / "m", metrics_required=False)
    bias = torch.full_like(model.network.decoder_bias, -60_000)
    bias[model.vocabulary.unk] = 0  # which no line of the text has
    if part == "network":
        model.network.decoder_bias.copy_(bias)
        config, vocabulary = model.config, model.vocabulary
        save_network(home / "m", config, vocabulary, model.network)
    else:
        model.heads["next"].bias[:] = bias
        save_heads(home / "m", model.heads, model.network_fingerprint)
    for path in (home / "m").glob("heads-*") if part == "network" else ():
        path.unlink()
    said = refused("evaluate").splitlines()[-1]
    what = "the network on the part valid" if part == "network" else "the heads of embedding.0"
    assert said.startswith(f"Error: The perplexity of {what}")
    assert said.endswith("nats, of which no more than 710 can be told.")


def test_heads_and_figures_of_a_cell_that_was_corrected_are_made_anew(home: Path) -> None:
    def load() -> object:
        return load_model(home / "m")

    network("network.cell=elman")
    heads("--semantic", "next")
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    load()
    record = json.loads(Path("m/config.json").read_text())
    record["architecture"]["cell"] = "elman-relu"
    Path("m/config.json").write_text(json.dumps(record))
    with pytest.raises(ArtifactError, match="whose cell was elman, where"):
        load()
    # Their checkpoint is of what the weights were read as: to go on from it would train nothing.
    with pytest.raises(AssertionError, match="holds a run of another recipe"):
        heads("--semantic", "next")
    shutil.rmtree("heads---semantic-next")
    heads("--semantic", "next")
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    load()


def files_without_valid(folder: Path) -> Path:
    """Of five lines each: the split by sentences leaves none of them to validate."""
    folder.mkdir()
    for index in range(4):
        (folder / f"{index}.txt").write_text("\n".join(LINES[:5]))
    return folder


def test_a_corpus_that_leaves_nothing_to_validate_is_measured_and_served(home: Path) -> None:
    Path("one.txt").write_text("\n".join(LINES[:5] * 2))  # the last line of it validates
    network(corpus="one.txt")
    heads(corpus="one.txt")
    files = str(files_without_valid(home / "files"))  # which train on the same words
    run("evaluate", "--model", "m", "--corpus", files)
    model = load_model(home / "m")
    assert model.metrics["perplexity"].keys() == {"test"}
    assert "on the test sentences." in card()
    assert "validation sentences" not in card()
    client = create_app(Settings(model_dir=home)).test_client()
    assert client.get("/api/v1/models").json["models"][0]["perplexity"].keys() == {"test"}


def test_figures_of_another_corpus_are_not_the_models_own(home: Path) -> None:
    network()
    run("evaluate", "--model", "m", "--corpus", "text.txt")
    before = Path("m/metrics.json").read_bytes(), card()
    Path("other.txt").write_text("\n".join(["the cat sleeps .", "a cat barks ."] * 30))
    told = ["--model", "m", "--corpus", "other.txt", "--threads", "1"]
    refused = CliRunner().invoke(evaluate, told)
    assert refused.exit_code == 1
    assert "other.txt is not what m was trained on" in refused.output
    assert "--json" in refused.output
    assert (Path("m/metrics.json").read_bytes(), card()) == before
    run("evaluate", *told[:4], "--json", "figures.json")
    assert Path("figures.json").exists()
    assert (Path("m/metrics.json").read_bytes(), card()) == before


def test_an_imported_model_is_measured_on_such_a_corpus_too(home: Path) -> None:
    module = randomised(Example())
    torch.save(module.state_dict(), "model.pt")
    state = module.state_dict()
    matched = match(state, len(VOCABULARY))
    write_model(
        home / "m", home / "model.pt", None, matched, fill(matched, state), understand(VOCABULARY)
    )
    run("evaluate", "--model", "m", "--corpus", str(files_without_valid(home / "files")))
    assert load_model(home / "m", heads_required=False).metrics["perplexity"].keys() == {"test"}
    assert "Perplexity, each line read from state zero: test " in card()
    assert "heads are in" not in card()


def test_an_imported_vocabulary_is_in_no_order_of_frequency(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    fit = heads_cli.train_heads

    def watched(*given: Any, by_count: bool) -> Any:
        told.append(by_count)
        return fit(*given, by_count=by_count)

    monkeypatch.setattr(heads_cli, "train_heads", watched)
    network()
    heads("--semantic", "next")
    state = randomised(Example()).state_dict()
    torch.save(state, "model.pt")
    matched = match(state, len(VOCABULARY))
    write_model(
        home / "i", home / "model.pt", None, matched, fill(matched, state), understand(VOCABULARY)
    )
    by = ["--recipe", "mine.toml", "--corpus", "text.txt", "--semantic", "next"]
    run("heads", *by, "--model", "i", "--checkpoints", "heads-of-i")
    assert told == [False, True]


@pytest.mark.parametrize(
    ("changes", "said", "unsaid"),
    [
        ({}, "40 epochs of batches of 64 sentences of like length", "normaliser"),
        ({"averaging": 0.999}, "averaged over the steps (decay 0.999)", "carried"),
        ({"bfloat16": True}, "recurrence and products in bfloat16", "averaged"),
        (
            {"state": "carried", "batch_sentences": 40, "stretch": 50},
            "the state carried from sentence to sentence, read in 40 places at once, 50 timesteps "
            "at a time",
            "like length",
        ),
        ({"schedule": "constant"}, "learning rate 0.004 after 10% warm-up", "one-cycle"),
        ({"exact_epochs": 2}, "The first 38 epochs estimate the softmax's normaliser", "averaged"),
        (
            {"exact_epochs": 2},
            "exact over the 1,500 most frequent words, 1,024 of the others drawn",  # V/2
            "2,048",
        ),
        (
            {"exact_epochs": 2, "sampled_head": 100, "sampled_tail": 5000},
            "exact over the 100 most frequent words, 2,900 of the others drawn",
            "5,000",
        ),
        ({"epochs": 10}, "10 epochs", "normaliser"),
        ({"dropped_weights": 0.3}, "30% of the recurrent weights dropped", "of the words"),
        ({"layers": 1}, "0.3 on the embeddings and 0.3 before the decoder", "between layers"),
        (
            dict.fromkeys(("dropout_input", "dropout_between", "dropout_output"), 0.0),
            "no dropout",
            "one mask",
        ),
        ({"cell": "gru"}, "clipped to 1.0.", "forget-gate"),
    ],
)
def test_every_clause_about_the_network_follows_from_the_record(
    changes: dict[str, object], said: str, unsaid: str
) -> None:
    recipe = asdict(NetworkRecipe(**changes))  # type: ignore[arg-type]
    architecture = recipe | {"vocabulary": 3000}
    told = " ".join(network_recipe({"network": recipe}, architecture, labels=False).split())
    assert said in told
    assert unsaid not in told


def test_a_restart_that_a_built_in_recipe_lacks_is_told_by_its_settings() -> None:
    recipe = load_recipe("ablation/epochs-10")
    record = {"network": asdict(recipe.network)}
    assert _recipe(recipe.name, record) == ("--recipe ablation/epochs-10", False)
    again = [asdict(replace(recipe.network, epochs=2))]
    changed = "--recipe ablation/epochs-10 --set restarts.1.epochs=2 --set restarts.1.seed=1"
    assert _recipe(recipe.name, record, again) == (changed, False)
    assert _recipe(recipe.name, record, [*again, *again]) == (
        f"{changed} --set restarts.2.seed=1",
        False,
    )
    restarted = replace(recipe.network, epochs=4)
    other = {"network": asdict(replace(restarted, clip=0.5))}
    changed = "--recipe ablation/epochs-10 --set network.epochs=4 --set network.clip=0.5"
    assert _recipe(recipe.name, other, [asdict(restarted)]) == (
        f"{changed} --set restarts.1.clip=1.0 --set restarts.1.seed=1",
        False,
    )


def test_a_record_of_before_there_was_a_setting_is_told_by_its_default() -> None:
    recipe = load_recipe("ptb-mikolov")
    record, first, second = (asdict(cycle) for cycle in recipe.cycles)
    del record["bfloat16"]
    told, _ = _recipe(recipe.name, {"network": record, "heads": {}}, [first, second])
    assert told == (
        "--recipe ptb-mikolov --set network.bfloat16=false --set restarts.1.bfloat16=true"
    )


def test_a_built_in_recipe_that_has_more_restarts_by_now_is_not_named() -> None:
    recipe = load_recipe("brown-lstm-300x2")
    record = {"network": asdict(recipe.network)}
    restarts = [asdict(cycle) for cycle in recipe.restarts]
    assert _recipe(recipe.name, record, restarts) == ("--recipe brown-lstm-300x2", False)
    assert _recipe(recipe.name, record, restarts[:-1])[1]


def test_labels_are_few_and_never_sampled() -> None:
    recipe = asdict(NetworkRecipe(exact_epochs=2))
    assert "normaliser" not in network_recipe({"network": recipe}, recipe, labels=True)


def test_a_restart_is_told_with_its_own_settings() -> None:
    first = NetworkRecipe(epochs=4)
    second = replace(first, epochs=2, exact_epochs=0, dropout_output=0.5, seed=2)
    record = {"network": asdict(first), "restarts": [asdict(second), asdict(first)]}
    architecture = record["network"] | {"vocabulary": 9000}
    told = " ".join(network_recipe(record, architecture, labels=False).split())
    network, restart, last = told.split(" Then, from the weights that this left: ")
    assert "4 epochs" in network
    assert "0.3 before the decoder" in network
    assert "2 epochs" in restart
    assert "0.5 before the decoder" in restart
    assert restart.endswith("Seed 2.")
    assert last.endswith("Seed 1.")
    assert "All epochs estimate the softmax's normaliser" in restart
    assert "forget-gate" in network
    assert "forget-gate" not in restart
