"""Tagging and classification from a corpus to a trace, and what is refused on the way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner, Result

from models.artifact import ArtifactError, Model, load_model
from models.artifact.saving import save_heads
from models.compare import compare
from models.inside import inside
from models.labels import MOST, Labels, palettes_of
from models.readers.tagsets import TAGGED_CLASSES
from models.states import hidden_states
from models.trace import TraceRefused, trace
from models.training.cli import evaluate, train
from models.training.label_examples import label_examples
from tests.fixtures.tiny import make_tiny_labelled, make_tiny_model

ZOO = Path(__file__).parents[2] / "models" / "zoo"
# Three in turn, so that each is in every part of the split by sentences.
TAGS = [
    "the/DET old/ADJ dog/NOUN barks/VERB ./PUNCT",
    "old/NOUN barks/NOUN sell/VERB",
    "they/PRON dog/VERB the/DET old/NOUN",
] * 20
LABELLED = ["praise\tI like the dog .", "blame\tI hate the dog .", "praise\tthe dog I like ."] * 20
RECIPE = """
about = "A test."
task = "{task}"
[corpus]
format = "{format}"
split = "sentences"
minimum_count = 1
[network]
units = 6
layers = 1
embedding = 5
bidirectional = true
epochs = 16
exact_epochs = 16
batch_sentences = 8
rate = 0.05
dropout_input = 0.0
dropout_output = 0.0
[heads]
epochs = 4
batch_tokens = 32
rate = 0.03
"""


def run(command: str, *arguments: str) -> Result:
    group = evaluate if command == "evaluate" else train
    first = [] if command == "evaluate" else [command]
    return CliRunner().invoke(group, [*first, *arguments, "--threads", "1"])


def made(folder: Path, task: str, text_format: str, lines: list[str]) -> tuple[Model, Result]:
    """A model folder by the three commands, and what the last of them said."""
    recipe, corpus, out = folder / "mine.toml", folder / "corpus.txt", folder / "mine"
    recipe.write_text(RECIPE.format(task=task, format=text_format))
    corpus.write_text("\n".join(lines))
    by = ["--recipe", str(recipe), "--corpus", str(corpus)]
    for step in (
        run("network", *by, "--out", str(out), "--checkpoints", str(folder / "run")),
        run("heads", *by, "--model", str(out), "--checkpoints", str(folder / "heads")),
    ):
        assert step.exit_code == 0, step.output
    measured = run("evaluate", "--model", str(out), "--corpus", str(corpus))
    assert measured.exit_code == 0, measured.output
    return load_model(out), measured


@pytest.mark.parametrize(
    ("task", "text_format", "lines", "labels"),
    [
        ("tagging", "tagged", TAGS, TAGGED_CLASSES),
        ("classification", "labelled", LABELLED, ("blame", "praise")),
    ],
)
def test_from_a_corpus_to_a_trace(
    tmp_path: Path, task: str, text_format: str, lines: list[str], labels: tuple[str, ...]
) -> None:
    model, measured = made(tmp_path, task, text_format, lines)
    metrics, known = model.metrics, model.metrics["baselines"]["majority"]
    assert (model.task, model.outputs.words, model.semantics) == (task, labels, ("label",))
    assert model.config["architecture"]["bidirectional"] is True
    assert metrics["accuracy"]["test"] == 1.0 > known["accuracy"]
    assert metrics["perplexity"]["test"] < 1.2 < known["perplexity"]
    heads = metrics["heads"]["label"]
    # What reads backward has read nothing but the end where a sentence's label is asked for.
    knows = "backward_output_state" if task == "tagging" else "output_state"
    assert heads[knows]["1"]["accuracy"] > known["accuracy"]
    assert "network, test" in measured.output
    assert "accuracy" in measured.output
    card = (tmp_path / "mine" / "MODEL_CARD.md").read_text()
    assert f"| the network | 100.0% | {metrics['perplexity']['test']:.2f} |" in card
    assert f"| majority | {known['accuracy']:.1%} |" in card

    text = "old barks sell" if task == "tagging" else "I hate the dog ."
    said = trace(model, text)
    best = [said.words[int(id)] for id in said.top_ids[:, -1, 0]]
    assert best[1:] == ["NOUN", "NOUN", "VERB"] if task == "tagging" else best[-1] == "blame"
    assert said.semantic == "label"
    assert said.classes == labels
    np.testing.assert_allclose(said.mass.sum(-1), 1, atol=1e-5)  # over all labels
    assert (said.label_ids == -1).all()  # nobody told which are right
    assert np.isnan(said.surprisal).all()
    assert said.perplexity is None


def test_the_output_of_each_row_is_of_the_sentence_up_to_there(tmp_path: Path) -> None:
    model = load_model(make_tiny_labelled(tmp_path, "classification"))
    whole = trace(model, "the keys to the cabinet were lost", bars=3)
    for words in (1, 3, 6):
        text = " ".join("the keys to the cabinet were lost".split()[:words])
        alone = trace(model, text, bars=3)
        np.testing.assert_allclose(alone.top_probs[-1, -1], whole.top_probs[words, -1], atol=1e-6)


def test_inside_a_cell_of_both_directions(tmp_path: Path) -> None:
    """Gates are σ of their operands' terms and the bias; what reads backward, of the row below."""
    model = load_model(make_tiny_labelled(tmp_path))
    text, keys = "the old dog . she was lost", [(c.kind, c.layer) for c in model.columns]
    ids = [token.id for token in trace(model, text).tokens]
    # Each sentence for itself: the second starts at timestep 5.
    states = torch.cat(
        [hidden_states(model.network, torch.tensor(i)) for i in (ids[:5], ids[5:])], 1
    )
    for column in model.columns[1:-1]:
        for timestep in (4, 5):
            cell = inside(model, text, timestep, column.kind, column.layer)
            if cell.bias is not None:
                total = sum(o.term for o in cell.operands if o.term is not None) + cell.bias
                squashed = np.tanh(total), 1 / (1 + np.exp(-total))
                np.testing.assert_allclose(cell.values, squashed["gate" in column.kind], atol=1e-5)
            for operand in cell.operands:
                beyond = operand.lag == (1 if timestep == 5 else -1)
                at = timestep - operand.lag
                assert operand.timestep == (None if beyond else at)
                index = keys.index((operand.column.kind, operand.column.layer))
                wanted = states[index, at] * (not beyond)
                np.testing.assert_allclose(
                    operand.values, wanted[: model.network.widths[index]], atol=1e-6
                )
    y = inside(model, text, 3, "output", None)
    read = torch.tensor(np.concatenate([operand.values for operand in y.operands]))
    probs = model.network.logits(read).softmax(-1)
    np.testing.assert_allclose(sorted(probs.tolist(), reverse=True), y.top_probs, atol=1e-6)


