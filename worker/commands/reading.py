"""Reading a local file whole, within the settings' limits, before anybody parses it."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError
from tools.workbook.limits import Limits
from worker.settings import Settings, load_settings


def read_file(path: str, limit_bytes: int) -> tuple[str, bytes]:
    """The name and the bytes of the file at `path`; raises InputError `file.*`."""
    from worker.adapters.files import read_upload

    check_name(path)
    return Path(path).name, read_upload(path, limit_bytes)[1]


def check_name(path: str) -> None:
    """Raises InputError `file.name` for a name whose bytes are no text: it could be neither kept nor shown."""
    if any("\ud800" <= char <= "\udfff" for char in path):
        shown = path.encode("utf-8", "replace").decode()
        raise InputError("file.name", f"{shown} has a name that is no valid text; rename the file and try again.")


def reading_limits(settings: Settings | None = None) -> Limits:
    """What the settings allow a file to cost."""
    given = settings or load_settings()
    return Limits(
        file_bytes=given.max_file_bytes,
        inflated_bytes=given.max_inflated_bytes,
        ratio=given.max_ratio,
        entries=given.max_entries,
        cells=given.max_cells,
        sheets=given.max_sheets,
    )
