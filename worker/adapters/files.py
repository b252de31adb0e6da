"""Folders on this machine: where documents are delivered to, and the lock that makes a worker the only one."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from schemas import ids
from schemas.errors import ConflictError, InputError


class DeliveryFolder:
    """A folder that documents are delivered to, one folder a job inside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """The place that now holds exactly `files`, all of them or none; the same files again change nothing."""
        place = self.folder / job_id
        if _holds(place, files):
            return str(place)
        staging = self.folder / f".{job_id}.{ids.derive(sorted(map(ids.sha256_hex, files.values())))}"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        for name, data in files.items():
            with (staging / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        if place.exists():
            # Files that are not the approved ones: a rename can't replace a folder that holds something.
            shutil.rmtree(place)
        staging.rename(place)
        return str(place)


def _holds(place: Path, files: Mapping[str, bytes]) -> bool:
    if not place.is_dir() or {entry.name for entry in place.iterdir()} != set(files):
        return False
    return all((place / name).read_bytes() == data for name, data in files.items())


class FolderObjects:
    """Uploads in a folder on this machine: `bucket` is the folder, `generation` the file's time of change in ns."""

    def read(self, bucket: str, name: str, generation: int, limit_bytes: int) -> bytes:
        """The bytes of the file as it was at that time; raises InputError `object.gone`, `file.*`."""
        place = Path(bucket) / name
        if not place.is_file() or place.stat().st_mtime_ns != generation:
            raise InputError("object.gone", f"{name} was changed or taken away before it was read; put it there again.")
        data = read_upload(place, limit_bytes)[1]
        if place.stat().st_mtime_ns != generation:
            raise InputError("object.gone", f"{name} was changed while it was read; put it there again.")
        return data


def read_upload(path: str | Path, limit_bytes: int) -> tuple[Path, bytes]:
    """The absolute path of a local file, and its bytes.

    Raises InputError: `file.missing`, `file.folder`, `file.unreadable`, `file.empty`, `file.too_large`.
    """
    place, told = Path(path).expanduser().absolute(), str(path)
    if place.is_dir():
        raise InputError("file.folder", f"{told} is a folder; name a workbook in it.")
    if not place.exists():
        raise InputError("file.missing", f"{told} does not exist; check the name.")
    if not place.is_file():
        raise InputError("file.unreadable", f"{told} is no ordinary file; save the workbook to disk and name that.")
    size_bytes = place.stat().st_size
    if size_bytes > limit_bytes:
        words = f"{told} has {size_bytes:,} bytes and the limit is {limit_bytes:,}"
        raise InputError("file.too_large", f"{words}; split it, or raise DEALWRIGHT_MAX_FILE_BYTES.")
    if not size_bytes:
        raise InputError("file.empty", f"{told} is empty (0 bytes); export it again and send that.")
    try:
        return place, place.read_bytes()
    except OSError as error:
        raise InputError(
            "file.unreadable", f"{told} can't be read ({error.strerror}); check who may read it."
        ) from error


@contextmanager
def only_worker(folder: Path) -> Generator[None]:
    """Hold the folder's worker lock; raises ConflictError `worker.busy` if another process has it.

    The system frees it when its holder ends, however it ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "worker.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            raise ConflictError("worker.busy", _busy(folder, file.name)) from taken
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _busy(folder: Path, lock: str) -> str:
    pid = ""
    with suppress(OSError):
        pid = Path(lock).read_text(encoding="utf-8").strip()
    return (
        f"Another dealwright process{f' ({pid})' if pid.isdigit() else ''} is at work in {folder}, and"
        " SQLite allows one at a time; wait until it is done, or set DEALWRIGHT_DATABASE_URL to a PostgreSQL one."
    )
