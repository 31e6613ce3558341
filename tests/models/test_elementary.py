"""What is compiled of functions and of halves, against numpy in double precision: also as it is
compiled for a processor of which nothing is known.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.compiling import AS_WRITTEN, loop
from models.compiling.elementary import exp, log, of_half, sigmoid, tanh

_SMALL = "test_small_inputs_keep_their_digits"
LAST_DIGIT = 2.0**-23  # of a number, at most


def over(function: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    @loop(AS_WRITTEN)
    def run(x, out):  # type: ignore[no-untyped-def]
        for i in range(len(x)):
            out[i] = function(x[i])

    def of(x: np.ndarray) -> np.ndarray:
        out = np.empty(x.shape, np.float32)
        run(x, out)
        return out

    return of


_NEAR_1 = 1 + np.geomspace(2.0**-23, 0.5, 5_001)
NUMBERS = np.concatenate(
    [np.linspace(-86, 86, 100_001), np.geomspace(1e-30, 1, 50_001), _NEAR_1, 2 - _NEAR_1]
)
SIGNED = np.concatenate([NUMBERS, -NUMBERS]).astype(np.float32)


@pytest.mark.parametrize(
    ("function", "x", "wanted"),
    [
        (exp, -abs(SIGNED), np.exp),
        (log, abs(SIGNED[SIGNED != 0]), np.log),
        (sigmoid, SIGNED, lambda x: 1 / (1 + np.exp(-x))),
        (tanh, SIGNED, np.tanh),
    ],
)
def test_right_to_the_last_digits(
    function: Callable[[float], float],
    x: np.ndarray,
    wanted: Callable[[np.ndarray], np.ndarray],
) -> None:
    right = wanted(x.astype(np.float64))
    np.testing.assert_allclose(over(function)(x), right, rtol=2 * LAST_DIGIT, atol=1e-36)


def test_at_the_ends() -> None:
    ends = np.array([0, -0.0, -88, -1e30, -np.inf], np.float32)
    assert over(exp)(ends).tolist() == [1, 1, 0, 0, 0]
    none = np.array([np.nan], np.float32)
    assert np.isnan([over(sigmoid)(none), over(tanh)(none)]).all()
    both = np.array([-np.inf, -200, 0, 200, np.inf], np.float32)
    assert over(sigmoid)(both).tolist() == [0, 0, 0.5, 1, 1]
    assert over(tanh)(both).tolist() == [-1, -1, 0, 1, 1]


def test_a_half_is_the_number_that_it_is() -> None:
    bits = np.arange(2**16, dtype=np.uint16)
    bits = bits[np.isfinite(bits.view(np.float16))]
    got = over(of_half)(bits)  # type: ignore[arg-type]
    assert np.array_equal(got, bits.view(np.float16).astype(np.float32))


def test_a_processor_of_which_nothing_is_known(tmp_path: Path) -> None:
    """Halves are then read by their bits, fewer sums are held, and all words are counted."""
    others = ("test_packed.py", "test_buckets.py")
    tests: list[object] = [Path(__file__), *map(Path(__file__).with_name, others)]
    known = (
        "from models import compiling as c; "
        "print(c.reads_halves(), c.has_many_registers(), c.keeps_some())"
    )
    plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": str(tmp_path)}

    def ran(*arguments: str) -> str:
        result = subprocess.run(
            [sys.executable, *arguments],
            cwd=Path(__file__).parents[2],
            env=plain,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert result.returncode == 0, result.stdout[-3000:]
        return result.stdout

    assert ran("-c", known) == "False False False\n"
    tests = [*tests, f"{Path(__file__).with_name('test_typed_states.py')}::{_SMALL}"]
    options = ["-q", "-p", "no:cacheprovider", "-k", "not nothing_is_known"]
    assert " passed" in ran("-m", "pytest", *options, *map(str, tests))
