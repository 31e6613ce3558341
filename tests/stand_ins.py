"""What a base image brings and this machine does not: its Python under its name, a ``useradd`` that
changes the image's users and not this machine's; and, where nothing is to be fetched, a ``pip``
that takes what is installed here.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def base_image(root: Path, packages: bool) -> Path:
    """Write them into the image at ``root``; the folder that they are in."""
    folder = root / "usr" / "local" / "bin"
    folder.mkdir(parents=True)
    python = shlex.quote(interpreter())
    # pip itself takes ten seconds to install.
    lean = '[ "$1 $2" = "-m venv" ] && shift 2 && set -- -m venv --without-pip "$@"\n'
    _script(folder / "python", f'{"" if packages else lean}exec {python} "$@"')
    this = f"{shlex.quote(sys.executable)} {shlex.quote(__file__)}"
    for name in ["useradd"] if packages else ["useradd", "pip"]:
        _script(folder / name, f'exec {this} {name} {shlex.quote(str(root))} "$@"')
    return folder


def interpreter() -> str:
    """A Python of this version that other users than root may run too, if there is one: not that
    of an environment, which has a home that may be root's alone.
    """
    here = getattr(sys, "_base_executable", sys.executable)
    if os.geteuid() == 0:
        name = f"python{sys.version_info.major}.{sys.version_info.minor}"
        for path in (here, *(shutil.which(name, path=p) for p in ("/usr/local/bin", "/usr/bin"))):
            if path and may_be_read(path):
                return str(path)
    return str(here)


def may_be_read(path: str | Path, user: int = 10_001) -> bool:
    """Whether a user that owns nothing gets at the file; asked by root."""
    probe = ["test", "-r", str(path)]
    return subprocess.run(probe, user=user, group=user, extra_groups=[]).returncode == 0


def _script(path: Path, lines: str) -> None:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def useradd(root: Path, arguments: list[str]) -> None:
    parser = argparse.ArgumentParser("useradd", allow_abbrev=False)
    parser.add_argument("--system", action="store_true")
    parser.add_argument("--no-create-home", action="store_true")
    parser.add_argument("--uid", type=int, required=True)
    parser.add_argument("--shell", default="/bin/sh")
    parser.add_argument("login")
    new = parser.parse_args(arguments)
    with (root / "etc" / "passwd").open("a") as users:
        users.write(f"{new.login}:x:{new.uid}:{new.uid}::/home/{new.login}:{new.shell}\n")


def pip(root: Path, arguments: list[str]) -> None:
    """``pip install`` of the lock, and of the project itself."""
    python = str(shutil.which("python"))
    if "--editable" in arguments:
        # Not to be replaced: what is installed here, which the image's Python sees (see below).
        ours = [python, "-m", "pip", *arguments, "--no-index", "--ignore-installed"]
        sys.exit(subprocess.run(ours).returncode)
    parser = argparse.ArgumentParser("pip", allow_abbrev=False)
    parser.add_argument("install", choices=["install"])
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--require-hashes", action="store_true", required=True)
    parser.add_argument("--only-binary", choices=[":all:"])
    parser.add_argument("--requirement", type=Path, required=True)
    lock = parser.parse_args(arguments).requirement.read_text()
    for name in re.findall(r"^([\w.-]+)==", lock, re.M):
        try:
            distribution(name)
        except PackageNotFoundError:
            sys.exit(f"{name} is locked, and not installed here")
    target = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    Path(target, "here.pth").write_text(f"{sysconfig.get_path('purelib')}\n")


if __name__ == "__main__":
    {"useradd": useradd, "pip": pip}[sys.argv[1]](Path(sys.argv[2]), sys.argv[3:])