def test_two_texts_part_before_their_difference_where_both_directions_are_read(
    tmp_path: Path,
) -> None:
    model = load_model(make_tiny_labelled(tmp_path))
    got = compare(model, ("the dog was lost. she did", "the dog was old. she did"))
    kinds = [column.kind for column in got.columns]
    assert (got.divergence[1:3, kinds.index("backward_cell_state")] > 0).all()
    np.testing.assert_allclose(got.divergence[:4, kinds.index("cell_state")], 0, atol=1e-9)
    assert not got.divergence[6:].any()  # a sentence that is the same in both
    for timestep, column in ((2, kinds.index("backward_cell_state")), (4, -1)):
        p, q = (
            _distribution(model, text, timestep, column)
            for text in ("the dog was lost.", "the dog was old.")
        )
        m = (p + q) / 2
        wanted = ((p * np.log2(p / m)).sum() + (q * np.log2(q / m)).sum()) / 2
        assert got.divergence[timestep, column] == pytest.approx(wanted, abs=1e-6)


def _distribution(model: Model, text: str, timestep: int, column: int) -> np.ndarray:
    ids = torch.tensor([token.id for token in trace(model, text).tokens])
    states = hidden_states(model.network, ids)
    if column == -1:
        logits = model.network(ids[:, None])[timestep, 0] @ model.network.decoder_weight.t()
        logits = logits + model.network.decoder_bias
    else:
        heads = model.heads["label"]
        logits = heads.logits(column, states[column], model.network.decoder_weight)[timestep]
    return logits.double().softmax(-1).numpy()


