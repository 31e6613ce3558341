"""The matrix product of the decode path: both libraries, and which is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.products import _is_intel, lacks_bfloat16, matmul


@pytest.mark.parametrize("by_torch", [False, True])
@pytest.mark.parametrize("rows", [1, 18, 65])
def test_the_product_is_written_where_it_is_asked_for(by_torch: bool, rows: int) -> None:
    rng = np.random.default_rng(rows)
    a, b = (rng.standard_normal((n, 30)).astype(np.float32) for n in (rows, 40))
    out = np.full((rows, 100), np.nan, np.float32)
    matmul(a, b, out[:, 20:60], by_torch)
    expected = a.astype(np.float64) @ b.T.astype(np.float64)
    np.testing.assert_allclose(out[:, 20:60], expected, atol=1e-5)
    assert np.isnan(out[:, :20]).all()
    assert np.isnan(out[:, 60:]).all()


@pytest.mark.parametrize(
    ("said", "intel"),
    [("vendor_id : GenuineIntel", True), ("vendor_id : AuthenticAMD", False), ("", False)],
)
def test_the_processor_says_whose_it_is(tmp_path: Path, said: str, intel: bool) -> None:
    assert not _is_intel(tmp_path / "none")
    (tmp_path / "cpuinfo").write_text(f"processor : 0\n{said}\n")
    assert _is_intel(tmp_path / "cpuinfo") == intel


@pytest.mark.parametrize(
    ("flags", "lacks"),
    [
        ("flags : avx2 avx512f avx512_bf16 amx_bf16", False),
        ("Features : asimd sve bf16", False),
        ("flags : avx2 fma", True),
    ],
)
def test_a_processor_that_says_nothing_is_not_said_to_lack_bfloat16(
    tmp_path: Path, flags: str, lacks: bool
) -> None:
    assert not lacks_bfloat16(tmp_path / "none")
    (tmp_path / "cpuinfo").write_text(f"{flags}\n")
    assert lacks_bfloat16(tmp_path / "cpuinfo") == lacks
