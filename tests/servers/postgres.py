"""A private PostgreSQL for one run of the tests: on the loopback address, in a folder of its own, gone at the end."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from worker.emulators.leashed import ServerError
from worker.emulators.postgres import Account, call, make_data, make_home, options
from worker.emulators.postgres import binaries as find


@dataclass(frozen=True)
class Server:
    """A running server: its folder (`data/` inside), its binaries, and its port on the loopback address."""

    home: Path
    binaries: Path
    port: int

    @classmethod
    def read(cls, home: Path) -> Server | None:
        """The server whose start was noted in `home`, running or not; None if none was."""
        note = home / "server.json"
        if not note.exists():
            return None
        noted = json.loads(note.read_text())
        return cls(home, Path(noted["binaries"]), noted["port"])

    def url(self, database: str) -> str:
        """SQLAlchemy's address of one database."""
        return f"postgresql+asyncpg://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Make the data folder if need be and start; about a second the first time, a tenth after a crash."""
        account = Account.choose()
        data = self.home / "data"
        make_data(self.binaries, data, account)
        wait = ["-w", "-t", "60", "-l", self.home / "log", "-o", shlex.join(options(self.port))]
        call([self.binaries / "pg_ctl", "-D", data, *wait, "start"], account)

    def stop(self) -> None:
        """End it at once, as a power cut would; nothing happens if it doesn't run."""
        with suppress(ServerError):
            call(
                [self.binaries / "pg_ctl", "-D", self.home / "data", "-m", "immediate", "-w", "stop"], Account.choose()
            )


def open_server(home: Path) -> Server:
    """The server of a folder, started if this is the first call for it; several processes may call at once."""
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return Server.read(home) or start_server(home)


def start_server(home: Path) -> Server:
    """A new server in a new folder, noted there before it starts so that a later run can end it."""
    binaries = make_home(find(os.environ.get("PG_BIN")), home, Account.choose())
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(home, binaries, port)
    (home / "server.json").write_text(json.dumps({"binaries": str(binaries), "port": port}))
    server.start()
    return server
