"""A secret that is drawn once and kept in a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The secret of the file, 64 hex digits, drawn now if there is none; processes that start together get the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(drawn, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    try:
        # A link fails if the name is taken, so whoever is first is first with all that it wrote.
        path.hardlink_to(drawn)
    except FileExistsError:
        pass
    finally:
        drawn.unlink()
    return path.read_text(encoding="ascii").strip()
