"""`unrolled import`: a model folder from a checkpoint of one's own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click

from models.cells import CELLS
from models.corpora import CorpusError
from models.importing import pieces
from models.importing.folder import write_model
from models.importing.mapping import read_map
from models.importing.matching import Match, fill, match
from models.importing.refused import ImportRefused, listed
from models.importing.weights import read_weights
from models.importing.word_lists import read_words
from models.importing.words import classes_of_words, understand, unmatched
from models.language_model import LanguageModel
from models.own_text import UNITS
from models.readers import class_file
from models.text import BOS, EOS, UNK
from models.vocabulary import Vocabulary

# Classes of English words come from the model that is shipped.
_ENGLISH = Path(__file__).parents[1] / "zoo" / "brown-lstm-300x2" / "vocab.json"
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("import", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("checkpoint", type=_FILE)
@click.option(
    "--vocab",
    type=_FILE,
    required=True,
    help="Its words in id order: text, a word a line or numbered; or JSON, a list or word → id.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Model folder to write.  [default: imported/<name of the checkpoint>]",
)
@click.option("--name", help="As the page shows it.  [default: the folder's name and what it is]")
@click.option(
    "--map", "map_file", type=_FILE, help="JSON: our name of a weight → the checkpoint's."
)
@click.option(
    "--ignore", "ignored", multiple=True, metavar="NAME", help="A weight that is no part."
)
@click.option(
    "--cell",
    type=click.Choice(list(CELLS)),
    help="[default: by the number of gates: 4 lstm, 3 gru, 1 elman]",
)
@click.option("--gates", help="Order of the gates' rows, where it is not torch's (ifco, rzh).")
@click.option("--unit", type=click.Choice(UNITS), help="What a token is.  [default: as it looks]")
@click.option("--unk", help="The word that unknown ones are read as.  [default: <unk>]")
@click.option("--bos", help="The word before each line.  [default: <bos> or <s>, else --eos]")
@click.option("--eos", help="The word after each line.  [default: <eos> or </s>]")
@click.option(
    "--classes",
    help="File of `word<TAB>CLASS` lines; or english, none.  [default: english, where half of the "
    "words are]",
)
def import_checkpoint(
    checkpoint: Path,
    vocab: Path,
    out: Path | None,
    name: str | None,
    map_file: Path | None,
    ignored: tuple[str, ...],
    cell: str | None,
    gates: str | None,
    unit: str | None,
    unk: str | None,
    bos: str | None,
    eos: str | None,
    classes: str | None,
) -> None:
    """Make a model folder from CHECKPOINT, a state dict in a .pt or .safetensors file.

    Nothing in the file is run. See docs/your-own-model.md.
    """
    try:
        words = read_words(vocab)
        told = {role: word for role, word in ((UNK, unk), (BOS, bos), (EOS, eos)) if word}
        state = read_weights(checkpoint)
        given = read_map(map_file) if map_file else {}
        matched = match(state, len(words), cell=cell, given=given, gates=gates, ignored=ignored)
        network = fill(matched, state)
        of_words = _classes(classes, words)
        vocabulary = understand(words, unit=unit, told=told, classes=of_words)
        folder = out or Path("imported") / (
            re.sub(r"[^\w.-]+", "-", checkpoint.stem, flags=re.A) or "model"
        )
        write_model(folder, checkpoint, name, matched, network, vocabulary)
    except (ImportRefused, CorpusError) as refused:
        raise click.ClickException(str(refused)) from None
    click.echo(report(matched, network, vocabulary))
    warning = pieces.warning(words, vocabulary.own.unknown if vocabulary.own else UNK)
    if warning:
        click.echo(f"\n{warning}", err=True)
    lacking = unmatched(of_words, vocabulary) if classes not in (None, "english", "none") else []
    if lacking:
        click.echo(
            f"\n{len(lacking):,} of {len(of_words):,} words of {classes} are not in the vocabulary"
            f": {listed(lacking)}.",
            err=True,
        )
    model = shlex.quote(str(folder))
    click.echo(f"\nWrote {folder}. Next: unrolled train heads --model {model} --corpus FILE.txt")


def report(matched: Match, network: LanguageModel, vocabulary: Vocabulary) -> str:
    """What was matched to what, and how text will be read."""
    rows = [("here", "in the checkpoint", "shape")] + [
        (ours, theirs or "none: zero", " × ".join(map(str, value.shape)))
        for (ours, theirs), value in zip(
            matched.names.items(), network.state_dict().values(), strict=True
        )
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    lines = [f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in rows]
    if matched.passed_over:
        lines.append(f"passed over: {', '.join(matched.passed_over)}")
    own = vocabulary.own
    assert own is not None
    architecture = matched.architecture
    tied = "decoder tied to the embedding" if architecture["tied"] else "decoder of its own"
    lines += [
        "",
        f"cell: {architecture['cell']}; {tied}",
        f"text: {len(vocabulary):,} {own.unit}s, {'lower case' if own.lower else 'case kept'}; "
        f"a line starts with {own.start} and ends with {own.end}; unknown ones are {own.unknown}",
    ]
    if own.written:
        shown = ", ".join(f"{theirs!r} as {ours}" for theirs, ours in own.written.items())
        lines.append(f"shown: {shown}")
    counts = {
        class_name: vocabulary.classes.count(index)
        for index, class_name in enumerate(vocabulary.class_names)
    }
    told = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
    lines.append(f"classes: {told}")
    return "\n".join(lines)


def _classes(option: str | None, words: list[str]) -> dict[str, str]:
    if option == "none":
        return {}
    if option is None or option == "english":
        return classes_of_words(_ENGLISH, words, always=option is not None)
    return class_file(Path(option), raw=True)
