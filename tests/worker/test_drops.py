"""Files that are put into an inbox folder: none is lost, whatever comes at once under one name."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from worker.adapters.drops import FolderDrop

AT_ONCE = 8


def contents(folder: Path) -> dict[str, bytes]:
    """The files in the folder, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def no_links(*_: object) -> None:
    """As on file systems without hard links."""
    raise PermissionError(errno.EPERM, "no links here")


@pytest.fixture(params=["links", "no links"])
def drop(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderDrop:
    """An inbox on either kind of file system."""
    if request.param == "no links":
        monkeypatch.setattr(os, "link", no_links)
    return FolderDrop(tmp_path, "inbox/")


def test_all_that_come_at_once_under_one_name_are_kept(drop: FolderDrop, tmp_path: Path) -> None:
    """Each under the name that it was told, whole, and nothing else is left behind."""
    start = Barrier(AT_ONCE)

    def put(number: int) -> tuple[str, bytes]:
        data = str(number).encode() * 50_000
        start.wait()
        return drop.put("race.csv", data), data

    with ThreadPoolExecutor(AT_ONCE) as pool:
        kept = dict(pool.map(put, range(AT_ONCE)))
    assert contents(tmp_path / "inbox") == kept
    assert set(kept) == {"race.csv", *(f"race ({number}).csv" for number in range(2, AT_ONCE + 1))}


def test_a_file_that_is_taken_away_while_it_is_compared_is_none_of_the_same_bytes(
    drop: FolderDrop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever drops another of that name is told where that went, and no fault of ours."""
    place, read_bytes = tmp_path / "inbox" / "deals.csv", Path.read_bytes

    def gone(path: Path) -> bytes:
        if path == place:
            path.unlink()
        return read_bytes(path)

    drop.put("deals.csv", b"one")
    monkeypatch.setattr(Path, "read_bytes", gone)
    assert drop.put("deals.csv", b"one") == "deals (2).csv"
    monkeypatch.undo()
    assert contents(tmp_path / "inbox") == {"deals (2).csv": b"one"}


def test_what_lies_there_already_is_left_as_it_is(drop: FolderDrop, tmp_path: Path) -> None:
    """Byte for byte the same: a second copy would be a second job of one file, and a touched one lost to the first."""
    assert drop.put("deals.csv", b"one") == "deals.csv"
    place = tmp_path / "inbox" / "deals.csv"
    written = place.stat().st_mtime_ns
    assert drop.put("deals.csv", b"two") == "deals (2).csv"
    assert [drop.put("deals.csv", data) for data in (b"one", b"two")] == ["deals.csv", "deals (2).csv"]
    assert place.stat().st_mtime_ns == written
    assert contents(tmp_path / "inbox") == {"deals.csv": b"one", "deals (2).csv": b"two"}


def test_a_link_or_a_folder_of_that_name_is_not_written_to(drop: FolderDrop, tmp_path: Path) -> None:
    """Whoever put it there may have meant another place."""
    (tmp_path / "inbox" / "folder.csv").mkdir(parents=True)
    (tmp_path / "inbox" / "link.csv").symlink_to(tmp_path / "elsewhere")
    assert drop.put("folder.csv", b"x") == "folder (2).csv"
    assert drop.put("link.csv", b"x") == "link (2).csv"
    assert not (tmp_path / "elsewhere").exists()
