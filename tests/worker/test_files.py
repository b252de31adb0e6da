"""Folders on this machine."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from schemas.errors import ConflictError, InputError
from worker.adapters.files import DeliveryFolder, FolderObjects, only_worker, read_upload

FILES = {"deck.pptx": b"deck", "memo.pdf": b"memo"}


def test_a_delivery_holds_its_files_and_nothing_else(tmp_path: Path) -> None:
    """No staging folder is left beside it."""
    place = Path(DeliveryFolder(tmp_path).deliver("j1", FILES))
    assert {path.name: path.read_bytes() for path in place.iterdir()} == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["j1"]


def test_the_same_delivery_again_touches_nothing(tmp_path: Path) -> None:
    """The files keep their time."""
    folder = DeliveryFolder(tmp_path)
    place = Path(folder.deliver("j1", FILES))
    before = {path.name: path.stat().st_mtime_ns for path in place.iterdir()}
    folder.deliver("j1", FILES)
    assert {path.name: path.stat().st_mtime_ns for path in place.iterdir()} == before


def test_a_document_that_is_taken_away_while_it_is_compared_is_delivered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place holds both in the end."""
    folder, read_bytes = DeliveryFolder(tmp_path), Path.read_bytes
    place = Path(folder.deliver("j1", FILES))
    left = {place / "deck.pptx"}

    def gone(path: Path) -> bytes:
        if path in left:
            left.remove(path)
            path.unlink()
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", gone)
    folder.deliver("j1", FILES)
    assert {path.name: path.read_bytes() for path in place.iterdir()} == FILES


def test_what_a_killed_delivery_left_is_cleared_away(tmp_path: Path) -> None:
    """By the next one of the same job, once nobody can be at it any more; a younger one's is left alone."""
    old, young = tmp_path / ".j1.aaaa", tmp_path / ".j1.bbbb"
    for left in (old, young):
        left.mkdir()
        (left / "deck.pptx").write_bytes(b"half")
    os.utime(old, (1, 1))
    DeliveryFolder(tmp_path).deliver("j1", FILES)
    assert {path.name for path in tmp_path.iterdir()} == {"j1", young.name}


def test_a_name_that_leads_out_of_the_inbox_is_read_by_nobody(tmp_path: Path) -> None:
    """Neither by dots nor by a link; messages name files, and anybody may send one."""
    inbox, secret = tmp_path / "box", tmp_path / "secret.xlsx"
    inbox.mkdir()
    secret.write_bytes(b"secret")
    (inbox / "link.xlsx").symlink_to(secret)
    for name in ("../secret.xlsx", "a/../../secret.xlsx", str(secret), "link.xlsx"):
        with pytest.raises(InputError) as refused:
            FolderObjects().read(str(inbox), name, secret.stat().st_mtime_ns, 100)
        assert refused.value.code == "object.outside"
        assert refused.value.message == f"{name} leads out of the inbox, and is not read; put the file itself there."


def test_a_link_within_the_inbox_is_read_as_what_it_leads_to(tmp_path: Path) -> None:
    """Nothing is read that wasn't put there."""
    (tmp_path / "deals.xlsx").write_bytes(b"deals")
    (tmp_path / "link.xlsx").symlink_to(tmp_path / "deals.xlsx")
    generation = (tmp_path / "link.xlsx").stat().st_mtime_ns
    assert FolderObjects().read(str(tmp_path), "link.xlsx", generation, 100) == b"deals"


def test_a_file_that_is_taken_away_while_it_is_looked_at_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between any two looks at it: a thing of the sender's, and no fault of ours."""
    place, stat = tmp_path / "a.xlsx", Path.stat
    left = 0

    def watched(path: Path, **how: bool) -> os.stat_result:
        nonlocal left
        if path == place:
            left -= 1
            if not left:
                place.unlink()
        return stat(path, **how)

    def read(look: int) -> str:
        nonlocal left
        place.write_bytes(b"abc")
        left = 0
        generation, left = place.stat().st_mtime_ns, look
        try:
            return FolderObjects().read(str(tmp_path), "a.xlsx", generation, 10).decode()
        except InputError as refused:
            return refused.code

    monkeypatch.setattr(Path, "stat", watched)
    outcomes = [read(look) for look in range(1, 10)]
    looks = outcomes.index("abc")
    assert looks > 2
    assert outcomes == ["object.gone"] * looks + ["abc"] * (9 - looks)


def test_a_file_that_is_taken_away_before_its_bytes_are_read_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last look at it still found it."""

    def read_bytes(path: Path) -> bytes:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))

    (tmp_path / "a.xlsx").write_bytes(b"abc")
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with pytest.raises(InputError) as refused:
        FolderObjects().read(str(tmp_path), "a.xlsx", (tmp_path / "a.xlsx").stat().st_mtime_ns, 10)
    assert refused.value.code == "object.gone"


def test_one_worker_at_a_time_has_a_folder(tmp_path: Path) -> None:
    """The second is told who has it and what to do; afterwards it is free."""
    with only_worker(tmp_path):
        with pytest.raises(ConflictError) as refused, only_worker(tmp_path):
            pass
        assert refused.value.code == "worker.busy"
        assert str(tmp_path) in refused.value.message
        assert "PostgreSQL" in refused.value.message
    with only_worker(tmp_path):
        pass


def test_an_upload_is_read_whole(tmp_path: Path) -> None:
    """With its absolute path."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"abc")
    assert read_upload(str(path), 10) == (path, b"abc")


def test_a_file_is_found_by_its_name_however_that_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Excel puts `~$` before the name of a file that is open; only `~/` means home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("~$deals.xlsx", "~deals.xlsx"):
        Path(name).write_bytes(b"abc")
        assert read_upload(name, 10) == (tmp_path / name, b"abc")
    assert read_upload("~/~deals.xlsx", 10)[0] == tmp_path / "~deals.xlsx"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("gone.xlsx", "file.missing"),
        ("empty.xlsx/a", "file.missing"),
        (".", "file.folder"),
        ("empty.xlsx", "file.empty"),
        ("big.xlsx", "file.too_large"),
        (f"{'long' * 80}.xlsx", "file.unreadable"),
    ],
)
def test_a_file_that_cannot_be_one_is_refused(tmp_path: Path, name: str, code: str) -> None:
    """In a sentence that begins with its name."""
    (tmp_path / "empty.xlsx").touch()
    (tmp_path / "big.xlsx").write_bytes(b"12345678901")
    with pytest.raises(InputError) as refused:
        read_upload(tmp_path / name, 10)
    assert refused.value.code == code
    assert refused.value.message.startswith(str(tmp_path / name))


def test_a_device_is_no_file() -> None:
    """Reading one might never end."""
    with pytest.raises(InputError) as refused:
        read_upload("/dev/zero", 10)
    assert refused.value.code == "file.unreadable"
