"""Sizes and names: what is small is read, what has a vague name collects anything."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture import source

MAX_FUNCTION_LINES = 40
MAX_MODULE_LINES = 400
#: Names that say nothing of what is inside, so that everything ends up there.
VAGUE_NAMES = {"base", "common", "core", "helper", "helpers", "manager", "misc", "util", "utils"}

CACHE = "__pycache__"


def test_functions_have_at_most_40_lines_of_code() -> None:
    """Longer ones do more than one thing; docstring, comments and empty lines are not counted."""
    long = [
        f"{path.relative_to(source.ROOT)}:{node.lineno} {node.name}: {lines}"
        for path in source.product_modules()
        for node in source.functions(path)
        if (lines := source.code_lines(node, path.read_text(encoding="utf-8"))) > MAX_FUNCTION_LINES
    ]
    assert not long, "\n".join(long)


def test_modules_have_at_most_400_lines() -> None:
    """Longer ones hold more than one subject."""
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in source.product_modules()}
    long = [f"{path.relative_to(source.ROOT)}: {lines}" for path, lines in sizes.items() if lines > MAX_MODULE_LINES]
    assert not long, "\n".join(long)


def test_no_module_has_a_vague_name() -> None:
    """A module is named for what it holds, tests included."""
    everywhere = [path for path in source.tracked_files() if path.suffix == ".py"]
    parts = {part for path in everywhere for part in path.relative_to(source.ROOT).with_suffix("").parts}
    assert not parts & VAGUE_NAMES


def test_packages_are_never_empty_rooms() -> None:
    """A folder appears with its first real content: none holds an `__init__.py` alone."""
    inits = [path for path in source.product_modules() if path.name == "__init__.py"]
    assert not [str(path) for path in inits if {child.name for child in path.parent.iterdir()} <= {path.name, CACHE}]


def test_code_lines_leave_docstring_comments_and_gaps_out(tmp_path: Path) -> None:
    """The measure itself: signature and statements count, nothing else."""
    text = 'def f(\n    a: int,\n) -> int:\n    """Say.\n\n    More.\n    """\n    # why\n\n    b = a\n    return b\n'
    path = tmp_path / "f.py"
    path.write_text(text, encoding="utf-8")
    node = next(source.functions(path))
    assert isinstance(node, ast.FunctionDef)
    assert source.code_lines(node, text) == 5
