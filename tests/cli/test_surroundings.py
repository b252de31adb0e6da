"""What fails around the command line: databases, folders, streams that nobody reads, signals, models without a key."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Line
from worker.cli import main
from worker.commands.arguments import build_parser
from worker.settings import Settings
from worker.surroundings import set_up_fault

PYTHON = [sys.executable, "-m", "worker.cli"]


def plant(folder: Path, kind: str) -> dict[str, str]:
    """A set-up that can't work, made in the folder; the settings that lead to it."""
    (folder / "file").write_text("")
    if kind == "garbage":
        (folder / "state").mkdir()
        (folder / "state" / "dealwright.db").write_text("no database, though called one " * 20)
    return {
        "down": {"DATABASE_URL": "postgresql://desk:secret@127.0.0.1:1/deals"},
        "garbage": {"STATE_DIR": "state"},
        "file": {"STATE_DIR": "file"},
        "beneath a file": {"STATE_DIR": "file/state"},
        "nowhere": {"STATE_DIR": "/proc/dealwright"},
        "artifacts": {"ARTIFACTS": "file/artifacts"},
        "database place": {"DATABASE_URL": "sqlite:////proc/dealwright.db"},
    }[kind]


@pytest.mark.parametrize(
    ("kind", "code", "words"),
    [
        ("down", 1, "start the server"),
        ("garbage", 2, "move it away"),
        ("file", 2, "DEALWRIGHT_STATE_DIR"),
        ("beneath a file", 2, "DEALWRIGHT_STATE_DIR"),
        ("nowhere", 2, "DEALWRIGHT_STATE_DIR"),
        ("artifacts", 2, "DEALWRIGHT_ARTIFACTS"),
        ("database place", 2, "can't be opened"),
    ],
)
def test_a_set_up_that_cannot_work_ends_in_one_sentence_that_says_what_to_do(
    kind: str, code: int, words: str, line: Line, folder: Path, few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither called a fault of ours nor kept as a crash, and no password is shown."""
    for name, value in plant(folder, kind).items():
        monkeypatch.setenv(f"DEALWRIGHT_{name}", value)
    for words_typed in (("process", few),) if kind == "artifacts" else (("jobs",), ("migrate", "--json")):
        ran = line(*words_typed)
        assert (ran.code, len(ran.sentences)) == (code, 1), ran.err
        assert words in ran.err
        assert "secret" not in ran.err + ran.out
    assert not [*folder.glob("**/crash*")]


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (sqlite3.OperationalError("database or disk is full"), "disk.full", "make room"),
        (sqlite3.OperationalError("database is locked"), "database.busy", "held by another program"),
        (OSError(errno.ENOSPC, "No space left on device"), "disk.full", "make room"),
    ],
)
def test_what_the_surroundings_say_in_the_middle_of_the_work_is_told_too(
    error: Exception, code: str, words: str, folder: Path
) -> None:
    """Wrapped in another error or bare; what is no fault of the surroundings stays one of ours."""
    wrapped, settings = RuntimeError("at work"), Settings(state_dir=folder)
    wrapped.__cause__ = error
    for each in (error, wrapped):
        told = set_up_fault(each, settings)
        assert told is not None
        assert (told.code, told.exit_code) == (code, 1)
        assert words in told.message
    assert set_up_fault(ZeroDivisionError(), settings) is None
    assert set_up_fault(FileNotFoundError(errno.ENOENT, "No such file", "/elsewhere/fields.toml"), settings) is None


def test_a_reader_of_progress_that_goes_away_does_not_disturb_the_job(
    line: Line, few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`dealwright process … 2>&1 | head -1`: the job goes on to its end, unheard."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as nobody:
        monkeypatch.setattr(sys, "stderr", nobody)
        ran = line("process", few, "--approve", "later", "--log-json")
        monkeypatch.undo()
    assert ran.code == 3
    assert "waits for a decision" in ran.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_one_sentence(waiting: Path) -> None:
    """Not a crash of ours, nor what Python says of it at its end."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([*PYTHON, "jobs"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "make room" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "words", [("extract", "pipeline.csv"), ("inspect", "pipeline.csv"), ("--version",), ("jobs", "--help")]
)
@pytest.mark.parametrize(("into", "code", "told"), [("> /dev/full", 1, "can't be written (No space"), (">&-", 2, "is")])
def test_an_output_that_takes_no_result_is_what_is_told_of(
    few: Path, words: tuple[str, ...], into: str, code: int, told: str
) -> None:
    """Full or closed: not a disk of ours, and no fault of ours."""
    shell = ["sh", "-c", f'exec "$@" {into}', "sh", *PYTHON, *words]
    done = subprocess.run(shell, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (code, 1), done.stderr
    assert done.stderr.startswith(f"Standard output {told}")


LINES = [
    "process a.csv",
    "extract a.csv --json",
    "inspect a.csv",
    "jobs",
    "show a",
    "approve a",
    "changes a --comment b",
    "reject a --comment b",
    "cancel a",
    "replay a",
    "serve --link",
    "quarantine list",
    "quarantine show a",
    "quarantine release a",
    "sweep --dead",
    "migrate",
    "doctor --json",
    "bench deck",
    "test",
]
UNHEARD = ["work", "up", "serve", "extract a.csv --xlsx b.xlsx"]
"""What they are run for goes elsewhere."""


@pytest.mark.parametrize("words", LINES + UNHEARD)
def test_a_closed_output_is_told_before_anything_is_done(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command whose result would go there; a service needs none, and goes on to what else is wrong."""
    monkeypatch.setenv("DEALWRIGHT_SLOTS", "none")
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        assert main(words.split()) == 2
    told = "DEALWRIGHT_SLOTS must" if words in UNHEARD else "Standard output is closed"
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(told)
    assert [*folder.iterdir()] == []


def test_every_command_is_tried_with_a_closed_output() -> None:
    """The list above leaves none out."""
    commands = next(action.choices for action in build_parser()._actions if action.dest == "command")
    assert {words.split()[0] for words in LINES + UNHEARD} == set(commands or ())


def test_a_reading_that_is_stopped_says_no_more_than_that(
    few: Path, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps nothing, and the same command begins anew."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    for command in ("extract", "inspect"):
        monkeypatch.setattr(f"worker.commands.{command}.read_apart", interrupt)
        ran = line(command, few)
        assert (ran.code, ran.sentences) == (130, ["Stopped."])


def test_sigterm_ends_as_ctrl_c_does_and_the_job_goes_on_from_there(
    folder: Path, few: Path, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """143, a sentence, and an attempt that was handed back and so is not counted as a failure."""
    monkeypatch.setattr("worker.commands.watching.say", lambda _: signal.raise_signal(signal.SIGTERM))
    ran = line("process", few, "--approve", "later")
    assert ran.code == 143
    assert ran.sentences[-1].startswith("Stopped; what was finished is kept")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    job = line("jobs", "--json").document[0]
    stages = line("show", job["job_id"], "--json").document["stages"]
    assert job["state"] == "presenting"
    assert {(stage["failures"], stage["lost_leases"]) for stage in stages} == {(0, 0)}
    assert line("process", few, "--approve", "later").code == 3


def test_gemini_without_a_key_is_one_sentence_and_the_log_holds_what_libraries_said(
    line: Line, folder: Path, few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python prints what libraries log, with tracebacks, where nobody takes it; their words may quote a cell."""
    for name in [name for name in os.environ if name.startswith(("GOOGLE_", "GEMINI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DEALWRIGHT_MODEL", "gemini-2.5-flash")
    monkeypatch.setenv("DEALWRIGHT_MAX_ATTEMPTS", "1")
    ran = line("process", few, "--json")
    assert (ran.code, len(ran.sentences)) == (1, 1), ran.err
    assert "GOOGLE_API_KEY" in ran.err
    logged = [json.loads(text) for text in (folder / ".dealwright" / "dealwright.log").read_text().splitlines()]
    libraries = [entry for entry in logged if entry["event"] == "library"]
    assert {entry["error"] for entry in libraries} == {"OutputError"}
    assert not any("credentials" in str(entry) for entry in libraries)
