"""The built-in ``worked-example``: the lecture's figures, through the program as it is served."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from models.artifact import Model, find_models, load_model
from models.inside import inside
from models.trace import trace
from models.training.cli import train
from models.training.worked_example import lecture_network
from tests.fixtures.shipped import FOLDER as BROWN

FOLDER = BROWN.parent / "worked-example"
# The walk through t = 1, 2, 3, to two decimals, rounded as it goes.
WALK = {
    "input_gate": [[0.98, 0.88], [0.99, 0.99], [0.96, 0.10]],
    "forget_gate": [[0.12, 0.88], [0.07, 0.88], [0.90, 0.95]],
    "output_gate": [[0.99, 0.95], [1.00, 0.99], [0.99, 0.99]],
    "cell_input": [[0.76, 0.00], [-0.91, 0.99], [-0.17, -1.00]],
    "cell_state": [[0.75, 0.00], [-0.85, 0.98], [-0.93, 0.83]],
    "output_state": [[0.63, 0.00], [-0.69, 0.74], [-0.72, 0.67]],
}


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model(FOLDER)


@pytest.mark.parametrize("kind", sorted(WALK))
@pytest.mark.parametrize("text", ["A A B", "AAB"])
def test_the_inside_of_a_cell_shows_the_lectures_figures(
    model: Model, kind: str, text: str
) -> None:
    for timestep, figures in enumerate(WALK[kind], 1):
        cell = inside(model, text, timestep, kind, 1)
        np.testing.assert_allclose(cell.values, figures, rtol=0, atol=0.0101)


def test_before_the_first_word_memory_and_output_are_zero(model: Model) -> None:
    for kind in ("cell_state", "output_state", "long_term", "short_term", "embedding"):
        layer = 0 if kind == "embedding" else 1
        assert inside(model, "A", 0, kind, layer).values.tolist() == [0, 0]  # type: ignore[union-attr]


def test_it_predicts_0_1_1_by_the_softmax_of_h(model: Model) -> None:
    """The lecture's classes 0 and 1 are A and B. The head of h is the identity."""
    told = trace(model, "A A B", bars=6)
    h = [c.key for c in told.columns].index("output_state.1")
    for column in (h, -1):
        said = [told.words[i] for i in told.top_ids[1:, column, 0]]
        assert said == ["A", "B", "B"]
        for row, (a, b) in zip(told.top_probs[1:, column], WALK["output_state"], strict=True):
            expected = np.exp(max(a, b)) / (np.exp(a) + np.exp(b))
            np.testing.assert_allclose(row[0], expected, atol=0.006)
            assert row[2:].sum() < 1e-12  # special tokens have no say
    assert told.divergence[:, h].max() < 1e-6


def test_other_letters_are_unknown_and_lower_case_is_not_upper(model: Model) -> None:
    told = trace(model, "A a?")
    assert [(t.surface, t.word, t.known) for t in told.tokens[1:]] == [
        ("A", "A", True),
        ("a", "<unk>", False),
        ("?", "<unk>", False),
    ]
    assert [t.span for t in told.tokens] == [None, (0, 1), (2, 3), (3, 4)]


def test_it_is_what_its_command_writes(model: Model) -> None:
    made = lecture_network(model.vocabulary)
    for name, weight in made.state_dict().items():
        assert torch.equal(model.network.state_dict()[name], weight), name


def test_a_second_one_has_its_folder_s_name_for_an_id(tmp_path: Path) -> None:
    out = tmp_path / "by-hand"
    result = CliRunner().invoke(train, ["worked-example", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert load_model(out).id == "by-hand"
    card = (out / "MODEL_CARD.md").read_text()
    assert card.startswith("# by-hand\n")
    assert "train worked-example --out models/zoo/by-hand\n" in card


@pytest.mark.parametrize("out", ["file/there", "my own"])
def test_where_it_cannot_be_written_is_one_sentence(tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(train, ["worked-example", "--out", str(tmp_path / out)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {tmp_path / out}: ")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / out).exists()


def test_figures_and_size(model: Model) -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 32 * 1024
    test = model.metrics["perplexity"]["test"]
    assert 1 < test < 2
    h = model.metrics["heads"]["next"]["output_state"]["1"]["perplexity"]
    assert h == pytest.approx(test, abs=1e-3)
    assert model.metrics["heads"]["this"]["embedding"]["0"]["perplexity"] < 1.1


def test_brown_is_still_what_is_shown_first() -> None:
    assert next(path.name for path in find_models(BROWN.parent)) == BROWN.name


def test_models_without_a_place_come_last_by_name(tmp_path: Path) -> None:
    for name, config in {"b": "{}", "a": "[]", "z": '{"place": 2}', "y": '{"place": 1}'}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(config)
    assert [path.name for path in find_models(tmp_path)] == ["y", "z", "a", "b"]


def test_an_end_that_the_lecture_has_not_is_never_scored(model: Model) -> None:
    """Its example of three lines: each but the last is ended by a line break."""
    told = trace(model, "A\nA A\nA A B")
    assert model.vocabulary.eos not in told.next_ids.tolist()
    scored = told.surprisal[~np.isnan(told.surprisal)]
    assert len(scored) == 6  # A, A A, A A B: each word once
    assert told.perplexity is not None
    assert told.perplexity < 3  # of 2 words, where one of them is likelier
    assert model.config["text"]["sentence_end"] is None
