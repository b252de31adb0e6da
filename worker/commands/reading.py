"""Reading a local file whole, within the settings' limits, before anybody parses it."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError


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
