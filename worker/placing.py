"""Putting results where the user wants them: whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from schemas.errors import InputError, TransientError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The system's words for a disk, or a share of one, on which there is no room."""
SEAL = "job.json"
"""Written last, taken away first: a folder that has it is whole."""
SEAL_MARK = "dealwright.job/1"
"""What it begins with: its schema."""


def at_home(place: str) -> str:
    """`place` with a home for a leading `~/` or `~user/`, as shells have it; one that there is not stays as it is."""
    return os.path.expanduser(place)  # noqa: PTH111  # Path's raises for `~$deals.xlsx`, as Excel names files in use


def check_place(folder: Path, ours: frozenset[str]) -> None:
    """Raises InputError `out.place` if results can't go to `folder`; asked before any work is done. Leaves nothing.

    Raises TransientError `disk.full` where there is no room. A folder that holds a file named as one of `ours` without
    having been filled by us is somebody's.
    """
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise InputError("out.place", f"{nearest} is a file, so results can't go to {folder}; choose another --out.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(
            "out.place", f"Results can't be written to {folder}: {nearest} is not yours to write; choose another --out."
        )
    with _trouble(folder):
        # Some places say that they may be written to, and can't be, such as /proc: a folder is made as for results.
        home = next(place for place in folder.absolute().parents if place.exists())
        probe = _partial(home / folder.absolute().name)
        probe.mkdir(exist_ok=True)
        probe.rmdir()
    theirs = sorted(name for name in ours if (folder / name).exists())
    if theirs and not _filled_by_us(folder):
        words = f"{folder / theirs[0]} is not from dealwright and would be replaced"
        raise InputError("out.place", f"{words}; choose another --out, or move it away.")


def _filled_by_us(folder: Path) -> bool:
    """Whether the folder has our seal, or one of our unfinished folders beside it: a move that was cut short."""
    if any(folder.absolute().parent.glob(f".{escape(folder.absolute().name)}.*.part")):
        return True
    try:
        with (folder / SEAL).open(encoding="utf-8", errors="replace") as file:
            return SEAL_MARK in file.read(200)
    except OSError:
        return False


@contextmanager
def placed(folder: Path, ours: frozenset[str]) -> Generator[Path]:
    """A new folder to fill; it becomes `folder` if all goes well, and nothing is left of it otherwise.

    Where `folder` exists, its files named in `ours` are replaced or taken away, one by one, and all others stay.
    Raises InputError `out.place` where that can't be done, and TransientError `disk.full` where there is no room.
    """
    partial = _partial(folder.absolute())
    try:
        with _trouble(folder):
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            yield partial
            _move(partial, folder.absolute(), ours)
            for left in folder.absolute().parent.glob(f".{escape(folder.absolute().name)}.*.part"):
                if not _at_work(left):
                    shutil.rmtree(left, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _partial(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.{os.getpid()}.part")


@contextmanager
def _trouble(folder: Path) -> Generator[None]:
    """While it lasts, an error of the system's is told as one of `folder`."""
    try:
        yield
    except OSError as error:
        words = f"Results can't be written to {folder} ({error.strerror or error})"
        if error.errno in FULL:
            told = "make room on that disk, and the same command writes them"
            raise TransientError("disk.full", f"{words}; {told}.") from error
        raise InputError("out.place", f"{words}; choose another --out.") from error


def _at_work(partial: Path) -> bool:
    """Whether the process that fills an unfinished folder still lives."""
    number = partial.name.split(".")[-2]
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _move(partial: Path, folder: Path, ours: frozenset[str]) -> None:
    if not folder.exists():
        partial.rename(folder)
        return
    made = {path.name for path in partial.iterdir()}
    (folder / SEAL).unlink(missing_ok=True)
    for name in sorted(ours - made):
        (folder / name).unlink(missing_ok=True)
    for name in sorted(made, key=lambda name: (name == SEAL, name)):
        (partial / name).replace(folder / name)


def folders_for(files: list[str], out: str | None) -> list[Path]:
    """Where each file's results go: one file's to `out` or out/<stem>, several files' to a folder each."""
    home = Path(out or "out")
    if len(files) == 1 and out:
        return [home]
    found: list[Path] = []
    for file in files:
        stem = "".join(char if char.isprintable() else "_" for char in Path(file).stem) or "workbook"
        names = (stem, *(f"{stem}-{number}" for number in range(2, len(files) + 1)))
        found.append(next(home / name for name in names if home / name not in found))
    return found
