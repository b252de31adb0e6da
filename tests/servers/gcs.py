"""A stand-in for Cloud Storage for one run of the tests."""

from __future__ import annotations

import os
from pathlib import Path

from tests.servers import process
from worker.emulators.gcs import command

__all__ = ["HOW", "command", "open_url"]

HOW = "run `./dealwright test`, which installs it (on Linux), or set STORAGE_EMULATOR_HOST"


def open_url(home: Path) -> str:
    """The address of the run's server: what STORAGE_EMULATOR_HOST names, else one that is started here."""
    return os.environ.get("STORAGE_EMULATOR_HOST") or f"http://{process.open_server(home, command()).host}"
