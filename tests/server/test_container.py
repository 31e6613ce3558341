"""What can be known of the container without an engine: the Dockerfile, and its steps run here."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib

import pytest

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
    assert tops == {"LICENSE", "README.md", "pyproject.toml", "models", "server", "static"}
    for path in ("server/__pycache__/cli.cpython-311.pyc", ".git/config", "tests/conftest.py"):
        assert not is_sent(path)
    for path in ("node_modules/d3/package.json", "runs/x/checkpoint.safetensors", ".venv/bin/pip"):
        assert not is_sent(path)
    assert every("ADD") == []


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


def python_step(part: str) -> str:
    """The Python code of the one RUN step that holds `part`."""
    [step] = [rest for rest in every("RUN") if part in rest]
    words = shlex.split(step)
    return words[words.index("-c") + 1]


def run_code(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_needs_are_the_project_s_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = run_code(python_step("tomllib")).stdout.splitlines()
    assert listed == project["dependencies"]


@pytest.mark.parametrize(
    ("others", "status"), [([], 0), (["nvidia-cudnn-cu13"], 1), (["cuda-bindings", "triton"], 1)]
)
def test_a_plan_with_cuda_in_it_ends_before_it_is_downloaded(tmp_path, others, status):
    plan = {"install": [{"metadata": {"name": n}} for n in ("torch", "numpy", *others)]}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan))
    ended = run_code(python_step("plan.json").replace("/tmp/plan.json", str(path)))
    assert ended.returncode == status
    assert ("--build-arg TORCH_INDEX=" in ended.stderr) == bool(status)


@pytest.mark.parametrize(
    ("cuda", "hip", "status"), [(None, None, 0), ("13.0", None, 1), (None, "7.1", 1)]
)
def test_another_than_the_cpu_build_of_torch_ends_the_build(tmp_path, cuda, hip, status):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("from . import version\n__version__ = '2.13'\n")
    (tmp_path / "torch" / "version.py").write_text(f"cuda = {cuda!r}\nhip = {hip!r}\n")
    ended = run_code(python_step("import sys, torch"), PYTHONPATH=str(tmp_path))
    assert ended.returncode == status, ended.stderr
    assert ("torch 2.13 is no CPU build" in ended.stderr) == bool(status)
