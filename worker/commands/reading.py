"""Reading a local file whole, within the settings' limits, before anybody parses it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from schemas.errors import InputError
from tools.isolation.apart import Tell, run_apart
from tools.workbook.limits import Limits
from worker.commands.waiting import Waiting

_READERS = ("tools.deals.extract", "tools.workbook.structure")


def read_file(path: str, limit_bytes: int) -> tuple[str, bytes]:
    """The name and the bytes of the file at `path`; raises InputError `file.*`."""
    from worker.adapters.files import read_upload

    check_name(path)
    return Path(path).name, read_upload(path, limit_bytes)[1]


def read_apart(name: str, size_bytes: int, limits: Limits, read: Callable[[Tell], int]) -> int:
    """The exit code of `read`, which reads file `name` and prints what came of it, in a fork within `limits`.

    It hears what to tell of its progress, None once it prints. Raises what `run_apart` raises.
    """
    with closing(Waiting(name, size_bytes)) as waiting:
        return run_apart(
            read,
            memory_bytes=limits.memory_bytes,
            timeout_s=limits.timeout_s,
            subject=name,
            on_progress=waiting,
            libraries=_READERS,
        )


def check_name(path: str) -> None:
    """Raises InputError `file.name` for a name whose bytes are no text: it could be neither kept nor shown."""
    if any("\ud800" <= char <= "\udfff" for char in path):
        shown = path.encode("utf-8", "replace").decode()
        raise InputError("file.name", f"{shown} has a name that is no valid text; rename the file and try again.")
