"""Folders on this machine: where documents are delivered to, and the lock that makes a worker the only one."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from schemas import ids
from schemas.errors import ConflictError


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
