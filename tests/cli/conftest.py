"""What the command line's tests share: a folder of their own, and the line run in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bad_files import make_bad_files
from worker.cli import main

SAMPLES = Path(__file__).parents[1] / "samples"


@dataclass(frozen=True)
class Ran:
    """What a command line answered."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def sentences(self) -> list[str]:
        """The lines of standard error."""
        return self.err.splitlines()


Line = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder that is this test's own; state and results go into it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def line(folder: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    """Runs a command line in this process, without a terminal."""

    def run(*words: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def bad_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One file of each kind that can't be used, by kind."""
    return make_bad_files(tmp_path_factory.mktemp("bad"))
