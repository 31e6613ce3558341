"""Faults that take a start of the real server each: `make faults`, and not part of `make test`."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from pathlib import Path

import pytest

from models.checksums import seal
from tests.fixtures.tiny import make_tiny_model
from tests.running import command, free_port, serving


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def heads_of_another_network(path: Path) -> None:
    other = make_tiny_model(path.parent.parent / "other" / "zoo", seed=1)
    path.write_bytes((other / path.name).read_bytes())


def a_word_less(path: Path) -> None:
    record = json.loads(path.read_text())
    record["words"].pop()
    path.write_text(json.dumps(record))


def unreadable(path: Path) -> None:
    # Root reads whatever the permissions are, but nobody reads a folder as a file.
    path.unlink()
    path.mkdir()


FAULTS = {
    "weights truncated": ("network.safetensors", truncate),
    "one byte of the weights flipped": ("network.safetensors", flip),
    "one byte of the heads flipped": ("heads-this.safetensors", flip),
    "one byte of the vocabulary flipped": ("vocab.json", flip),
    "heads of another network": ("heads-next.safetensors", heads_of_another_network),
    "vocabulary of another size": ("vocab.json", a_word_less),
    "unreadable weights": ("heads-next.safetensors", unreadable),
    "unreadable vocabulary": ("vocab.json", unreadable),
    "weights missing": ("network.safetensors", Path.unlink),
    "heads missing": ("heads-next.safetensors", Path.unlink),
    "figures missing": ("metrics.json", Path.unlink),
}


def refused(folder: Path) -> str:
    """The one sentence with which a server ends that cannot use the folder."""
    ended = subprocess.run(
        command(folder, free_port()), capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    [line] = ended.stderr.splitlines()
    assert line.startswith("unrolled: ")
    assert line.endswith(".")
    return line


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_model_is_refused_by_its_file(tmp_path, fault):
    name, spoil = FAULTS[fault]
    folder = make_tiny_model(tmp_path / "zoo")
    seal(folder)
    spoil(folder / name)
    assert str(folder / name) in refused(folder.parent)


def test_no_folder_and_an_empty_one_are_told(tmp_path):
    for folder in (tmp_path / "none", tmp_path):
        assert str(folder) in refused(folder)


READ_ONLY = [
    *("unshare", "--mount", "sh", "-c"),
    'mount --bind / / && mount -o remount,bind,ro / && ! touch /x 2>/dev/null && exec "$@"',
    "sh",
]


def test_a_read_only_file_system_is_no_reason_not_to_serve(tmp_path):
    assert os.geteuid() == 0, "only root may mount the disk anew, read-only"
    zoo = make_tiny_model(tmp_path / "zoo").parent
    with serving(zoo, before=READ_ONLY, workers=2, threads=1) as server:
        for path in ("/", "/readyz", "/metrics"):
            with urllib.request.urlopen(server.url + path, timeout=30) as answer:
                assert answer.status == 200