def test_a_watched_label_and_a_class_of_labels(tmp_path: Path) -> None:
    model = load_model(make_tiny_labelled(tmp_path))
    got = trace(model, "the dog", watch="two words")
    assert got.watch is not None
    assert got.watch.word == "two words"
    assert got.watch_probs.shape == (3, len(model.columns))
    with pytest.raises(TraceRefused, match="watch must be one of the labels NOUN, VERB, two words"):
        trace(model, "the dog", watch="dog")


def test_labels_have_colours_of_their_own() -> None:
    many = [f"label {n}" for n in range(MOST)]
    (colours,) = (palette["colours"] for palette in palettes_of(many))
    assert len(set(colours.values())) == MOST
    assert [p["id"] for p in palettes_of(TAGGED_CLASSES)] == ["twelve", "paper", "colour-blind"]
    assert list(palettes_of(TAGGED_CLASSES)[0]["colours"]) == list(TAGGED_CLASSES)
    for wrong in (["one"], ["a", "a"], ["a", " "], ["a", "b\x07"], [*many, "more"]):
        with pytest.raises(ValueError, match="label"):
            Labels(tuple(wrong))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("task", "parsing"), "the task 'parsing' is not known; language, tagging"),
        (("labels", "NOUN"), "labels must be a list"),
        (("labels", ["NOUN"]), "there are 1 labels"),
        (("labels", ["NOUN", "VERB"]), "decoder is"),
        (("task", "language"), "the network is bidirectional"),
    ],
)
def test_a_folder_that_does_not_go_with_its_task_is_refused(
    tmp_path: Path, change: tuple[str, object], message: str
) -> None:
    folder = make_tiny_labelled(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    config[change[0]] = change[1]
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ArtifactError, match=message) as refused:
        load_model(folder)
    assert "config.json" in str(refused.value)


def test_heads_of_other_labels_are_refused(tmp_path: Path) -> None:
    folder = make_tiny_labelled(tmp_path)
    model = load_model(folder)
    heads = model.heads["label"]
    fewer = replace(heads, weight=heads.weight[:, :2], bias=heads.bias[:, :2])
    save_heads(folder, {"label": fewer}, model.network_fingerprint)
    with pytest.raises(ArtifactError, match=r"2 labels; the network has .* and 3"):
        load_model(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("", "`network.bidirectional` = true reads the words to come"),
        ('task = "parsing"', "`task` must be one of language, tagging, classification"),
        ("task = 3", "`task` must be one of"),
    ],
)
def test_a_recipe_of_a_causal_task_reads_one_way(tmp_path: Path, change: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"{change}\n[network]\nbidirectional = true\n")
    refused = run("network", "--recipe", str(path), "--out", str(tmp_path / "out"))
    assert refused.exit_code == 1
    assert message in refused.output
    assert "mine.toml" in refused.output


@pytest.mark.parametrize(
    ("task", "text_format", "line", "message"),
    [
        ("classification", "labelled", "no tab", "line 1: `no tab` is not of the form label<TAB>"),
        ("classification", "labelled", "good\t \n", "no sentence follows the label `good`"),
        ("classification", "labelled", f"{'x' * 41}\tI", "at most 40 printable characters"),
        ("classification", "labelled", "good\tI like it .", "there are 1 labels"),
        ("classification", "text", "I", "text has not a label for each sentence, which `task`"),
        ("tagging", "labelled", "a\tb", "labelled has not a tag for each word, which `task`"),
        ("tagging", "tagged", "dog/CHIEN", "`CHIEN` is not a tag of the universal set"),
    ],
)
def test_a_corpus_without_the_labels_is_refused(
    tmp_path: Path, task: str, text_format: str, line: str, message: str
) -> None:
    recipe, corpus = tmp_path / "mine.toml", tmp_path / "corpus.txt"
    recipe.write_text(RECIPE.format(task=task, format=text_format))
    corpus.write_text(line)
    by = ["--recipe", str(recipe), "--corpus", str(corpus)]
    refused = run("network", *by, "--out", str(tmp_path / "out"))
    assert refused.exit_code == 1
    assert message in refused.output


