"""Recipe files, the corpora they name, and what cannot be used."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from models.corpora import CorpusError, Document, Sentence
from models.training.corpus import FORMATS, load_corpus, trained_on
from models.training.recipe import CorpusRecipe, Recipe
from models.training.recipe_bounds import BOUNDS
from models.training.recipe_files import RecipeError, load_recipe, recipe_names
from models.training.splits import GIVEN, SPLITS, by_running_words, split_by


@pytest.mark.parametrize("name", recipe_names())
def test_every_built_in_recipe_can_be_used(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name
    assert recipe.about
    assert recipe.corpus.format in FORMATS
    assert recipe.corpus.split in (*SPLITS, GIVEN)
    assert 0 <= recipe.network.exact_epochs <= recipe.network.epochs


def test_a_recipe_extends_another_and_a_change_goes_last() -> None:
    base, line = load_recipe("ablation/everything"), load_recipe("ablation/dropout-50")
    assert line.network.dropout_input == 0.5 != base.network.dropout_input
    assert line.network.batch_sentences == base.network.batch_sentences == 128
    changes = ["network.dropout_input=0.1", "heads.loss=network"]
    changed = load_recipe("ablation/dropout-50", changes)
    assert changed.network.dropout_input == 0.1
    assert changed.heads.loss == "network"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[network", "cannot be read as TOML"),
        ("[nets]\nunits = 3", "no section `nets`"),
        ("[network]\nunit = 3", "`network` has no field `unit`"),
        ('[network]\nunits = "3"', "`network.units` must be of type int"),
        ("[network]\nunits = true", "`network.units` must be of type int"),
        ('[network]\nschedule = "cosine"', "`network.schedule` must be one of one-cycle, constant"),
        ("network = 3", "`network` must be a table"),
        ('extends = "paper"\n[about]\nx = 1', "`about` must be a string"),
        ('extends = "nothing"', "there is no such recipe"),
    ],
)
def test_a_recipe_that_cannot_be_used_is_refused_by_field(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(RecipeError, match=message):
        load_recipe(str(path))


@pytest.mark.parametrize("change", ["units=3", "network.units", "network.units=many"])
def test_a_change_that_cannot_be_made_is_refused(change: str) -> None:
    with pytest.raises(RecipeError):
        load_recipe("paper", [change])


@pytest.mark.parametrize("change", ["about.x=1", "task.y=2"])
def test_a_change_of_what_is_no_table_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('about = "mine"\ntask = "tagging"\n')
    with pytest.raises(RecipeError):
        load_recipe(str(path), [change])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("network.dropout_output=1.0", "must be at least 0 and below 1; it is 1.0"),
        ("network.dropout_input=-0.1", "must be at least 0 and below 1"),
        ("network.dropped_words=nan", "must be at least 0 and below 1; it is nan"),
        ("network.averaging=1", "must be at least 0 and below 1"),
        ("network.batch_sentences=0", "must be at least 1; it is 0"),
        ("network.units=10000000", "must be at least 1 and at most 65,536"),
        ("network.rate=0", "must be over 0"),
        ("network.rate=inf", "must be over 0; it is inf"),
        ("network.seed=-1", "must be at least 0 and at most 2,147,483,647"),
        ("network.projection=4", "must be 0: the cell lstm has no projection"),
        ("corpus.minimum_count=0", "must be at least 1"),
        ("heads.exact_part=1.5", "must be at least 0 and at most 1"),
        ("heads.ridge=0", "must be over 0"),
        (f"network.rate={10**400}", "must be over 0; it is past 1.8e.308, the largest number"),
        (f"network.epochs={10**400}", "must be at least 1; it is past 1.8e.308, the largest"),
        (f"network.units=-{10**400}", "must be at least 1 and .*; it is past 1.8e.308"),
        (f"network.epochs=0x{'f' * 5000}", "must be at least 1; it is past 1.8e.308"),
        (f"network.epochs={'9' * 5000}", "must be of type int"),
        (f"network.epochs={'[' * 100_000}", "must be of type int"),
    ],
)
def test_a_number_out_of_its_bounds_is_refused_by_field(change: str, message: str) -> None:
    field = change.partition("=")[0]
    with pytest.raises(RecipeError, match=f"brown-lstm-300x2.toml: `{field}` {message}"):
        load_recipe("brown-lstm-300x2", [change])


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 100_000])
def test_what_cannot_be_read_as_toml_is_told_by_file(tmp_path: Path, value: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"[network]\nepochs = {value}\n")
    with pytest.raises(RecipeError, match=r"mine\.toml: this cannot be read as TOML"):
        load_recipe(str(path))


def test_a_cell_that_projects_needs_to_be_told_to_how_many() -> None:
    with pytest.raises(RecipeError, match=r"`network\.projection` must be over 0 and below 300"):
        load_recipe("brown-lstm-300x2", ["network.cell=lstm-projected"])
    changes = ["network.cell=lstm-projected", "network.projection=64"]
    assert load_recipe("brown-lstm-300x2", changes).network.outputs == 64


def test_a_restart_has_what_the_network_has_but_for_what_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[network]\nepochs = 5\ndropout_input = 0.2\n\n[[restarts]]\nepochs = 2\n")
    changes = ["restarts.1.dropout_between=0.6", "restarts.2.clip=0.5", "restarts.2.seed=3"]
    recipe = load_recipe(str(path), changes)
    first, second = recipe.restarts
    assert first == replace(recipe.network, epochs=2, dropout_between=0.6)
    assert second == replace(first, clip=0.5, seed=3)
    assert recipe.cycles == (recipe.network, first, second)
    assert load_recipe("ablation/epochs-10").restarts == ()


def test_a_restart_may_carry_the_state_of_a_language_model_alone(tmp_path: Path) -> None:
    recipe = load_recipe("brown-lstm-300x2", ["restarts.1.state=carried"])
    assert [cycle.state for cycle in recipe.cycles[:2]] == ["zero", "carried"]
    path = tmp_path / "tagger.toml"
    path.write_text('task = "tagging"\n[[restarts]]\nstate = "carried"\n')
    with pytest.raises(
        RecipeError, match=r"`restarts\.1\.state` = carried is for a language model"
    ):
        load_recipe(str(path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("restarts.1.units=30", "`restarts.1.units` cannot be another than `network.units`"),
        ("restarts.1.cell=gru", "`restarts.1.cell` cannot be another than `network.cell`"),
        ("restarts.1.epochs=0", "`restarts.1.epochs` must be at least 1"),
        ("restarts.1.tokens=3", "`restarts.1` has no field `tokens`"),
        ("restarts.0.epochs=3", "`restarts.0.epochs=3`: a restart is one of 1 to "),
        ("restarts.9.epochs=3", "`restarts.9.epochs=3`: a restart is one of 1 to "),
        ("restarts.x.epochs=3", "`restarts.x.epochs=3`: a restart is one of 1 to "),
        ("restarts.epochs=3", "is not of the form section.field=value, or restarts.1.field=value"),
        ("network.1.epochs=3", "is not of the form section.field=value"),
        ("network.1.2.epochs=3", "is not of the form section.field=value"),
        ("restarts.1.2.epochs=3", "is not of the form section.field=value"),
        ("restarts=3", "is not of the form section.field=value"),
    ],
)
def test_a_restart_keeps_the_shape_of_the_network(change: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_recipe("brown-lstm-300x2", [change])


def test_every_number_of_a_recipe_has_bounds_that_its_default_keeps() -> None:
    for section in ("corpus", "network", "heads"):
        fields = asdict(getattr(Recipe("mine"), section))
        numbers = {n: v for n, v in fields.items() if type(v) in (int, float)}
        assert numbers.keys() == BOUNDS[section].keys()
        assert all(BOUNDS[section][name].hold(value) for name, value in numbers.items())


def documents(*lengths: int) -> list[Document]:
    """One document per number: that many sentences of 1,000 words."""
    sentence = Sentence(("a",) * 1000, ("DET",) * 1000)
    return [Document(f"d{i}", "a", (sentence,) * n) for i, n in enumerate(lengths)]


def test_running_words_are_dealt_out_in_their_order() -> None:
    parts = by_running_words(documents(600, 300, 200, 100))
    words = {n: sum(len(s.words) for d in p for s in d.sentences) for n, p in parts.items()}
    assert words == {"train": 800_000, "valid": 200_000, "test": 200_000}
    assert [d.name for d in parts["valid"]] == ["d1", "d2"]


@pytest.mark.parametrize("name", ["documents", "sentences", "running-words", "shuffled-words"])
def test_every_split_keeps_every_sentence_once(name: str) -> None:
    given = documents(*[60] * 30)
    parts = split_by(name, given)
    counts = [sum(len(d.sentences) for d in part) for part in parts.values()]
    assert sum(counts) == 60 * 30
    assert all(counts)


def test_a_split_or_format_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="The split 'halves' is not known"):
        split_by("halves", documents(1))
    with pytest.raises(CorpusError, match="The format 'html' is not known"):
        load_corpus(CorpusRecipe(format="html"), tmp_path)
    with pytest.raises(CorpusError, match="must be named: --corpus"):
        load_corpus(CorpusRecipe(format="text"))
    with pytest.raises(CorpusError, match="no parts of its own"):
        load_corpus(CorpusRecipe(format="text", split="given"), tmp_path)


def test_a_folder_that_says_its_corpus_need_not_say_how_often_a_word_was_seen() -> None:
    said = {"corpus": {"format": "text", "split": "sentences"}}
    assert trained_on(said, None) == CorpusRecipe("text", "sentences", 1)


def test_a_text_of_one_s_own_with_a_file_of_classes(tmp_path: Path) -> None:
    text, classes = tmp_path / "text.txt", tmp_path / "classes.tsv"
    text.write_text("the dog barks\n" * 20)
    classes.write_text("dog\tNOUN\nbarks\tVERB\n")
    corpus = load_corpus(CorpusRecipe("text", "sentences", 1), text, classes=classes)
    vocabulary = corpus.vocabulary
    named = {
        word: vocabulary.class_names[vocabulary.classes[vocabulary.ids[word]]]
        for word in ("dog", "barks", "the")
    }
    assert named == {"dog": "NOUN", "barks": "VERB", "the": "X"}
    assert {name: len(part) for name, part in corpus.parts.items()} == {
        "train": 17,
        "valid": 1,
        "test": 2,
    }
    assert corpus.unknown == {"train": 0, "valid": 0, "test": 0}


def test_a_corpus_too_small_for_its_split_is_told(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the dog barks\n" * 6)
    corpus = load_corpus(CorpusRecipe("text", "sentences", 1), text)
    corpus.need("train", "test")
    with pytest.raises(CorpusError, match=r"the part 'valid'.* corpus\.split = sentences"):
        corpus.need("train", "valid")
