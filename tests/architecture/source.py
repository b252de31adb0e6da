"""The project's own files, as the architecture tests read them."""

from __future__ import annotations

import ast
import io
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("schemas", "tools", "agents", "worker")


def tracked_files() -> list[Path]:
    """Every file that is part of the project: known to git, or new and not ignored."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def product_modules() -> list[Path]:
    """The Python files of the four packages."""
    return [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a file, nested ones too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef, source: str) -> int:
    """How many lines of a function hold code: docstring, comments and empty lines are not counted."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    first = body[0].lineno if body else node.lineno
    signature = source.splitlines()[node.lineno - 1 : node.body[0].lineno - 1]
    lines = source.splitlines()[first - 1 : node.end_lineno]
    return sum(1 for line in [*signature, *lines] if line.strip() and not line.strip().startswith("#"))


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Each comment of a file with its line; what only looks like one inside a string is left out."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
