"""The command ``unrolled``, through click's runner and, where it matters, as a process."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from models.artifact import ArtifactError, load_model
from models.palettes import PALETTES
from models.semantics import SEMANTICS
from models.states import hidden_states
from models.trace import trace
from server.cli import main
from server.loading import load_models
from server.settings import Settings
from server.terminal import draw, fit
from tests.fixtures.tiny import make_tiny_labelled
from tests.server.conftest import SENTENCE


@pytest.fixture
def run(zoo):
    def invoke(*arguments: str):
        return CliRunner().invoke(main, [*arguments, "--model-dir", str(zoo)])

    return invoke


@pytest.fixture
def traced(zoo):
    return trace(load_model(zoo / "tiny-lstm"), SENTENCE)


def test_trace_asks_for_every_semantic_that_there_is():
    (option,) = (one for one in main.commands["trace"].params if one.name == "semantic")
    assert tuple(option.type.choices) == SEMANTICS


def test_trace_without_a_terminal_is_a_plain_grid(run):
    result = run("trace", SENTENCE)
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "solidarity" in result.output
    assert "tiny-lstm · semantic: next" in result.output
    # Of the network itself, whatever the kinds are asked for.
    figure = r"text perplexity \d+\.\d \(next word\) · tiny-lstm · semantic: this"
    assert re.search(figure, run("trace", SENTENCE, "--semantic", "this").output)
    # Where all words are unknown it would be that of <unk>, and is not told, as on the page.
    assert (
        "text perplexity not told: it would be that of <unk>"
        in run("trace", "zorgle blarft").output
    )
    # Where some are, what flatters the figure stands beside it.
    unknown = (
        r"perplexity \d+\.\d \(next word\), 2 of 3 tokens unknown: read as <unk>( ·|, which is)"
    )
    assert re.search(unknown, run("trace", "she zorgle blarft").output)


@pytest.mark.parametrize(("of_unknown", "easy"), [(0.5, True), (20.0, False)])
def test_unknown_words_flatter_a_perplexity_only_where_they_are_easy(traced, of_unknown, easy):
    tokens = [*traced.tokens]
    tokens[2] = replace(tokens[2], id=0, word="<unk>", known=False)
    surprisal, next_ids = np.full(len(tokens), 7.0), traced.next_ids.copy()
    surprisal[1], next_ids[1] = of_unknown, 0
    drawn = draw(
        replace(traced, tokens=tuple(tokens), surprisal=surprisal, next_ids=next_ids),
        {},
        100,
        False,
    )
    assert ("read as <unk>, which is easy to predict" in drawn) == easy
    assert "1 of 10 tokens unknown: read as <unk>" in drawn


def test_a_text_may_come_from_standard_input_or_begin_with_a_hyphen(zoo):
    def invoke(*arguments: str, given: bytes | None = None):
        return CliRunner().invoke(main, ["trace", "--model-dir", str(zoo), *arguments], input=given)

    typed = invoke(SENTENCE).output
    assert invoke("-", given=f"{SENTENCE}\n".encode()).output == typed
    assert "not in UTF-8" in invoke("-", given=b"\xff").output
    refused = invoke("-5 degrees")
    assert refused.exit_code == 2
    assert "begins with a hyphen is written after --" in refused.output
    assert invoke("--", "-5 degrees").exit_code == 0


def test_trace_as_json_is_the_answer_of_the_api(run, client):
    result = run("trace", SENTENCE, "--json", "--bars", "3", "--semantic", "this")
    answer = client.post(
        "/api/v1/trace", json={"text": SENTENCE, "bars": 3, "semantic": "this"}
    ).json
    printed = json.loads(result.stdout)
    # The server may go on from states that it remembers: the last digits may differ.
    for name, numbers in printed.pop("rows").items():
        there = np.array(answer["rows"][name], float)
        np.testing.assert_allclose(np.array(numbers, float), there, rtol=2e-4, atol=2e-6)
    perplexity = answer.pop("perplexity")
    assert printed.pop("perplexity") == pytest.approx(perplexity, rel=1e-4)
    del answer["rows"]
    assert printed == answer


def test_refusals_are_one_sentence_and_status_1(run, tmp_path, zoo):
    for result, part in (
        (run("trace", "we " * 513), "513 tokens"),
        (run("trace", "we", "--semantic", "previous"), "no heads"),
        (run("trace", "\udcff", "--json"), "TEXT is not in UTF-8."),  # what was no UTF-8 in argv
        (run("trace", "\udcff"), "TEXT is not in UTF-8."),
        (run("trace", "we", "--model", "x"), "There is no model x; there are tiny-lstm."),
        # Training takes a model by its folder.
        (
            run("trace", "we", "--model", f"{zoo}/tiny-lstm"),
            f"--model-dir {zoo} --model tiny-lstm.",
        ),
    ):
        assert result.exit_code == 1
        assert part in result.output
        assert result.output.count("\n") == 1
    result = CliRunner().invoke(main, ["models", "--model-dir", str(tmp_path)])
    assert (result.exit_code, result.output) == (
        1,
        f"Error: There is no model in the folder {tmp_path}.\n",
    )
    result = CliRunner().invoke(main, ["models", "--model-dir", str(zoo / "tiny-lstm")])
    assert f"is itself the folder of a model: name the one around it, {zoo}." in result.output


def test_models_lists_what_is_there_and_what_its_figures_are_of(run, tmp_path):
    assert run("models").output == "tiny-lstm\t22.0 per word\tTiny · LSTM 8×2\n"
    make_tiny_labelled(tmp_path)
    result = CliRunner().invoke(main, ["models", "--model-dir", str(tmp_path)])
    assert result.output == "tiny-tagging\t1.4 per label\tTiny tagging · LSTM 8×2\n"


@pytest.mark.parametrize("width", [24, 60, 100, 200])
def test_the_grid_fits_the_terminal_and_shows_every_column(traced, width):
    lines = draw(traced, PALETTES[0].colours, width, colour=False).splitlines()
    assert max(map(len, lines[:-1])) <= width
    heads = [line for line in lines if line.startswith(" " * 14) and line.strip()]
    shown = re.findall(r"\S+(?: \d)?", " ".join(head.strip() for head in heads))
    assert len(shown) == 18
    assert shown[-1] == "y"


def test_a_layer_is_not_split_where_it_fits(traced):
    grid = draw(traced, PALETTES[0].colours, 100, colour=False)
    first, second = (block.splitlines()[0] for block in grid.split("\n\n")[:2])
    assert re.split(r"  +", first.strip())[:4] == ["x", "f 1", "i 1", "c̃ 1"]
    assert re.split(r"  +", second.strip())[-2:] == ["h 2", "y"]
    assert "2" not in first
    assert "1" not in second


def test_colours_are_the_rectangles(traced):
    everything = dict.fromkeys(PALETTES[0].colours, "#000000")
    grid = draw(traced, everything, 200, colour=True)
    mass = traced.mass[0, 0].sum()
    grey = int(255 * (1 - mass) + 0.5)
    assert f"\x1b[48;2;{grey};{grey};{grey}m" in grid.splitlines()[1]
    assert grid.count("\x1b[0m") == 11 * 18


def test_typed_escape_sequences_do_not_reach_the_terminal():
    assert fit("\x1b[31mred\x07", 12) == "·[31mred·   "
    assert fit("emphasized", 8) == "emphasi…"
    assert fit("漢字漢字漢字", 8) == "漢字漢… "


def test_blank_text_says_so(run):
    assert "nothing to read" in run("trace", " ").output


def test_help_lists_every_command_without_importing_torch():
    code = (
        "import sys; from click.testing import CliRunner; from server.cli import main; "
        "[CliRunner().invoke(main, [*c, '--help']) for c in ([], ['serve'])]; "
        "assert not {'torch', 'models', 'flask'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    listed = CliRunner().invoke(main, ["--help"]).output
    for command in ("serve", "trace", "train", "evaluate", "import", "models"):
        assert re.search(rf"^  {command}\b", listed, re.M)


def test_a_room_is_answered_by_the_names_that_are_given_and_by_one_s_own(monkeypatch):
    started = {}
    monkeypatch.setattr("os.execve", lambda program, arguments, environ: started.update(environ))
    given = ["serve", "--host", "0.0.0.0", "--hosts", "192.168.1.5,.lab.org"]
    assert CliRunner().invoke(main, given).exit_code == 0
    names = Settings.from_environment(started).host_names
    assert {"localhost", "127.0.0.1", "192.168.1.5", ".lab.org"} <= set(names)


def test_training_is_passed_on_with_its_own_arguments():
    for command in (["train"], ["train", "heads"], ["evaluate"], ["import"]):
        for help_option in ("-h", "--help"):
            result = CliRunner().invoke(main, [*command, help_option])
            assert result.exit_code == 0, result.output
            assert f"Usage: unrolled {' '.join(command)}" in result.output
    assert CliRunner().invoke(main, ["train", "--no-such-option"]).exit_code == 2


def test_a_word_of_thousands_of_letters_is_cut_in_one_pass():
    assert fit("a" * 200_000, 8) == "a" * 7 + "…"
    assert fit("日" * 9, 8) == "日日日… "
    assert fit("e\u0301" * 9, 4) == "e\u0301" * 3 + "…"


def test_bars_are_not_left_out_in_silence(run):
    refused = run("trace", SENTENCE, "--bars", "3")
    assert refused.exit_code == 2
    assert "--bars is for --json" in refused.output


def test_states_are_written_for_numpy(run, tmp_path, zoo):
    out = tmp_path / "states.npz"
    result = run("states", "we stand. she said.", "--out", str(out))
    assert result.exit_code == 0
    found, model = np.load(out), load_model(zoo / "tiny-lstm")
    read = {"tokens", "ids", "sentences", "model", "network_fingerprint"}
    assert set(found) == {c.key for c in model.columns[:-1]} | read
    assert (found["model"], found["network_fingerprint"]) == (model.id, model.network_fingerprint)
    assert re.search(r"^model +tiny-lstm$", result.output, re.M)
    assert found["tokens"].tolist() == ["<bos>", "we", "stand", ".", "<bos>", "she", "said", "."]
    assert found["sentences"].tolist() == [0] * 4 + [1] * 4
    expected = hidden_states(model.network, torch.tensor(found["ids"][4:]))
    for column, states in zip(model.columns, expected, strict=False):
        np.testing.assert_allclose(found[column.key][4:], states, atol=1e-6)
        assert found[column.key].dtype == np.float32
    empty = run("states", "  ", "--out", str(out))
    assert (empty.exit_code, empty.stderr) == (0, "There is nothing to read in this text.\n")
    assert np.load(out)["output_state.2"].shape == (0, model.network.widths[-1])
    refused = run("states", "we", "--out", str(tmp_path / "no" / "states.npz"))
    assert refused.exit_code == 1
    assert "cannot be written" in refused.output


def test_a_folder_without_heads_is_passed_over_where_there_is_another(zoo, tmp_path, capsys):
    def copy(name):
        shutil.copytree(zoo / "tiny-lstm", tmp_path / name)
        config = tmp_path / name / "config.json"
        config.write_text(json.dumps(json.loads(config.read_text()) | {"id": name}))

    copy("bare")
    for path in (*(tmp_path / "bare").glob("heads-*"), *(tmp_path / "bare").glob("SHA256SUMS")):
        path.unlink()
    with pytest.raises(ArtifactError, match=r"bare: there are no heads .* train heads --model "):
        load_models(tmp_path)
    assert [model.id for model in load_models(tmp_path, heads_required=False)] == ["bare"]
    copy("whole")
    assert [model.id for model in load_models(tmp_path)] == ["whole"]
    assert "unrolled: passed over: " in capsys.readouterr().err
