"""What the command line's tests share: a folder of their own, and the line run in this process."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
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


def write_few(folder: Path) -> Path:
    """The head of the pipeline sample, three deals, as pipeline.csv in `folder`: few deals make small documents."""
    lines = (SAMPLES / "pipeline.csv").read_text(encoding="utf-8-sig").splitlines(keepends=True)
    place = folder / "pipeline.csv"
    place.write_text("".join(lines[:4]), encoding="utf-8", newline="")
    return place


@pytest.fixture
def few(folder: Path) -> Path:
    """A small file of deals in the working folder."""
    return write_few(folder)


@pytest.fixture(scope="session")
def bad_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One file of each kind that can't be used, by kind."""
    return make_bad_files(tmp_path_factory.mktemp("bad"))


@dataclass(frozen=True)
class Prepared:
    """Working folders as they were at one moment, to be laid out again at the very place that they were made at."""

    home: Path

    @property
    def work(self) -> Path:
        """The place: jobs and remembered folders hold absolute paths."""
        return self.home / "work"

    def keep(self, name: str) -> None:
        """Keep a copy of what is at the place under `name`."""
        shutil.copytree(self.work, self.home / name)

    def lay_out(self, name: str) -> Path:
        """The place, holding a fresh copy of what was kept under `name`."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.home / name, self.work)
        return self.work


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The working folder with a sample, kept twice: while its job waited, and after it was approved."""
    kept = Prepared(tmp_path_factory.mktemp("prepared"))
    kept.work.mkdir()
    write_few(kept.work)
    told = io.StringIO()
    with contextlib.chdir(kept.work), contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        assert main(["process", "pipeline.csv", "--approve", "later"]) == 3, told.getvalue()
        kept.keep("waiting")
        assert main(["process", "pipeline.csv", "--approve", "yes"]) == 0, told.getvalue()
        kept.keep("finished")
    return kept


@pytest.fixture
def waiting(prepared: Prepared, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, in which the job of pipeline.csv waits."""
    monkeypatch.chdir(prepared.lay_out("waiting"))
    return prepared.work


@pytest.fixture
def finished(prepared: Prepared, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, in which the job of pipeline.csv was delivered."""
    monkeypatch.chdir(prepared.lay_out("finished"))
    return prepared.work


@pytest.fixture
def signed(finished: Path) -> Path:
    """The results of the delivered job."""
    return finished / "out" / "pipeline"
