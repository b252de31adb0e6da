"""The line itself: help, wrong words, crashes, and readers that go away."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

import worker.commands.extract
from tests.cli.conftest import SAMPLES, Line
from worker.cli import main
from worker.commands.jobs import clipped
from worker.commands.terminal import printable

PYTHON = [sys.executable, "-m", "worker.cli"]


@pytest.mark.parametrize(
    "words",
    [("sell",), ("process",), ("process", "a.xlsx", "--approve", "maybe"), ("extract", "a", "--json", "--xlsx", "b")],
)
def test_wrong_words_end_in_2_and_one_sentence(words: tuple[str, ...], line: Line) -> None:
    """The sentence says where the right ones are."""
    ran = line(*words)
    assert ran.code == 2
    assert len(ran.sentences) == 1
    assert "--help" in ran.err


def test_a_crash_is_kept_in_a_file_and_told_in_a_sentence(
    line: Line, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1, no traceback on the screen, and the traceback where the sentence says."""

    def crash(*arguments: object) -> bytes:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(worker.commands.extract, "read_file", crash)
    ran = line("extract", "a.xlsx")
    assert ran.code == 1
    assert len(ran.sentences) == 1
    kept = [*(folder / ".dealwright" / "crashes").iterdir()]
    assert str(kept[0]) in ran.err
    assert "planted" in kept[0].read_text()
    line("extract", "a.xlsx")
    assert len([*kept[0].parent.iterdir()]) == 1


def test_a_wrong_setting_is_told_in_a_sentence(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown names under our prefix are typing errors, not somebody else's."""
    monkeypatch.setenv("DEALWRIGHT_MODLE", "offline")
    ran = line("jobs")
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert "DEALWRIGHT_MODLE" in ran.err


def test_test_points_to_the_launcher(line: Line) -> None:
    """The command line has no test tools; the launcher brings them."""
    ran = line("test")
    assert ran.code == 2
    assert "./dealwright test" in ran.err


def test_the_version_is_the_packages_own(capsys: pytest.CaptureFixture[str]) -> None:
    """For whoever reports a fault."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"dealwright {version('dealwright')}\n"


@pytest.mark.parametrize("command", ["show", "approve", "replay"])
def test_no_id_at_all_is_told_as_such(command: str, line: Line, folder: Path) -> None:
    """Not as an id that nothing begins with; nothing is opened for it."""
    ran = line(command, " ")
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert "first letters" in ran.err
    assert not [*folder.iterdir()]


def test_a_long_name_does_not_push_the_list_of_jobs_off_the_screen() -> None:
    """Its beginning and its end are kept."""
    assert clipped("a" * 200 + " final (2).xlsx") == "a" * 35 + "…nal (2).xlsx"
    assert clipped("comps.xlsx") == "comps.xlsx"


def test_control_characters_never_reach_the_terminal() -> None:
    """Escapes, line breaks and direction overrides show as one mark each."""
    assert printable("a\x1b[2Jb\nc\u202ed") == "a\ufffd[2Jb\ufffdc\ufffdd"


def test_a_name_that_is_no_text_is_refused_in_a_sentence(line: Line, folder: Path) -> None:
    """It could be neither kept nor shown; names that the terminal can't move or print are no reason to fail."""
    name = os.fsdecode(b"bad\xff.csv")
    (folder / name).write_bytes(b"Property,Price\n")
    for words in (("extract", name), ("process", name, "--json")):
        ran = line(*words)
        assert (ran.code, len(ran.sentences)) == (2, 1)
    assert ran.document["error"]["code"] == "file.name"


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (("extract", "pipeline.csv", "--xlsx=~/a.xlsx"), "a.xlsx"),
        (("process", "pipeline.csv", "--out=~/o"), "o/job.json"),
    ],
)
def test_a_place_for_results_may_begin_with_a_tilde(
    words: tuple[str, ...], made: str, line: Line, few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind an equals sign shells leave it as it is."""
    home = few.parent / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    assert line(*words).code in (0, 3)
    assert (home / made).exists()
    assert not (few.parent / "~").exists()


def test_help_starts_at_once_and_names_the_exit_codes() -> None:
    """No library is loaded to print help; the second start is measured, the first may compile."""
    for _ in range(2):
        began = time.monotonic()
        done = subprocess.run([*PYTHON, "--help"], capture_output=True, text=True, check=True)
        took_s = time.monotonic() - began
    assert "exit codes" in done.stdout
    assert took_s < 2  # a tenth of a second on a quiet machine


def test_a_reader_that_goes_away_ends_the_line_quietly(folder: Path) -> None:
    """`dealwright extract … --json | head -1` says nothing on standard error."""
    command = [*PYTHON, "extract", str(SAMPLES / "portfolio.xlsx"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141
