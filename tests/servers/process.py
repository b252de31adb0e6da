"""A server that is one process of ours: started once for a run of the tests, shared by its processes, ended with it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from worker.emulators.leashed import PATIENCE_S, ServerError, free_port
from worker.emulators.pubsub import Command

SAME_S = 60.0
"""Two processes of one number can't have started within so short a time."""


@dataclass(frozen=True)
class Server:
    """A server that was started: its folder, its port on the loopback address, and its process, alive or not."""

    home: Path
    port: int
    pid: int
    created: float

    @classmethod
    def read(cls, home: Path) -> Server | None:
        """The server whose start was noted in `home`, running or not; None if none was."""
        try:
            noted = json.loads((home / "server.json").read_text())
            return cls(home, noted["port"], noted["pid"], noted["created"])
        except (OSError, KeyError):
            return None

    @property
    def host(self) -> str:
        """Its address, as host and port."""
        return f"127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Kill it and what it started, if it is still the process that was noted, and wait until it is gone."""
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(self.pid)
            # The clock may have been set since, a little.
            if abs(process.create_time() - self.created) < SAME_S:
                # It leads a group of its own, so that what it started goes with it.
                os.killpg(self.pid, signal.SIGKILL)
                process.wait(PATIENCE_S)


def open_server(home: Path, command: Command) -> Server:
    """The server of a folder, started if this is the first call for it; several processes may call at once."""
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return Server.read(home) or start_server(home, command)


def start_server(home: Path, command: Command, port: int | None = None) -> Server:
    """A new server in a folder, on a free port unless one is named; raises ServerError if it doesn't come up."""
    home.mkdir(mode=0o755, exist_ok=True)
    port = port or free_port()
    with (home / "log").open("ab") as log:
        process = subprocess.Popen(
            command(port), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=home, start_new_session=True
        )
    # Nobody waits for it but whoever stops it; an abandoned Popen would say so as a warning.
    process.returncode = 0
    server = Server(home, port, process.pid, psutil.Process(process.pid).create_time())
    (home / "server.json").write_text(
        json.dumps({"port": port, "pid": process.pid, "created": server.created}), encoding="utf-8"
    )
    wait_for(server)
    return server


def wait_for(server: Server) -> None:
    """Return once it takes connections; raises ServerError with the end of its log if it ends first, or is too slow."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and psutil.pid_exists(server.pid):
        if psutil.Process(server.pid).status() == psutil.STATUS_ZOMBIE:
            break
        with suppress(OSError), socket.create_connection(("127.0.0.1", server.port), timeout=1):
            return
        time.sleep(0.02)
    server.stop()
    said = (server.home / "log").read_text(errors="replace")[-500:]
    (server.home / "server.json").unlink(missing_ok=True)
    raise ServerError(f"it did not come up: {said.strip()}")
