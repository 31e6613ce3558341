"""A model reads what is typed as its corpus was read: the same words, whatever the format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from models.artifact import load_network_only
from models.artifact.saving import save_network
from models.asked_words import watch_word
from models.language_model import LanguageModel
from models.readers import read_text
from models.reading import read
from models.training.cli.measuring import evaluate
from models.training.corpus import load_corpus
from models.training.dataset import encode_documents
from models.training.provenance import model_config
from models.training.recipe import CorpusRecipe, Recipe
from models.vocabulary import Vocabulary

BROWN = "He/pps didn't/dod* see/vb 3/cd Ships/nns ./.\nMr./np Mother-in-law's/np$ Hat/nn ./.\n"
CONLLU = "\n".join(
    f"{i}\t{form}\t_\t{upos}\t_\t_\t0\t_\t_\t{misc}"
    for i, (form, upos, misc) in enumerate(
        [
            ("He", "PRON", "_"),
            ("saw", "VERB", "_"),
            ("3", "NUM", "SpaceAfter=No"),
            (".", "PUNCT", "_"),
        ],
        1,
    )
)
# Format: file, what is in it, and its sentences as somebody types them.
CORPORA = {
    "brown": ("ca01", BROWN, ["He didn't see 3 Ships.", "Mr. Mother-in-law's Hat."]),
    "brown-raw": ("ca01", BROWN, ["He didn't see 3 Ships .", "Mr. Mother-in-law's Hat ."]),
    "conllu": ("a.conllu", CONLLU, ["He saw 3."]),
    "labelled": ("a.tsv", "x\tHe saw 3.\n", ["He saw 3."]),
    "ptb": (
        "ptb.train.txt",
        "mr. <unk> did n't sell N s&p shares\nN years ago\n",
        ["Mr. Mxyzptlk didn't sell 1,200 S&P shares", "12 years ago"],
    ),
    "tagged": ("a.txt", "He/PRON saw/VERB 3/NUM ./PUNCT\n", ["He saw 3."]),
    "text": ("a.txt", "He didn't see 3 Ships.\n", ["He didn't see 3 Ships."]),
    "trees": ("a.mrg", "(S (PRP He) (VBD saw) (CD 3) (. .))\n", ["He saw 3."]),
}


def trained(folder: Path, text_format: str) -> tuple[Vocabulary, list[np.ndarray]]:
    """The vocabulary of a model folder as `unrolled train network` writes it, and its corpus."""
    name, content, _ = CORPORA[text_format]
    (folder / "corpus").mkdir(parents=True)
    path = folder / "corpus" / name
    path.write_text(content)
    recipe = CorpusRecipe(text_format, "sentences", 1)
    one_file = path if text_format == "ptb" else folder / "corpus"
    corpus = load_corpus(recipe, one_file)
    network = LanguageModel(len(corpus.vocabulary), 300, 2)
    config = model_config(
        "m", Recipe("mine", corpus=recipe), corpus.vocabulary, "", torch.device("cpu")
    )
    save_network(folder / "m", config, corpus.vocabulary, network)
    return load_network_only(folder / "m")[1], corpus.parts["train"]


@pytest.mark.parametrize("text_format", CORPORA)
def test_typed_text_is_read_as_the_corpus_was(tmp_path: Path, text_format: str) -> None:
    vocabulary, sentences = trained(tmp_path, text_format)
    typed = "\n".join(CORPORA[text_format][2])
    told = [[vocabulary.words[id] for id in sentence.ids] for sentence in read(vocabulary, typed)]
    assert told == [[vocabulary.words[id] for id in sentence[:-1]] for sentence in sentences]
    for token in (t for s in read(vocabulary, typed) for t in s.tokens if t.span):
        assert typed[slice(*token.span)] == token.surface


def test_the_corpus_s_own_tokens_are_kept(tmp_path: Path) -> None:
    vocabulary, _ = trained(tmp_path, "brown-raw")
    first, second, last = read(vocabulary, "He  didn't see 4\u00a0ships .\nHe\n<eos> <unk>")
    assert [token.word for token in first.tokens] == [
        "<bos>", "He", "didn't", "see", "<unk>", "<unk>", ".",
    ]  # fmt: skip
    assert [s.complete for s in (first, second, last)] == [True, True, False]
    assert [t.known for t in last.tokens] == [True, False, False], "no special token can be typed"
    assert watch_word(vocabulary, "didn't") is not None
    assert watch_word(vocabulary, "didn't see") is None
    assert watch_word(vocabulary, "Ships").word == "Ships"  # type: ignore[union-attr]


def test_other_text_is_measured_by_the_model_s_own_rules(tmp_path: Path) -> None:
    vocabulary, _ = trained(tmp_path, "brown-raw")
    (tmp_path / "other.txt").write_text("He didn't see 3 .\n")
    documents = read_text(tmp_path / "other.txt", vocabulary=vocabulary)
    (sentence,) = encode_documents(documents, vocabulary)
    said = [vocabulary.words[id] for id in sentence]
    assert said == ["<bos>", "He", "didn't", "see", "3", ".", "<eos>"]
    symbols = Vocabulary((*vocabulary.words[:4], "(", ")"), (0,) * 6, rules="symbols")
    (tmp_path / "other.txt").write_text("( )\n")
    documents = read_text(tmp_path / "other.txt", vocabulary=symbols)
    assert encode_documents(documents, symbols)[0].tolist() == [2, 4, 5, 3]


@pytest.mark.parametrize("text_format", ["tagged", "conllu", "trees", "brown"])
def test_no_text_is_measured_by_other_rules_than_the_model_s(
    tmp_path: Path, text_format: str
) -> None:
    """It would read "He" as "he", and 3 as <num>: words that the model may lack."""
    trained(tmp_path, "brown-raw")
    given = ["--model", str(tmp_path / "m"), "--corpus", str(tmp_path / "corpus")]
    asked = [*given, "--format", text_format, "--json", str(tmp_path / "figures.json")]
    told = CliRunner().invoke(evaluate, asked)
    assert told.exit_code == 1
    assert "m reads a text by rules of its own (spaces)" in told.output
    assert not (tmp_path / "figures.json").exists()
