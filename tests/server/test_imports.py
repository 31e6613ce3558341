"""Who imports whom: the direction of DESIGN's house, read from the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(p for name in ("models", "server") for p in (ROOT / name).rglob("*.py"))
# Each may import those before it, and none after it.
LAYERS = [
    {"models.cells", "models.heads"},
    {"models.decode"},
    {"models.trace"},
    {"server.inference"},
    {"server.api"},
]


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(tree: ast.AST) -> set[str]:
    """Modules that the code imports, with ``from a import b`` as both a and a.b."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def tops(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


GRAPH = {module(path): imports(ast.parse(path.read_text())) for path in FILES}


@pytest.mark.parametrize("name", [n for n in GRAPH if n.split(".")[0] == "models"])
def test_models_know_nothing_of_the_web(name):
    assert not tops(GRAPH[name]) & {"server", "flask", "werkzeug", "gunicorn", "gevent", "pydantic"}


@pytest.mark.parametrize("name", [n for n in GRAPH if n.split(".")[0] == "server"])
def test_training_is_imported_by_nothing_of_the_server_but_the_command_when_asked(name):
    training = {n for n in GRAPH[name] if n.startswith("models.training")}
    if name != "server.cli":
        assert not training
        return
    assert training, "the command line attaches `train` and `evaluate`"
    tree = ast.parse((ROOT / "server" / "cli.py").read_text())
    at_import = ast.Module([node for node in tree.body if not _is_definition(node)], [])
    assert not {n for n in imports(at_import) if n.startswith("models")} - _for_types(tree)


def _is_definition(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef)


def _for_types(tree: ast.Module) -> set[str]:
    guarded = [
        n for n in tree.body if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)
    ]
    return imports(ast.Module(list(guarded), []))


def within(name: str, layer: set[str]) -> bool:
    """Whether it is one of the modules, or in one of the packages."""
    return any(name == one or name.startswith(f"{one}.") for one in layer)


def test_the_way_of_the_data_is_one_direction():
    later: set[str] = set()
    for layer in reversed(LAYERS):
        assert layer <= GRAPH.keys()
        for name in (n for n in GRAPH if within(n, layer)):
            assert not [used for used in GRAPH[name] if within(used, later)], name
        later |= layer


def test_all_that_is_compiled_is_compiled_when_it_is_installed():
    compiled = {name for name, used in GRAPH.items() if "models.compiling.compiled" in used}
    reached, waiting = set(), {"models.trace"}
    while waiting:
        reached |= waiting
        waiting = {u for n in waiting for u in GRAPH[n] if u in GRAPH} - reached
    assert compiled
    assert compiled <= reached
    for name in ("Dockerfile", "Makefile"):
        assert "-c 'import models.trace'" in (ROOT / name).read_text(), name


def test_nothing_is_unpickled_or_evaluated():
    forbidden = {"pickle", "cPickle", "dill", "joblib", "marshal", "shelve"}
    for name, imported in GRAPH.items():
        assert not tops(imported) & forbidden, name
    for path in FILES:
        called = {n.func.id for n in ast.walk(ast.parse(path.read_text())) if _is_plain_call(n)}
        assert not called & {"eval", "exec"}, path


def _is_plain_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
