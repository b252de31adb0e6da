"""Reading a local file whole, within a limit, before anybody parses it."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError
from tools.workbook.limits import Limits
from worker.settings import load_settings


def reading_limits() -> Limits:
    """What the settings allow a file to cost."""
    settings = load_settings()
    return Limits(
        file_bytes=settings.max_file_bytes,
        inflated_bytes=settings.max_inflated_bytes,
        ratio=settings.max_ratio,
        entries=settings.max_entries,
        cells=settings.max_cells,
        sheets=settings.max_sheets,
    )


def read_file(path: str, limit_bytes: int) -> bytes:
    """The bytes of the file at `path`.

    Raises InputError: `file.missing`, `file.folder`, `file.unreadable`, `file.too_large`. Empty files are the parser's.
    """
    place = Path(path)
    if place.is_dir():
        raise InputError("file.folder", f"{path} is a folder; name a workbook in it.")
    if not place.exists():
        raise InputError("file.missing", f"{path} does not exist; check the name.")
    if not place.is_file():
        raise InputError("file.unreadable", f"{path} is no ordinary file; save the workbook to disk and name that.")
    try:
        size = place.stat().st_size
        if size > limit_bytes:
            raise InputError(
                "file.too_large",
                f"{path} has {size:,} bytes, over {limit_bytes:,}; split it, or raise DEALWRIGHT_MAX_FILE_BYTES.",
            )
        return place.read_bytes()
    except OSError as error:
        raise InputError(
            "file.unreadable", f"{path} can't be read ({error.strerror}); check who may read it."
        ) from error
