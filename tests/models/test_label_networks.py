"""Taggers and classifiers: losses, padding and both directions, against torch's own modules."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.language_model import LanguageModel
from models.states import StateMemory, hidden_states, output_reads
from models.training.dataset import batches, collate
from models.training.label_figures import classification_baselines, tagging_baselines
from models.training.labelled import Labelled, at_every_timestep, classified, tagged
from models.training.network import _loss
from models.training.noise import draw_noise
from models.training.reading import read
from models.training.recipe import NetworkRecipe
from models.training.scoring import accuracy, mean_nll

WORDS, LABELS, UNITS, EMBEDDING = 9, 3, 5, 4
TAGGED = [
    tagged([2, 4, 5, 6, 7], [0, 1, 2, 0]),
    tagged([2, 8], [1]),
    tagged([2, 7, 4, 4], [2, 2, 0]),
]
CLASSIFIED = [classified(s.ids.tolist(), n) for n, s in enumerate(TAGGED)]


def network(layers: int = 2, bidirectional: bool = True, whole: bool = False) -> LanguageModel:
    made = LanguageModel(
        WORDS,
        UNITS,
        layers,
        embedding=EMBEDDING,
        tied=False,
        labels=LABELS,
        bidirectional=bidirectional,
        whole=whole,
    )
    made.initialise(torch.Generator().manual_seed(layers))
    for weight in made.parameters():
        weight.data += 0.1 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(9))
    return made.double()


def torchs(made: LanguageModel) -> nn.LSTM:
    """torch's module with the same weights."""
    own = nn.LSTM(EMBEDDING, UNITS, len(made.layers), bidirectional=made.bidirectional).double()
    weights: dict[str, Tensor] = {}
    for end, layers in (("", made.layers), ("_reverse", made.backward_layers)):
        for u, layer in enumerate(layers):
            for name, weight in layer.named_parameters():
                weights[name.removesuffix("0") + f"{u}{end}"] = weight
    own.load_state_dict(weights)
    return own


def by_torch(made: LanguageModel, sentences: list[Labelled]) -> Tensor:
    """Σ cross-entropy, of sentences packed as torch does it, one after the other."""
    own = torchs(made)
    lengths = torch.tensor([len(s.ids) for s in sentences])
    ids = nn.utils.rnn.pad_sequence([torch.tensor(s.ids) for s in sentences])
    packed = nn.utils.rnn.pack_padded_sequence(
        made.embedding.weight[ids], lengths, enforce_sorted=False
    )
    out, (h, _) = own(packed)
    decoder, bias = made.decoder_weight, made.decoder_bias
    if made.whole:  # h_n: the last of the forward pass, and of the backward one
        ends = torch.cat([h[-2], h[-1]], 1) if made.bidirectional else h[-1]
        right = torch.tensor([int(s.labels[-1]) for s in sentences])
        return nn.functional.cross_entropy(ends @ decoder.t() + bias, right, reduction="sum")
    states, _ = nn.utils.rnn.pad_packed_sequence(out)
    targets = nn.utils.rnn.pad_sequence(
        [torch.tensor(s.labels) for s in sentences], padding_value=-1
    )
    logits = (states @ decoder.t() + bias).flatten(0, 1)
    return nn.functional.cross_entropy(logits, targets.flatten(), ignore_index=-1, reduction="sum")


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_the_loss_is_torch_s_with_its_gradients(bidirectional: bool, whole: bool) -> None:
    made = network(2, bidirectional, whole)
    sentences = CLASSIFIED if whole else TAGGED
    recipe = NetworkRecipe(
        units=UNITS, embedding=EMBEDDING, bidirectional=bidirectional, dropout_input=0.0,
        dropout_between=0.0, dropout_output=0.0,
    )  # fmt: skip
    generator = torch.Generator().manual_seed(0)
    noise = draw_noise(recipe, WORDS, len(sentences), generator)
    gradients: list[Mapping[str, Tensor]] = []
    values = []
    for loss in (
        _loss(recipe, made, collate(sentences), noise, None, True, generator)[0],
        by_torch(made, sentences),
    ):
        made.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        values.append(float(loss.detach()))
        gradients.append(
            {n: p.grad.clone() for n, p in made.named_parameters() if p.grad is not None}
        )
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    shared = gradients[0].keys() - {n for n in gradients[0] if "layers" in n}
    assert shared == {"embedding.weight", "decoder", "decoder_bias"}
    for name in shared:  # the layers' own are of torch's module, to which they were copied
        torch.testing.assert_close(gradients[0][name], gradients[1][name])
    count = sum(int((s.labels >= 0).sum()) for s in sentences)
    assert mean_nll(made, sentences) == pytest.approx(values[1] / count, abs=1e-9)


