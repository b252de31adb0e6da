"""The three servers of a set-up on one machine, started together and ended together; all that they hold goes then."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from schemas.errors import InputError
from worker.emulators import gcs, postgres, pubsub
from worker.emulators.gcs import Notifies
from worker.emulators.leashed import Leashed, ServerError, free_port


@dataclass(frozen=True, slots=True)
class Programs:
    """Where servers are, if somebody said so: the emulator's jar, PostgreSQL's folder, and what children are told."""

    jar: str | None
    pg_bin: str | None
    environment: Mapping[str, str]

    def check(self) -> None:
        """Raise InputError `emulator.missing` unless all three are on this machine."""
        with _had("PostgreSQL", postgres.HOW):
            postgres.binaries(self.pg_bin)
        with _had("Pub/Sub's emulator", pubsub.HOW):
            pubsub.command(self.jar)
        with _had("fake-gcs-server", gcs.HOW):
            gcs.command()


@dataclass(frozen=True, slots=True)
class Stack:
    """Where the servers are, the processes that they are, and a folder that goes with them."""

    pubsub_host: str
    storage_url: str
    database_url: str
    folder: Path
    processes: Mapping[str, Leashed]

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """What a process needs to be told to find Google's two, by Google's names."""
        return {**base, "PUBSUB_EMULATOR_HOST": self.pubsub_host, "STORAGE_EMULATOR_HOST": self.storage_url}

    def fallen(self) -> str:
        """A sentence on a server that ended by itself; nothing while all run."""
        for name, process in self.processes.items():
            if process.ended() is not None:
                return f"{name} ended {process.end()}; its log says why: {process.log}"
        return ""


@contextmanager
def open_stack(programs: Programs, notifies: Notifies) -> Generator[Stack]:
    """The servers, up; raises InputError `emulator.missing`, with what brings it, for one that can't be had."""
    programs.check()
    with ExitStack() as held:
        folder = Path(tempfile.mkdtemp(prefix="dealwright-up-"))
        held.push(partial(clear, folder))
        # The account that runs PostgreSQL for root must get through to its own folder inside.
        folder.chmod(0o711)
        started: dict[str, Leashed] = {}
        held.callback(_end, started)
        with ThreadPoolExecutor() as pool:
            database = pool.submit(_postgres, programs, folder, started)
            messages = pool.submit(_pubsub, programs, folder, started)
        with _had("PostgreSQL", postgres.HOW):
            database_url = database.result()
        with _had("Pub/Sub's emulator", pubsub.HOW):
            host = messages.result()
        with _had("fake-gcs-server", gcs.HOW):
            url = _gcs(programs, notifies, folder, started, host)
        yield Stack(host, url, database_url, folder, started)


def clear(folder: Path, kind: type[BaseException] | None, *_: object) -> None:
    """Remove what was kept for the servers; after a fault of one of them all but the logs, which say why."""
    logs = kind is not None and issubclass(kind, Exception) and not issubclass(kind, InputError)
    for each in folder.iterdir() if logs else ():
        if each.is_dir():
            shutil.rmtree(each, ignore_errors=True)
        elif each.suffix != ".log":
            each.unlink()
    if not logs:
        shutil.rmtree(folder, ignore_errors=True)


def _end(started: Mapping[str, Leashed]) -> None:
    for process in started.values():
        process.let_go()
    for process in started.values():
        process.release()


@contextmanager
def _had(name: str, how: str) -> Generator[None]:
    try:
        yield
    except ServerError as error:
        raise InputError("emulator.missing", f"{name} can't be started ({error}); {how}.") from error


def _start(name: str, make: Callable[[int], Leashed], started: dict[str, Leashed]) -> int:
    """The port of a server that now takes connections."""
    port = free_port()
    started[name] = make(port)
    started[name].wait_for_port(port)
    return port


def _pubsub(programs: Programs, folder: Path, started: dict[str, Leashed]) -> str:
    command = pubsub.command(programs.jar)
    port = _start("Pub/Sub's emulator", lambda port: Leashed(command(port), folder / "pubsub.log"), started)
    return f"127.0.0.1:{port}"


def _gcs(programs: Programs, notifies: Notifies, folder: Path, started: dict[str, Leashed], pubsub_host: str) -> str:
    command = gcs.command(notifies)
    env = {**programs.environment, "PUBSUB_EMULATOR_HOST": pubsub_host}
    port = _start("fake-gcs-server", lambda port: Leashed(command(port), folder / "gcs.log", env=env), started)
    return f"http://127.0.0.1:{port}"


def _postgres(programs: Programs, folder: Path, started: dict[str, Leashed]) -> str:
    account, home = postgres.Account.choose(), folder / "postgres"
    binaries = postgres.make_home(postgres.binaries(programs.pg_bin), home, account)
    postgres.make_data(binaries, home / "data", account)
    who = f"{account.uid}:{account.gid}" if account.run else "-"

    def make(port: int) -> Leashed:
        command = [binaries / "postgres", "-D", home / "data", *postgres.options(port)]
        return Leashed(command, folder / "postgres.log", account=who, env=account.run.get("env"))

    return f"postgresql://postgres@127.0.0.1:{_start('PostgreSQL', make, started)}/postgres"
