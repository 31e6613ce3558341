"""``python -m server``: the command ``unrolled``, also where it is not installed."""

from server.cli import main

main(prog_name="unrolled")
