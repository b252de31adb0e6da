"""Reading a local file whole, within the settings' limits, before anybody parses it."""

from __future__ import annotations

from pathlib import Path

from tools.workbook.limits import Limits
from worker.settings import Settings, load_settings


def read_file(path: str, limit_bytes: int) -> tuple[str, bytes]:
    """The name and the bytes of the file at `path`; raises InputError `file.*`."""
    from worker.adapters.files import read_upload

    return Path(path).name, read_upload(path, limit_bytes)[1]


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
