"""Loaded by the process that all others of a walk are forked from: it has been through one job, so it has all it needs.

ADK and the document libraries load many modules on first use; a fork of a process that never used them would load them
again each time.
"""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import asyncpg  # noqa: F401 loaded for the forks, as the next one
import sqlalchemy.dialects.postgresql.asyncpg  # noqa: F401 loaded for the forks too

from tests.walks.steps import live, run
from tests.walks.workbook import small_workbook
from tests.walks.world import CHANGED, World


def warm() -> None:
    """Walk once, in a folder that is gone afterwards, and leave no thread behind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "deals.xlsx").write_bytes(small_workbook())
        run(live, World(folder, f"sqlite:///{folder}/walk.db", folder, CHANGED))
    assert threading.active_count() == 1, "a fork would lose the other threads"


warm()
