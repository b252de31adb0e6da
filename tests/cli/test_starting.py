"""`work`, `serve` and `up` at their start: what can't go well is refused before anything is taken."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from schemas.outcome import Halted
from tests.cli.conftest import Line
from worker.bootstrap import check_model
from worker.commands import serve, up, up_emulators, work
from worker.settings import Settings

STARTS = ["work", "work --only uploads --only work", "serve --port 0", "up --port 0", "up --emulators --port 0"]
NEEDLESS = ["work --only renders", "work --only uploads", "serve --port 0"]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which of them began to work, each of which ends at once here."""
    names: list[str] = []

    async def begin(*given: object, **_: object) -> Halted | None:
        names.append("begun")
        for each in given:
            if isinstance(each, socket.socket):
                each.close()
        return None

    for module, name in ((work, "serve_roles"), (serve, "serve"), (up, "_serve"), (up_emulators, "_run")):
        monkeypatch.setattr(module, name, begin)
    return names


@pytest.mark.parametrize("start", STARTS)
def test_a_model_that_cannot_be_is_refused_at_the_start(
    line: Line, begun: list[str], monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    """With one sentence; else each job would be set aside for it, one after another."""
    monkeypatch.setenv("DEALWRIGHT_MODEL", "gpt-4")
    ran = line(*start.split())
    assert (ran.code, ran.out, begun) == (2, "", [])
    assert len(ran.sentences) == 1
    assert ran.err.startswith("DEALWRIGHT_MODEL is 'gpt-4'; give offline,")


@pytest.mark.parametrize("start", ["work", "serve --port 0", "up --port 0"])
@pytest.mark.parametrize("inbox", ["file", "file/below", "/proc/1/x"])
def test_an_inbox_that_cannot_be_is_refused_at_the_start(
    line: Line, begun: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, start: str, inbox: str
) -> None:
    """A file, a place below one, or one where nothing can be made: a sentence that names the setting."""
    (folder / "file").write_text("")
    monkeypatch.setenv("DEALWRIGHT_INBOX", inbox)
    ran = line(*start.split())
    assert (ran.code, ran.out, begun, len(ran.sentences)) == (2, "", [], 1)
    assert ran.err.startswith(f"The inbox {inbox}/inbox can't be used (")
    assert "DEALWRIGHT_INBOX" in ran.err


def test_an_inbox_is_made_at_the_start(
    line: Line, begun: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever drops files finds the folder."""
    monkeypatch.setenv("DEALWRIGHT_INBOX", "in")
    assert (line("work").code, begun) == (0, ["begun"])
    assert (folder / "in" / "inbox").is_dir()


@pytest.mark.parametrize("start", NEEDLESS)
def test_whoever_asks_no_model_starts_with_any(
    line: Line, begun: list[str], monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    """What renders, opens jobs or shows pages shares its surroundings with what asks one."""
    monkeypatch.setenv("DEALWRIGHT_MODEL", "gpt-4")
    monkeypatch.setenv("DEALWRIGHT_TRANSPORT", "pubsub")
    monkeypatch.setenv("DEALWRIGHT_PROJECT", "p")
    assert (line(*start.split()).code, begun) == (0, ["begun"])


def test_the_planner_is_known_without_the_agents_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take a second to load, and a start with nothing to do needs none of them."""
    monkeypatch.setitem(sys.modules, "agents.model", None)
    check_model(Settings())
    with pytest.raises(ImportError):
        check_model(Settings(model="gemini-2.5-flash"))
