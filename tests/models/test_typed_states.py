"""The compiled LSTM, against the one that torch computes, in double precision too."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import precision
from models.artifact import find_models, load_model
from models.cells import lstm_step
from models.language_model import LanguageModel
from models.states import StateMemory, hidden_states
from models.team import Team
from models.trace import Tracer
from models.typed_states import CompiledLSTM, packed_layers
from server.settings import Settings

WORDS = 11


@pytest.fixture(autouse=True, scope="module")
def halves() -> Iterator[None]:
    """As on a processor that reads them quickly: others read them rightly too."""
    with mock.patch.object(precision, "reads_halves", return_value=True):
        yield


def made(*units: int, seed: int = 0, **options: object) -> LanguageModel:
    """With weights of half precision, as a model folder has them, and large ones among them."""
    options = {"tied": "embedding" not in options, **options}
    network = LanguageModel(WORDS, units, len(units), **options)  # type: ignore[arg-type]
    generator = torch.Generator().manual_seed(seed)
    for parameter in network.parameters():
        drawn = torch.randn(parameter.shape, generator=generator)
        parameter.data = drawn.half().float()
    return network


def compiled(network: LanguageModel) -> CompiledLSTM:
    layers = packed_layers(network)
    assert layers is not None
    return CompiledLSTM(network, layers)


@settings(max_examples=60, deadline=None)
@given(
    units=st.lists(st.integers(1, 20), min_size=1, max_size=3),
    embedding=st.integers(1, 20),
    ids=st.lists(st.integers(0, WORDS - 1), max_size=12),
    split=st.integers(0, 12),
    seed=st.integers(0, 100),
)
def test_every_state_is_the_networks(
    units: list[int], embedding: int, ids: list[int], split: int, seed: int
) -> None:
    network = made(*units, embedding=embedding, seed=seed)
    reader, sentence = compiled(network), torch.tensor(ids, dtype=torch.long)
    got = reader.states(ids)
    torch.testing.assert_close(got, hidden_states(network.double(), sentence).float())
    if 0 < split <= len(ids):
        assert torch.equal(reader.states(ids[split:], got[:, :split]), got)


def test_a_long_sentence_is_read_to_its_end() -> None:
    """Also where it is longer than what is held at once, in layers of different width."""
    network = made(7, 12)
    ids = torch.randint(0, WORDS, (2 * lstm_step.STEPS + 5,))
    got = compiled(network).states(ids.tolist())
    torch.testing.assert_close(
        got, hidden_states(network.double(), ids).float(), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_layers_of_several_threads_are_those_of_one(threads: int) -> None:
    """Each waits for the one below: also where there are more of them than threads, or fewer."""
    network = made(9, 14, 5, 14)
    layers, team = packed_layers(network), Team(threads)
    assert layers is not None
    one, several = CompiledLSTM(network, layers), CompiledLSTM(network, layers, team)
    rng = np.random.default_rng(0)
    for length in [8, 9, 40, 200] * 5:
        ids = rng.integers(0, WORDS, length).tolist()
        wanted = one.states(ids)
        assert torch.equal(several.states(ids), wanted)
        assert torch.equal(several.states(ids[3:], wanted[:, :3]), wanted)


def test_a_layer_that_fails_leaves_none_that_waits_for_it() -> None:
    network = made(9, 9, 9)
    layers = packed_layers(network)
    assert layers is not None
    reader = CompiledLSTM(network, layers, Team(3))
    wanted, real, calls = reader.states([3] * 20), lstm_step.layer_states, list[int]()

    def first_fails(*arguments: object) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise LookupError("the first layer")
        real(*arguments)

    with mock.patch("models.typed_states.layer_states", first_fails):
        with pytest.raises(LookupError, match="the first layer"):
            reader.states([3] * 20)
        assert torch.equal(reader.states([3] * 20), wanted)


def test_what_is_shown_adds_up() -> None:
    """c = f · c before + i · c̃, to the last digit."""
    network = made(30)
    _, f, i, g, _, long_term, short_term, c, _ = compiled(network).states(range(WORDS))
    assert torch.equal(c, long_term + short_term)
    assert torch.equal(short_term, i * g)
    assert torch.equal(long_term[1:], f[1:] * c[:-1])


def test_small_inputs_keep_their_digits() -> None:
    """Of a half that is moved over, products with them are no normal numbers."""
    small = torch.arange(1, 9).float() * 1e-9
    read = np.zeros(16, np.float32)
    lstm_step._added_halves(np.ones((8, 16), np.float16).view(np.uint16), small.numpy(), read)
    np.testing.assert_allclose(read, 36e-9, rtol=1e-6)


def test_other_networks_are_read_by_torch() -> None:
    assert packed_layers(made(4)) is not None
    assert packed_layers(made(4, cell="gru")) is None
    assert packed_layers(made(4, cell="lstm-peephole")) is None
    assert packed_layers(made(4, labels=3, tied=False, bidirectional=True)) is None
    assert packed_layers(made(4).double()) is None
    for value in (0.1, 1e6, float("inf"), float("nan")):
        network = made(4)
        network.layers[0].get_parameter("weight_hh_l0").data[0, 0] = value
        assert packed_layers(network) is None


def test_what_is_no_number_is_told() -> None:
    network = made(4)
    network.embedding.weight.data[:] = 3e38
    for name in ("bias_ih_l0", "bias_hh_l0"):
        network.layers[0].get_parameter(name).data[:] = -3e38
    wanted = hidden_states(network, torch.tensor([1, 2]))
    got = StateMemory(network, packed_layers(network)).states([1, 2])
    assert wanted[-1].isnan().all()
    assert got[-1].isnan().all()


def test_the_shipped_model_is_read_so() -> None:
    model = load_model(find_models(Settings().model_folder)[0])
    tracer = Tracer(model)
    assert tracer._memory._compiled is not None
    classifiers = tracer._classifiers["next"]
    assert classifiers.output.packed is not None
    assert classifiers._projections is not None


def test_where_halves_are_read_slowly_torch_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "reads_halves", lambda: False)
    assert packed_layers(made(4)) is None


@pytest.mark.parametrize("ids", [[1, 2, 3], [1, 2, 3, 4], [1, 2], [1, 5], [7]])
def test_a_memory_of_them_reads_what_is_new(ids: list[int]) -> None:
    network = made(6, 6)
    memory = StateMemory(network, packed_layers(network))
    memory.states([1, 2, 3])
    wanted = hidden_states(network, torch.tensor(ids, dtype=torch.long))
    torch.testing.assert_close(memory.states(ids), wanted)
