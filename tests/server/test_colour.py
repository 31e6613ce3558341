"""The rectangle's arithmetic, by the cases that the page's own test reads too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.colour import dark_ink, dilute, rectangle

FILE = Path(__file__).parents[1] / "fixtures" / "colour_cases.json"
CASES = json.loads(FILE.read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case):
    won = rectangle(case["mass"], case["classes"], case["palette"])
    assert won.colour == case["colour"]
    assert won.p == pytest.approx(case["p"], abs=1e-12)
    assert dilute(won.colour, won.p) == pytest.approx(case["rgb"], abs=1e-9)


def test_ink_is_the_one_that_reads_better():
    assert dark_ink((255.0, 255.0, 255.0))
    assert dark_ink((127, 201, 127))
    assert not dark_ink((0, 0, 0))
    assert not dark_ink((56, 80, 140))