def test_gradients_reach_the_weights_of_both_directions() -> None:
    """By central differences: there is no other oracle for weights under these names."""
    made = network(2)
    recipe = NetworkRecipe(units=UNITS, embedding=EMBEDDING, bidirectional=True)
    silent = draw_noise(
        NetworkRecipe(units=UNITS, dropout_input=0, dropout_between=0, dropout_output=0),
        WORDS, 3, torch.Generator(),
    )  # fmt: skip

    def loss() -> Tensor:
        return _loss(recipe, made, collate(TAGGED), silent, None, True, torch.Generator())[0]

    loss().backward()  # type: ignore[no-untyped-call]
    for layers in (made.layers, made.backward_layers):
        for layer in layers:
            weight = layer.get_parameter("weight_hh_l0")
            assert weight.grad is not None
            values = []
            for step in (1e-5, -2e-5):
                with torch.no_grad():
                    weight[3, 1] += step
                values.append(float(loss().detach()))
            with torch.no_grad():
                weight[3, 1] += 1e-5
            assert float(weight.grad[3, 1]) == pytest.approx(
                (values[0] - values[1]) / 2e-5, abs=1e-6
            )


@pytest.mark.parametrize("whole", [False, True])
def test_padding_changes_nothing(whole: bool) -> None:
    made = network(2, True, whole)
    batch = collate(TAGGED)
    states = hidden_states(made, batch.inputs, lengths=batch.lengths)
    h, _ = read(made, batch.inputs, lengths=batch.lengths)
    torch.testing.assert_close(h, made(batch.inputs, batch.lengths))
    for n, sentence in enumerate(TAGGED):
        alone = hidden_states(made, torch.tensor(sentence.ids))
        steps = len(sentence.ids)
        torch.testing.assert_close(states[:, :steps, n], alone)
        torch.testing.assert_close(h[:steps, n], made.reads(alone))


def test_a_label_of_the_whole_sentence_is_read_at_each_beginning() -> None:
    """Row t is what the network would say if the sentence ended there."""
    made = network(1, True, whole=True)
    ids = [2, 4, 5, 6, 7, 8] * 20  # more than are read at a time
    reads = output_reads(made, ids, hidden_states(made, torch.tensor(ids)))
    for end in (1, 2, 64, 65, len(ids)):
        alone = torch.tensor(ids[:end])
        torch.testing.assert_close(reads[end - 1], made(alone[:, None])[-1, 0])


def test_a_word_more_is_read_with_all_before_it_where_both_directions_are_read() -> None:
    made = network(2).float()
    memory = StateMemory(made)
    for ids in ([2, 4, 5], [2, 4, 5, 6], [2, 4], [2, 4, 5]):
        torch.testing.assert_close(memory.states(ids), hidden_states(made, torch.tensor(ids)))


def test_accuracy_is_the_share_of_right_labels() -> None:
    made = network(1, False)
    right, asked = 0, 0
    for sentence in TAGGED:
        said = made.logits(made(torch.tensor(sentence.ids)[:, None]))[:, 0].argmax(1)
        scored = sentence.labels >= 0
        right += int((said.numpy()[scored] == sentence.labels[scored]).sum())
        asked += int(scored.sum())
    assert accuracy(made, TAGGED) == pytest.approx(right / asked)


def test_heads_of_a_classifier_are_asked_at_every_timestep() -> None:
    first, second, third = at_every_timestep(CLASSIFIED)
    assert isinstance(second, Labelled)
    assert second.labels.tolist() == [1, 1]
    assert [len(s.labels) for s in (first, third)] == [5, 4]  # type: ignore[union-attr]
    batch = next(batches(at_every_timestep(CLASSIFIED), 3))
    assert batch.tokens == 11


def test_baselines_of_a_tagger() -> None:
    """By hand: word 4 has the labels 0, 2, 0 in training, word 5 the label 1."""
    train = [tagged([2, 4, 5], [0, 1]), tagged([2, 4, 4], [2, 0])]
    test = [tagged([2, 4, 5, 6], [0, 1, 2])]
    share = np.array([3, 2, 2]) / 7  # one more of each
    got = tagging_baselines(train, test, WORDS, LABELS)
    assert got["majority"]["accuracy"] == pytest.approx(1 / 3, abs=1e-4)
    assert got["majority"]["perplexity"] == pytest.approx(np.exp(-np.log(share).mean()), abs=1e-3)
    own = [(2 + share[0]) / 4, (1 + share[1]) / 2, share[2]]  # of an unseen word: the shares
    figures = got["majority per word"]
    assert figures["perplexity"] == pytest.approx(np.exp(-np.log(own).mean()), abs=1e-3)
    assert figures["accuracy"] == pytest.approx(2 / 3, abs=1e-4)


def test_baselines_of_a_classifier() -> None:
    train = [classified([2, 4, 4], 0), classified([2, 5], 1), classified([2, 5], 1)]
    test = [classified([2, 4], 0), classified([2, 5, 4], 1)]
    got = classification_baselines(train, test, vocabulary=6, labels=2)
    share = np.array([2, 3]) / 5
    assert got["majority"]["accuracy"] == 0.5
    fours, fives = np.array([3 / 8, 1 / 8]), np.array([1 / 8, 3 / 8])
    first, second = share * fours, share * fives * fours
    own = [first[0] / first.sum(), second[1] / second.sum()]
    assert got["naive Bayes"]["perplexity"] == pytest.approx(np.exp(-np.log(own).mean()), abs=1e-3)
