"""Folders on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.errors import ConflictError, InputError
from worker.adapters.files import DeliveryFolder, only_worker, read_upload

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


def test_a_delivery_that_was_cut_short_is_made_whole(tmp_path: Path) -> None:
    """A staging folder of a process that died, or a place with other files, is no obstacle."""
    folder = DeliveryFolder(tmp_path)
    (tmp_path / "j1").mkdir()
    (tmp_path / "j1" / "deck.pptx").write_bytes(b"half")
    place = Path(folder.deliver("j1", FILES))
    assert {path.name: path.read_bytes() for path in place.iterdir()} == FILES


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


@pytest.mark.parametrize(
    ("name", "code"),
    [("gone.xlsx", "file.missing"), (".", "file.folder"), ("empty.xlsx", "file.empty"), ("big.xlsx", "file.too_large")],
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
