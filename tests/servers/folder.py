"""The folder in which one run of the tests keeps its servers, and the ending of servers whose run was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from tests.servers import postgres, process

PREFIX = "dealwright-servers-"
OWNER = "owner"


def make_folder() -> Path:
    """A new folder that belongs to this process, after the folders of runs that are no more were cleared away."""
    parent = Path(tempfile.gettempdir())
    for folder in parent.glob(PREFIX + "*"):
        if folder.is_dir() and folder.stat().st_uid == os.geteuid() and not owner_lives(folder):
            clear_folder(folder)
    # It gets its name once it has its owner: others would clear it away.
    made = Path(tempfile.mkdtemp(prefix=f"new-{PREFIX}"))
    # The account that runs a server for root must get through to its own folder inside.
    made.chmod(0o711)
    fcntl.flock(os.open(made / OWNER, os.O_WRONLY | os.O_CREAT, 0o600), fcntl.LOCK_EX)
    return made.rename(parent / made.name.removeprefix("new-"))


def owner_lives(folder: Path) -> bool:
    """Whether the process that made the folder still runs: it holds a lock as long as it does."""
    try:
        owner = os.open(folder / OWNER, os.O_WRONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(owner)
    return False


def clear_folder(folder: Path) -> None:
    """End every server of a folder and remove it."""
    for home in folder.glob("*/"):
        server = process.Server.read(home) or postgres.Server.read(home)
        if server:
            server.stop()
    shutil.rmtree(folder, ignore_errors=True)
