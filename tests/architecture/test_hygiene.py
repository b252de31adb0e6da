"""The project speaks of itself alone, and its four plain package names mean its own packages."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.architecture import source

#: Absolute paths of somebody's machine, and settings of an index; built in pieces so as not to find themselves.
FOREIGN = re.compile("|".join(["/ro" + "ot/", "/ho" + r"me/\w+/", "/Us" + r"ers/\w+/", "--(?:extra-)?index" + "-url"]))
BINARY = {".gif", ".jpg", ".otf", ".pdf", ".png", ".pptx", ".ttf", ".xls", ".xlsb", ".xlsx"}


def test_no_file_names_a_machines_folder_or_an_index() -> None:
    """What one machine has means nothing on another."""
    found: list[str] = []
    for path in source.tracked_files():
        if path.suffix not in BINARY:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            found += [f"{path.relative_to(source.ROOT)}:{n}" for n, line in enumerate(lines, 1) if FOREIGN.search(line)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", source.PACKAGES)
def test_each_package_name_means_this_projects_package(name: str) -> None:
    """No installed distribution takes the place of `schemas`, `tools`, `agents` or `worker`."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).is_relative_to(source.ROOT / name)
