"""What the Dockerfile says. Its steps are run by `test_image`."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import subprocess
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.dockerfile import ROOT, every, is_sent, stages

TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.splitlines()


def test_what_is_copied_is_there_and_is_sent():
    copied = [shlex.split(rest) for rest in every("COPY") if "--from" not in rest]
    for *sources, _ in copied:
        for source in sources:
            files = [p for p in TRACKED if p == source or p.startswith(f"{source}/")]
            assert files, source
            assert all(map(is_sent, files)), source


def test_nothing_but_what_serves_is_sent():
    context = [path for path in TRACKED if is_sent(path)]
    tops = {path.split("/")[0] for path in context}
    assert tops == {
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "deploy",
        "models",
        "server",
        "static",
    }
    for path in ("server/__pycache__/cli.cpython-311.pyc", ".git/config", "tests/conftest.py"):
        assert not is_sent(path)
    for path in ("node_modules/d3/package.json", "runs/x/checkpoint.safetensors", ".venv/bin/pip"):
        assert not is_sent(path)
    for path in ("models/mine/letters/network.safetensors", "models/mine/letters/vocab.json"):
        assert not is_sent(path)
    assert every("ADD") == []


def test_the_lock_is_written_by_the_dockerfile_s_python_alone():
    fault = runpy.run_path(str(ROOT / "deploy" / "lock.py"))["fault"]
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert fault((3, 11), "Linux", "x86_64", dockerfile) is None
    for here in (((3, 12), "Linux", "x86_64"), ((3, 11), "Linux", "aarch64")):
        assert "3.11 on Linux, x86_64" in fault(*here, dockerfile)
    assert "Darwin" in fault((3, 11), "Darwin", "x86_64", dockerfile)


def test_it_runs_as_somebody_who_owns_nothing_and_makes_no_shell():
    [user] = every("USER", image=True)
    [created] = [rest for rest in every("RUN", image=True) if rest.startswith("useradd")]
    assert created.split()[-1] == user != "root"
    assert int(re.search(r"--uid (\d+)", created)[1]) >= 10_000
    # Nothing is made after the user is named, so that nothing is theirs.
    words = [word for word, _ in stages()[-1]]
    assert not {"RUN", "COPY"} & set(words[words.index("USER") :])
    assert json.loads(every("CMD", image=True)[0]) == ["unrolled", "serve"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "unrolled" in project["scripts"]


def test_every_base_is_one_exact_python_that_is_supported():
    bases = [rest.split()[0] for rest in every("FROM")]
    assert len(set(bases)) == 1
    version = re.fullmatch(r"python:(\d+)\.(\d+)\.\d+-slim-\w+", bases[0])
    assert (int(version[1]), int(version[2])) >= (3, 11)


def locked() -> dict[str, tuple[str, str]]:
    """name → version and hash, of everything that the image installs."""
    text = (ROOT / "deploy" / "requirements.lock").read_text()
    lines = text.replace("\\\n", "").splitlines()[1:]
    found = [re.fullmatch(r"(\S+)==(\S+) +--hash=sha256:([0-9a-f]{64})", line) for line in lines]
    assert all(found)
    return {one[1]: (one[2], one[3]) for one in found if one}


def test_what_is_installed_is_locked_by_hash_and_is_what_the_project_asks_for():
    [step] = [rest for rest in every("RUN") if "--require-hashes" in rest]
    assert "--requirement requirements.lock" in step
    # Nothing else is fetched: the project itself is built with what is there.
    others = [rest for rest in every("RUN") if "pip install" in rest and rest != step]
    assert all("--no-deps --no-build-isolation" in rest for rest in others)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for need in project["project"]["dependencies"] + project["build-system"]["requires"]:
        requirement = Requirement(need)
        version, _ = locked()[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), need


def test_no_cuda_build_is_installed():
    assert locked()["torch"][0].endswith("+cpu")
    assert not [name for name in locked() if name.startswith(("nvidia", "cuda", "triton"))]
