"""Folders on this machine: where documents are delivered to, and the lock that makes a worker the only one."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import stat
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from schemas.errors import ConflictError, InputError
from worker.placing import at_home

LOCK = "worker.lock"
STALE_S = 3600
"""After so long a delivery that is not done was killed."""


class DeliveryFolder:
    """A folder that documents are delivered to, one folder a job inside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """The place that now holds `files`, by name: those that are there already with the same bytes stay untouched.

        A new place appears with all of them at once. Raises ConflictError `delivery.changed` where other bytes have
        a name.
        """
        place = self.folder / job_id
        missing = {name: data for name, data in files.items() if not _holds(place / name, data)}
        if missing:
            self._add(place, missing)
        return str(place)

    def _add(self, place: Path, files: Mapping[str, bytes]) -> None:
        self._clear(place.name)
        staging = self.folder / f".{place.name}.{secrets.token_hex(8)}"
        staging.mkdir(parents=True)
        try:
            for name, data in files.items():
                with (staging / name).open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            _move(staging, place, files)
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def _clear(self, job_id: str) -> None:
        """Remove what deliveries of the job left that were killed; one that is under way now is younger."""
        for left in self.folder.glob(f".{job_id}.*"):
            with suppress(FileNotFoundError):
                if time.time() - left.stat().st_mtime > STALE_S:
                    shutil.rmtree(left, ignore_errors=True)


def _move(staging: Path, place: Path, files: Mapping[str, bytes]) -> None:
    """Make the staging folder the place or, if that is there, its files files of the place; none is overwritten."""
    with suppress(OSError):
        staging.rename(place)
        return
    for name, data in files.items():
        if not _holds(place / name, data):
            with suppress(FileExistsError):
                (place / name).hardlink_to(staging / name)
            _holds(place / name, data)


def _holds(file: Path, data: bytes) -> bool:
    """Whether the file holds the bytes; False if there is none. Raises ConflictError `delivery.changed`."""
    try:
        there = file.read_bytes()
    except FileNotFoundError:
        return False
    if there != data:
        told = f"{file} holds other bytes than those that were approved"
        raise ConflictError("delivery.changed", f"{told}; move it away, then replay the job.")
    return True


class FolderObjects:
    """Uploads in a folder on this machine: `bucket` is the folder, `generation` the file's time of change in ns."""

    def read(self, bucket: str, name: str, generation: int, limit_bytes: int) -> bytes:
        """The bytes of the file as it was at that time; raises InputError `object.*`, `file.*`."""
        place = Path(bucket) / name
        if not place.resolve().is_relative_to(Path(bucket).resolve()):
            raise InputError(
                "object.outside", f"{name} leads out of the inbox, and is not read; put the file itself there."
            )
        if (now := _changed_at_ns(place)) != generation:
            raise _why_gone(name, generation, now)
        try:
            data = read_upload(place, limit_bytes)[1]
        except InputError as refused:
            if refused.code != "file.missing":
                raise
            raise InputError("object.gone", f"{name} was taken away before it was read; put it there again.") from None
        if (now := _changed_at_ns(place)) != generation:
            raise _why_gone(name, generation, now)
        return data


def _why_gone(name: str, generation: int, now: int | None) -> InputError:
    """For whoever wanted the file as it was at `generation`, where it has changed `now`, or is gone."""
    if now is None or now < generation:
        return InputError("object.gone", f"{name} was changed or taken away before it was read; put it there again.")
    told = f"{name} was written over before it was read; the newer file of that name becomes a job of its own"
    return InputError("object.superseded", f"{told}, and nothing is to be done.")


def _changed_at_ns(place: Path) -> int | None:
    """When the file was last changed; None where there is none."""
    with suppress(OSError):
        seen = place.stat()
        return seen.st_mtime_ns if stat.S_ISREG(seen.st_mode) else None
    return None


def read_upload(path: str | Path, limit_bytes: int) -> tuple[Path, bytes]:
    """The absolute path of a local file, and its bytes.

    Raises InputError: `file.missing`, `file.folder`, `file.unreadable`, `file.empty`, `file.too_large`.
    """
    place, told = Path(at_home(str(path))).absolute(), str(path)
    with _trouble(told):
        seen = place.stat()
    if stat.S_ISDIR(seen.st_mode):
        raise InputError("file.folder", f"{told} is a folder; name a workbook in it.")
    if not stat.S_ISREG(seen.st_mode):
        raise InputError("file.unreadable", f"{told} is no ordinary file; save the workbook to disk and name that.")
    size_bytes = seen.st_size
    if size_bytes > limit_bytes:
        words = f"{told} has {size_bytes:,} bytes and the limit is {limit_bytes:,}"
        raise InputError("file.too_large", f"{words}; split it, or raise DEALWRIGHT_MAX_FILE_BYTES.")
    if not size_bytes:
        raise InputError("file.empty", f"{told} is empty (0 bytes); export it again and send that.")
    with _trouble(told):
        return place, place.read_bytes()


@contextmanager
def _trouble(told: str) -> Generator[None]:
    """While it lasts, an error of the file `told` is raised as InputError, `file.missing` or `file.unreadable`."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError("file.missing", f"{told} does not exist; check the name.") from error
    except OSError as error:
        do = "check its name, and who may read it"
        raise InputError("file.unreadable", f"{told} can't be read ({error.strerror}); {do}.") from error


@contextmanager
def only_worker(folder: Path) -> Generator[None]:
    """Hold the folder's worker lock; raises ConflictError `worker.busy` if another process has it.

    The system frees it when its holder ends, however it ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            way_out = "wait until it is done, or set DEALWRIGHT_DATABASE_URL to a PostgreSQL one"
            words = f"{who_works(folder)}, and SQLite allows one at a time; {way_out}."
            raise ConflictError("worker.busy", words) from taken
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def who_works(folder: Path) -> str:
    """`Another dealwright process (123) is at work in FOLDER`: for whoever only_worker refuses."""
    pid = ""
    with suppress(OSError):
        pid = (folder / LOCK).read_text(encoding="utf-8").strip()
    return f"Another dealwright process{f' ({pid})' if pid.isdigit() else ''} is at work in {folder}"
