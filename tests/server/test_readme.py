"""What README and CITATION.cff say that pyproject.toml decides."""

from __future__ import annotations

import json
import tomllib

import yaml

from server import __version__
from tests.dockerfile import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_pytorch_that_is_installed_first_is_the_one_that_is_needed():
    [torch] = [one for one in PROJECT["dependencies"] if one.startswith("torch")]
    assert f'pip install "{torch}" --index-url' in README


def test_what_is_cited_is_this_version_and_the_paper_that_readme_names():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    page = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert page["version"] == __version__ == PROJECT["version"]
    assert f"version = {{{PROJECT['version']}}}" in README
    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])
    assert cited["authors"] == PROJECT["authors"]
    [paper] = cited["references"]
    words = " ".join(README.split())
    first, second, third = (one["family-names"] for one in paper["authors"])
    assert f"({first}, {second} and {third}, “{paper['title']}”" in words
    assert paper["conference"]["name"] in words
    assert paper["conference"]["name"].endswith(str(paper["year"]))
