"""`unrolled train` and `unrolled evaluate`: from a corpus to a model folder."""

from __future__ import annotations

from pathlib import Path

import click

from models.training import worked_example
from models.training.cli.heads import heads_command
from models.training.cli.measuring import evaluate
from models.training.cli.network import network_command
from models.training.cli.options import FOLDER, HELP
from models.training.cli.running import errors

__all__ = ["evaluate", "train"]


@click.group(context_settings=HELP)
def train() -> None:
    """Train the network, then its heads: resumable, reproducible by recipe and seed.

    On several processes or GPUs: torchrun --nproc_per_node N -m models.training train …
    """


train.add_command(network_command)
train.add_command(heads_command)


@train.command("worked-example")
@click.option("--out", type=FOLDER, required=True, help="Model folder to write.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the heads' sentences.")
def worked_example_command(out: Path, seed: int) -> None:
    """Write the LSTM of two units that a lecture works by hand, with heads for it."""
    with errors():
        worked_example.make(out, seed)
    click.echo(f"Wrote {out}.")
