"""What is compiled is kept where it can be, and works where it cannot."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest
from numba.core import caching

from models import compiling

_SOURCE = """
from models.compiling import compiled


@compiled("float64(float64[::1])")
def total(x):
    sum_ = 0.0
    for i in range(len(x)):
        sum_ += x[i]
    return sum_
"""


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where nobody names a folder for what is compiled."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")


def made(folder: Path, source: str = _SOURCE) -> ModuleType:
    """A module with a compiled function, imported anew."""
    (folder / "summing.py").write_text(source)
    spec = importlib.util.spec_from_file_location("summing", folder / "summing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.total(np.arange(4.0)) == 6
    return module


def kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbi"))


def test_what_is_compiled_is_kept_beside_its_source(tmp_path: Path) -> None:
    assert not made(tmp_path).total.stats.cache_hits
    assert [path.parent.name for path in kept(tmp_path)] == ["__pycache__"]
    assert made(tmp_path).total.stats.cache_hits


def full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_only_costs_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)
    made(tmp_path)
    assert not kept(tmp_path)


def test_no_folder_to_write_to_only_costs_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    made(tmp_path)
    assert not kept(tmp_path)


def test_nothing_is_left_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling.tempfile, "tempdir", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").mkdir()
    made(tmp_path)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_what_an_image_brings_is_read_though_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = tmp_path / "brought"
    brought.mkdir()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(brought))
    made(tmp_path)
    assert len(kept(brought)) == 1
    monkeypatch.setattr(compiling.os, "access", lambda *_: False)  # root may write anywhere
    assert made(tmp_path).total.stats.cache_hits
    copy = Path(numba.config.CACHE_DIR)
    assert brought != copy
    compiling._remove(str(copy), 0)
    assert copy.is_dir()
    compiling._remove(str(copy), os.getpid())
    assert not copy.exists()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(brought))
    monkeypatch.setattr(compiling.shutil, "copytree", full)
    assert made(tmp_path).total.stats.cache_hits


def test_it_is_compiled_anew_when_a_piece_of_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path)
    assert made(tmp_path).total.stats.cache_hits
    (tmp_path / "piece.py").write_text("# beside it")
    assert not made(tmp_path).total.stats.cache_hits
    assert made(tmp_path).total.stats.cache_hits
    assert len(kept(tmp_path)) == 1  # what it was before is not kept for ever

    renamed = _SOURCE.replace("def total", "def summed") + "\n\ntotal = summed\n"
    assert not made(tmp_path, renamed).total.stats.cache_hits
    assert [path.name.partition("_")[0] for path in kept(tmp_path)] == ["summing.summed"]
    made(tmp_path)

    elsewhere = tmp_path / "compiling"  # where the pieces are that all have
    elsewhere.mkdir()
    (elsewhere / "__init__.py").write_text("")
    with monkeypatch.context() as patched:
        patched.setattr(compiling, "__file__", str(elsewhere / "__init__.py"))
        assert not made(tmp_path).total.stats.cache_hits
        assert made(tmp_path).total.stats.cache_hits
        (elsewhere / "__init__.py").write_text("# other")
        assert not made(tmp_path).total.stats.cache_hits


class Features(dict[str, bool]):
    """As llvmlite has them."""

    def flatten(self) -> str:
        return ",".join(("+" if on else "-") + name for name, on in self.items())


@pytest.mark.parametrize(
    ("features", "own", "said"),
    [
        ({"avx512f": True, "avx512fp16": True}, None, "+avx512f,+avx512fp16,-prefer-256-bit"),
        ({"avx512f": True, "avx512fp16": False}, None, None),  # the first that had them
        ({"avx512f": True, "avx512fp16": True}, "+avx2", "+avx2"),
        ({"avx512f": True, "avx512fp16": True}, "AVX disabled", None),
    ],
)
def test_the_widest_vectors_are_taken_where_they_cost_nothing(
    features: dict[str, bool], own: str | None, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling.binding, "get_host_cpu_features", lambda: Features(features))
    monkeypatch.setattr(numba.config, "CPU_NAME", None)
    monkeypatch.setattr(numba.config, "ENABLE_AVX", own != "AVX disabled")
    monkeypatch.setattr(numba.config, "CPU_FEATURES", None if own == "AVX disabled" else own)
    compiling._whole_vectors(compiling._features())
    assert said == numba.config.CPU_FEATURES
    assert numba.config.CPU_NAME is None
