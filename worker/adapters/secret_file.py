"""A secret that is drawn once and kept in a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The secret of the file, 64 hex digits, drawn now if there is none; all who ask at once get the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(number, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    # A link fails if the name is taken, so whoever is first is first with all that it wrote.
    with suppress(FileExistsError):
        path.hardlink_to(name)
    Path(name).unlink()
    return path.read_text(encoding="ascii").strip()
