"""`python -m models.training train …`, for torchrun; otherwise the same as `unrolled train …`."""

import click

from models.training.cli import evaluate, train

main = click.Group("models.training", commands={"train": train, "evaluate": evaluate})

if __name__ == "__main__":
    main(prog_name="python -m models.training")
