"""A folder that is watched: what lies still in it is an upload, and nothing that goes away ends the watch."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from worker.adapters.inbox import WatchedFolder


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
    assert [each.body["name"] for each in watched.look()] == ["inbox/a.csv", "inbox/desk/b.csv"]
    shutil.rmtree(inbox)
    assert watched.look() == []
