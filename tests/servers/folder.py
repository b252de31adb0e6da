"""The folder in which one run of the tests keeps its servers, and the ending of servers whose run was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psutil

from tests.servers import postgres, process

PREFIX = "dealwright-servers-"


def make_folder() -> Path:
    """A new folder that belongs to this process, after the folders of runs that are no more were cleared away."""
    parent = Path(tempfile.gettempdir())
    for folder in parent.glob(PREFIX + "*"):
        if folder.is_dir() and folder.stat().st_uid == os.geteuid() and not owner_lives(folder):
            clear_folder(folder)
    made = Path(tempfile.mkdtemp(prefix=PREFIX))
    # The account that runs a server for root must get through to its own folder inside.
    made.chmod(0o711)
    (made / "owner").write_text(f"{os.getpid()} {psutil.Process().create_time()}")
    return made


def owner_lives(folder: Path) -> bool:
    """Whether the process that made the folder still runs; its start is compared too, since numbers are used again."""
    try:
        pid, created = (folder / "owner").read_text().split()
        return psutil.Process(int(pid)).create_time() == float(created)
    except (OSError, ValueError, psutil.NoSuchProcess):
        return False


def clear_folder(folder: Path) -> None:
    """End every server of a folder and remove it."""
    for home in folder.glob("*/"):
        server = process.Server.read(home) or postgres.Server.read(home)
        if server:
            server.stop()
    shutil.rmtree(folder, ignore_errors=True)