def test_a_label_of_held_out_lines_alone_is_told_to_be_none_of_the_training_part(
    tmp_path: Path,
) -> None:
    lines = ["good\tthe dog", "bad\tthe keys"] * 10
    lines[4] = "rare\tthe dog"  # the fifth of ten tests
    (tmp_path / "letters.tsv").write_text("\n".join(lines))
    (tmp_path / "r.toml").write_text(RECIPE.format(task="classification", format="labelled"))
    by = ["--recipe", str(tmp_path / "r.toml"), "--corpus", str(tmp_path / "letters.tsv")]
    refused = run("network", *by, "--out", str(tmp_path / "out"))
    assert refused.exit_code == 1
    assert "the label `rare` is not one of those of the training part: bad, good" in refused.output


def test_a_reading_of_both_directions_is_no_goal_at_each_timestep(tmp_path: Path) -> None:
    folder = make_tiny_labelled(tmp_path, "classification")
    refused = run("heads", "--model", str(folder), "--set", "heads.loss=network")
    assert refused.exit_code == 1
    assert "not for a classifier that reads in both directions" in refused.output


def test_a_label_that_the_model_does_not_have_is_refused(tmp_path: Path) -> None:
    folder, corpus = make_tiny_labelled(tmp_path, "classification"), tmp_path / "other.txt"
    corpus.write_text("NOUN\tthe dog\nspam\tthe keys\n")
    by = ["--format", "labelled", "--split", "test", "--json", str(tmp_path / "out.json")]
    refused = run("evaluate", "--model", str(folder), "--corpus", str(corpus), *by)
    assert refused.exit_code == 1
    assert "other.txt: the label `spam` is not one of the model's: NOUN, VERB, two words" in (
        refused.output
    )


@pytest.mark.parametrize(
    ("labelled", "semantic", "message"),
    [
        (True, "next", "the model tiny-tagging is a tagger; its states can be asked for label"),
        (False, "label", "is a language model; its states can be asked for next, this, previous"),
    ],
)
def test_heads_for_what_the_network_does_not_say_are_refused(
    tmp_path: Path, labelled: bool, semantic: str, message: str
) -> None:
    folder = make_tiny_labelled(tmp_path) if labelled else make_tiny_model(tmp_path)
    refused = run("heads", "--model", str(folder), "--semantic", semantic)
    assert refused.exit_code == 1
    assert message in refused.output
    with pytest.raises(TraceRefused, match="can be asked for"):
        trace(load_model(folder), "the dog", semantic=semantic)


@pytest.mark.parametrize(
    ("name", "right", "known"), [("brown-tagger", 0.95, 0.92), ("brown-genre", 0.6, 0.4)]
)
def test_the_built_in_models_know_more_than_the_majority(
    name: str, right: float, known: float
) -> None:
    model = load_model(ZOO / name)
    accuracy = {n: b["accuracy"] for n, b in model.metrics["baselines"].items()}
    assert model.metrics["accuracy"]["test"] > right > known > accuracy["majority"]
    assert model.metrics["accuracy"]["test"] > max(accuracy.values())
    assert model.examples == label_examples(model.task)
    for example in model.examples:
        for text in (example["text"], example.get("compare", "")):
            assert all(token.known for token in trace(model, text).tokens), text
    size = sum(path.stat().st_size for path in (ZOO / name).iterdir())
    assert size < 2**20


def said_of(name: str, text: str) -> list[tuple[str, str]]:
    """Each token of a text with the most likely label."""
    said = trace(load_model(ZOO / name), text)
    best = said.top_ids[:, -1, 0]
    return [(t.word, said.words[int(id)]) for t, id in zip(said.tokens, best, strict=True)]


@pytest.mark.parametrize(
    ("name", "text", "word", "labels"),
    [
        ("brown-tagger", "he will report it. the report is here.", "report", ["VERB", "NOUN"]),
        ("brown-tagger", "I know that that man is here.", "that", ["CONJ", "DET"]),
        ("brown-genre", "he looked at her, and she smiled.", ".", ["fiction"]),
        ("brown-genre", "the function of the cell is shown in the table.", ".", ["learned"]),
    ],
)
def test_the_examples_show_what_they_say(
    name: str, text: str, word: str, labels: list[str]
) -> None:
    assert text in [example["text"] for example in load_model(ZOO / name).examples]
    assert [label for token, label in said_of(name, text) if token == word] == labels
