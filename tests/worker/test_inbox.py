"""A folder that is watched: what lies still in it is an upload, and nothing that goes away ends the watch."""

from __future__ import annotations

import asyncio
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from schemas.event import Delivery
from worker.adapters.inbox import WatchedFolder
from worker.app import App, Progress
from worker.dispatch import dispatch
from worker.jobs import list_jobs


def test_what_is_taken_away_while_the_folder_is_looked_at_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file, or a folder of them, that was listed and is gone; the others are brought once they lie still."""
    inbox = tmp_path / "inbox"
    (inbox / "desk").mkdir(parents=True)
    for name in ("a.csv", "gone.csv", "desk/b.csv"):
        (inbox / name).write_text("x")
    (inbox / "link.csv").symlink_to("nowhere")
    list_folder = os.walk

    def walk(top: Path) -> list[tuple[str, list[str], list[str]]]:
        listed = [*list_folder(top)]
        (inbox / "gone.csv").unlink(missing_ok=True)
        return listed

    watched = WatchedFolder(tmp_path, "inbox/")
    with monkeypatch.context() as during:
        during.setattr(os, "walk", walk)
        assert watched.look() == []
    assert [each.body["name"] for _, each in watched.look()] == ["inbox/a.csv", "inbox/desk/b.csv"]
    shutil.rmtree(inbox)
    assert watched.look() == []


async def test_a_name_that_is_no_text_is_left_alone_and_the_rest_is_taken(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux allows any bytes, and paths longer than an object's name: each such file is told of once."""
    folder, deep = tmp_path / "watched" / "inbox", "/".join(["d" * 200] * 6)
    for name in ("a.csv", "z\udce9.csv", "u\udcff/b.csv", f"{deep}/c.csv", "é.csv"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    told: list[Progress] = []
    settings = app.settings.model_copy(update={"inbox": str(tmp_path / "watched")})
    watching, stop = replace(app, settings=settings, progress=told.append), asyncio.Event()
    watched = WatchedFolder(tmp_path / "watched", "inbox/", look_s=0.01)
    looks = iter(range(4))

    def look() -> list[tuple[tuple[str, int], Delivery]]:
        if next(looks, None) is None:
            stop.set()
        return WatchedFolder.look(watched)

    monkeypatch.setattr(watched, "look", look)
    await watched.run(lambda delivery: dispatch(watching, delivery), stop)
    assert {each.filename for each in await list_jobs(app)} == {"a.csv", "é.csv"}
    assert {each.step for each in told} == {"left_alone"}
    long, folders, name = sorted(each.what for each in told)
    assert name.startswith("inbox/z\\xe9.csv has a name")
    assert folders.startswith("inbox/u\\xff/b.csv has a name")
    assert "has too long a path" in long
    assert len(long) < 400
