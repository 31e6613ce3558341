"""docs/your-own-model.md, followed to the letter: a training loop, and its model in the page."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from models.artifact import load_model, load_network_only
from models.states import hidden_states
from models.trace import trace
from server import create_app
from server.cli import main
from server.settings import Settings

DOC = (Path(__file__).parents[2] / "docs" / "your-own-model.md").read_text("utf-8")
LINES = 120


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOC, re.M | re.S)


def corpus() -> str:
    """Sentences of a small grammar, drawn; one word of them is seen once."""
    draw = Random(0).choice
    lines = []
    for _ in range(LINES):
        who = draw(["the keeper", "the old sailor", "a child", "we", "she"])
        what = f"{draw(['the', 'a'])} {draw(['lamp', 'ship', 'letter', 'red door'])}"
        where = draw(["", " in the hall", " on the table", " under the bridge"])
        lines.append(f"{who} {draw(['saw', 'lit', 'found', 'lost'])} {what}{where} .")
    return "\n".join(["the lighthouse was lost .", "the lamp was lost .", *lines]) + "\n"


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory):
    """The folder in which every command was run, with what each printed, and what train.py left."""
    folder = tmp_path_factory.mktemp("own")
    said = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        # Several threads wait for each other more than they compute on so little.
        patch.setattr("models.training.cli.running.cores", lambda: 1)
        torch.set_num_threads(1)
        (folder / "my.txt").write_text(corpus())
        (folder / "train.py").write_text(blocks("python")[0])
        names = runpy.run_path("train.py")
        first, *commands = "".join(blocks("sh")).splitlines()
        assert first == ".venv/bin/python train.py"
        for line in commands:
            program, command, *arguments = shlex.split(line)
            assert program == ".venv/bin/unrolled"
            if command == "serve":
                said[command] = arguments
                continue
            result = CliRunner().invoke(main, [command, *arguments])
            assert result.exit_code == 0, result.output
            said[command, "--split" if "--split" in arguments else arguments[0]] = result.output
    return folder, said, names


def test_the_import_prints_what_the_tutorial_shows(followed):
    _, said, _ = followed
    shown, _, _ = said["import", "mine.pt"].partition("\n\nWrote ")
    assert shown == blocks("text")[0].rstrip("\n")


def test_every_probability_of_the_next_word_is_the_trained_module_s(followed):
    folder, _, names = followed
    module, ids = names["model"].eval(), names["ids"]
    model = load_model(folder / "imported" / "mine")
    traced = trace(model, "The keeper saw the lamp.")
    words = ["<eos>", *"the keeper saw the lamp .".split()]
    assert [token.word for token in traced.tokens] == words
    expected = module(torch.tensor([[ids[word]] for word in words]))[0][:, 0].softmax(-1)
    following = torch.tensor([ids[word] for word in (*words[1:], "<eos>")])
    asked = expected.gather(1, following[:, None])[:, 0].detach()
    np.testing.assert_allclose(traced.next_probs, asked, rtol=1e-4)
    assert traced.next_ids.tolist() == following.tolist()


def test_the_carried_perplexity_is_the_training_loop_s(followed):
    """Read as the loop reads: lines as one stream, ``<eos>`` between them, the state carried."""
    folder, _, names = followed
    metrics = json.loads((folder / "imported" / "mine" / "metrics.json").read_text())
    test = [[*line, "<eos>"] for i, line in enumerate(names["text"]) if i % 10 == 4]
    assert len(names["lines"]) == len(names["text"]) - len(test) - (len(names["text"]) + 10) // 20
    stream = [names["ids"].get(w, 0) for w in ("<eos>", *(w for line in test for w in line))]
    module = names["model"].eval()
    with torch.no_grad():
        logits = module(torch.tensor(stream[:-1])[:, None])[0][:, 0]
    nll = torch.nn.functional.cross_entropy(logits, torch.tensor(stream[1:]))
    assert metrics["perplexity_carried"]["test"] == pytest.approx(float(nll.exp()), rel=1e-3)
    assert metrics["perplexity"]["test"] < 10
    assert metrics["baselines"]["bigram"] > 1


def test_a_whole_file_s_carried_perplexity_is_the_loop_s_before_there_are_heads(followed):
    folder, said, names = followed
    stream = [names["ids"].get(w, 0) for w in ("<eos>", *whole(names))]
    with torch.no_grad():
        logits = names["model"].eval()(torch.tensor(stream[:-1])[:, None])[0][:, 0]
    nll = torch.nn.functional.cross_entropy(logits, torch.tensor(stream[1:]))
    figures = json.loads((folder / "figures.json").read_text())
    assert figures["perplexity_carried"]["test"] == pytest.approx(float(nll.exp()), rel=1e-3)
    assert f"{float(nll.exp()):.2f}" in said["evaluate", "--split"]


def whole(names) -> list[str]:
    return [word for line in names["text"] for word in (*line, "<eos>")]


def test_the_states_that_are_written_are_the_trained_module_s(followed, monkeypatch):
    folder, said, names = followed
    monkeypatch.chdir(folder)
    exec(blocks("python")[1], dict(names))  # its assertion is the test
    found = np.load("states.npz")
    assert found["tokens"].tolist() == ["<eos>", *"the keeper saw the lamp .".split()]
    assert found["sentences"].tolist() == [0] * 7
    assert found["cell_state.1"].shape == (7, 64)
    assert "cell_state.1            7 × 64" in said["states", "the keeper saw the lamp ."]


@pytest.mark.parametrize("layer", ["LSTM", "GRU", "SimpleRNN"])
def test_keras_weights_are_written_as_the_document_has_it(layer, tmp_path, monkeypatch):
    """Against Keras's equations, in numpy (its defaults; a GRU with ``reset_after``)."""
    monkeypatch.chdir(tmp_path)
    rng, (V, E, H) = np.random.default_rng(1), (7, 4, 5)
    gates = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1}[layer]

    def drawn(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.6, shape).astype(np.float32)

    bias = (2, gates * H) if layer == "GRU" else (gates * H,)
    cells = [[drawn(n, gates * H), drawn(H, gates * H), drawn(*bias)] for n in (E, H)]
    weights = [[], [drawn(V, E)], *cells, [], [drawn(H, V), drawn(V)]]
    model = SimpleNamespace(layers=[SimpleNamespace(get_weights=lambda w=w: w) for w in weights])
    exec(blocks("python")[2], {"model": model})
    Path("words.txt").write_text("<pad>\nthe\nlamp\nwent\nout\n<eos>\n<unk>")
    options = ["--gates", "zrh"] if layer == "GRU" else []
    command = ["import", "keras.safetensors", "--vocab", "words.txt", *options]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    _, _, network, _ = load_network_only(Path("imported") / "keras")

    ids = [5, 1, 2, 3, 0, 6]
    x = weights[1][0][ids]
    for kernel, recurrent, b in cells:
        x = KERAS[layer](x, kernel, recurrent, b)
    logits = x @ weights[-1][0] + weights[-1][1]
    states = hidden_states(network, torch.tensor(ids))
    np.testing.assert_allclose(states[-1, :, :H], x, atol=1e-5)
    np.testing.assert_allclose(network.logits(states[-1, :, :H]), logits, atol=1e-5)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def keras_lstm(x, kernel, recurrent, bias):
    h = c = np.zeros(len(recurrent))
    out = []
    for at in x:
        i, f, g, o = np.split(at @ kernel + h @ recurrent + bias, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        out.append(h)
    return np.array(out)


def keras_gru(x, kernel, recurrent, bias):
    h, out = np.zeros(len(recurrent)), []
    for at in x:
        of_x, of_h = np.split(at @ kernel + bias[0], 3), np.split(h @ recurrent + bias[1], 3)
        z, r = (sigmoid(a + b) for a, b in zip(of_x[:2], of_h[:2], strict=True))
        h = z * h + (1 - z) * np.tanh(of_x[2] + r * of_h[2])
        out.append(h)
    return np.array(out)


def keras_elman(x, kernel, recurrent, bias):
    h, out = np.zeros(len(recurrent)), []
    for at in x:
        h = np.tanh(at @ kernel + h @ recurrent + bias)
        out.append(h)
    return np.array(out)


KERAS = {"LSTM": keras_lstm, "GRU": keras_gru, "SimpleRNN": keras_elman}


def test_what_is_not_in_the_vocabulary_is_unknown(followed):
    folder, _, _ = followed
    traced = trace(load_model(folder / "imported" / "mine"), "the lighthouse was lit.\nWe")
    assert [(t.surface, t.word, t.known) for t in traced.tokens] == [
        ("", "<eos>", True),
        ("the", "the", True),
        ("lighthouse", "<unk>", False),
        ("was", "was", True),
        ("lit", "lit", True),
        (".", ".", True),
        ("", "<eos>", True),
        ("We", "we", True),
    ]


def test_the_trace_and_the_served_page_have_it(followed, monkeypatch):
    folder, said, _ = followed
    told = said["trace", "the keeper saw the lamp ."]
    assert "mine · semantic: next" in told
    assert "keeper" in told
    started = {}
    monkeypatch.chdir(folder)
    monkeypatch.setattr("os.execve", lambda program, arguments, environ: started.update(environ))
    assert CliRunner().invoke(main, ["serve", *said["serve"]]).exit_code == 0
    client = create_app(Settings.from_environment(started)).test_client()
    (listed,) = client.get("/api/v1/models").json["models"]
    assert listed["name"] == "mine · LSTM 64×2"
    assert listed["perplexity"]["test"] < 10
    traced = client.post("/api/v1/trace", json={"text": "we lost the lamp .", "watch": "lamp"})
    assert traced.json["tokens"][0]["word"] == "<eos>"
    assert traced.json["watch"] == {"word": "lamp", "known": True} | {
        "id": traced.json["watch"]["id"]
    }


def test_before_it_is_measured_it_is_served_without_figures(followed, tmp_path, monkeypatch):
    folder, _, _ = followed
    shutil.copytree(folder / "imported", tmp_path / "imported")
    for name in ("metrics.json", "SHA256SUMS"):
        (tmp_path / "imported" / "mine" / name).unlink()
    client = create_app(Settings(model_dir=tmp_path / "imported", threads=1)).test_client()
    model = client.get("/api/v1/models/mine").json
    assert model["perplexity"] == {}
    assert all(column["perplexity"] == {} for column in model["columns"])
    assert client.get("/readyz").status_code == 200
