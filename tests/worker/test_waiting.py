"""The line that tells on a terminal that a file is being read."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator

import pytest

from worker.commands.waiting import Waiting


def written(screen: io.FileIO) -> Iterator[bytes]:
    """All that was written to a terminal whose other end is closed, of which one read may give any part."""
    with contextlib.suppress(OSError):
        while chunk := screen.read(65_536):
            yield chunk


def test_a_terminal_sees_what_is_read_and_for_how_long_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, size and time; the line is wiped at the end, and a name moves no cursor."""
    monkeypatch.setenv("TERM", "xterm")
    reader, writer = os.openpty()
    with os.fdopen(reader, "rb", buffering=0) as screen:
        with os.fdopen(writer, "w") as stream:
            monkeypatch.setattr(sys, "stderr", stream)
            waiting = Waiting("comps\x1b[2J [red].xlsx", 1_250_000)
            waiting("opening it")
            waiting("sheet 1 of 2: \x1b[2J[b]\nComps" + "x" * 500)
            waiting(None)
        shown = b"".join(written(screen)).decode()
    assert "reading comps\ufffd[2J [red].xlsx (1.2 MB)" in shown
    assert ": sheet 1 of 2: \ufffd[2J[b]\ufffdComps" in shown
    assert "x" * 100 not in shown
    assert "0:00:00" in shown
    assert shown.rstrip().endswith("\x1b[2K")


def test_nothing_is_shown_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that keeps standard error gets sentences alone."""
    kept = io.StringIO()
    monkeypatch.setattr(sys, "stderr", kept)
    waiting = Waiting("comps.xlsx", 1)
    waiting("opening it")
    waiting(None)
    assert kept.getvalue() == ""
