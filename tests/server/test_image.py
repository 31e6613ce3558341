"""The Dockerfile's steps without an engine: they do what an engine does, and a broken one is told.

What they make is run by `test_faults`; `make image-steps` makes it with the packages of the lock.
"""

from __future__ import annotations

import os

import pytest

from tests.container import running
from tests.dockerfile import ROOT
from tests.image import Build, StepFailed
from tests.image_steps import folder

BASE = "python:3.11.14-slim-bookworm"
USER = "RUN useradd --system --uid 10001 --no-create-home {}\nUSER {}\n"


@pytest.fixture(name="folder")
def _folder():
    with folder() as empty:
        yield empty


BROKEN = {
    "COPY server server": "COPY sever server",
    "COPY deploy/requirements.lock": "COPY deploy/requirements.txt",
    "--requirement requirements.lock": "--requirement requirements.txt",
    "--require-hashes": "--require-hash",
    "python -m venv": "python -m vnev",
    "README.md ./": "README.md .git/config ./",  # .dockerignore keeps it back
    "FROM python": "FROM pyhton",
    "WORKDIR": "WORKDIRS",
}


@pytest.mark.parametrize("right", BROKEN)
def test_a_broken_step_is_told(folder, right):
    text = (ROOT / "Dockerfile").read_text().replace(right, BROKEN[right])
    assert text != (ROOT / "Dockerfile").read_text()
    done: list[str] = []
    with pytest.raises(StepFailed) as told:
        Build(folder, text).run(done.append)
    assert BROKEN[right].split()[-1].rstrip("./") in str(told.value)
    assert not any(BROKEN[right] in step for step in done)


@pytest.fixture
def context(tmp_path):
    (tmp_path / ".dockerignore").write_text("*\n!sent\n**/*.pyc\n")
    (tmp_path / "sent" / "below").mkdir(parents=True)
    for name in ("sent/one", "sent/below/two", "sent/below/two.pyc", "kept"):
        (tmp_path / name).write_text(name)
    return tmp_path


def made(folder, context, steps):
    return Build(folder, f"FROM {BASE} AS base\n{steps}", context).run()


def test_steps_do_what_an_engine_does(folder, context):
    image = made(
        folder,
        context,
        'ARG WHO=you\nENV A=/opt/a B="$WHO and $A"\nWORKDIR /made/here\nCOPY sent ./\n'
        "COPY sent/one /opt/\nCOPY sent/one /opt/another\n"
        'RUN echo "$B" > told && cp /opt/another /opt/a && test -f below/two\n'
        f"FROM {BASE}\nCOPY --from=base /made /made\nCOPY --from=base /opt/a /opt/a\n"
        'RUN test ! -e /opt/another && test -z "$WHO$B"\n',
    )
    files = {p.relative_to(image.root).as_posix() for p in (image.root / "made").rglob("*")}
    assert files == {f"made/here{p}" for p in ("", "/one", "/below", "/below/two", "/told")}
    assert (image.root / "opt" / "a").read_text() == "sent/one"
    assert (image.root / "made/here/told").read_text() == "you and \n"


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("COPY kept ./", "COPY kept"),
        ("COPY sent/one sent/below /opt", "end with a slash"),
        ("COPY --from=nowhere /app /app", "no stage nowhere"),
        ("RUN echo said; false", "said"),
        ("RUN mkdir /nowhere", "/nowhere is not in the image"),
        ("RUN useradd --uid 1 --sytem me", "unrecognized arguments: --sytem"),
    ],
)
def test_what_an_engine_refuses_is_refused(folder, context, steps, told):
    with pytest.raises(StepFailed, match=told):
        made(folder, context, steps)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (USER.format("me", "you") + 'CMD ["true"]', "USER you"),
        (USER.format("me", "me") + 'CMD ["serve-it"]', "serve-it is not in the image"),
        (USER.format("me", "me") + 'CMD ["sh", "-c", "exit 3"]', "status 3"),
    ],
)
def test_an_image_that_cannot_run_is_told(folder, context, steps, told):
    image = made(folder, context, steps)
    with pytest.raises(StepFailed, match=told), running(image) as container:
        container.ready()


def test_what_it_writes_is_seen_and_refused(folder, context):
    steps = 'CMD ["sh", "-c", "echo x > /tmp/x; echo x > /opt/x; echo x >> one; exec sleep 60"]'
    image = made(folder, context, USER.format("me", "me") + "COPY sent /opt/\n" + steps)
    image.command[2] = image.rewritten(image.command[2])
    with running(image) as container:
        while not (image.root / "tmp" / "x").exists():
            assert container.process.poll() is None
        assert container.written() == set()
        (image.root / "opt").chmod(0o755)
        (image.root / "opt" / "y").write_text("y")
        assert container.written() == {f"{image.root}/opt/{name}" for name in (".", "y")}
    assert os.access(image.root / "opt" / "one", os.W_OK)
