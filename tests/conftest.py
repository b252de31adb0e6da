"""What every test gets: a clean environment, no network beyond this machine, and the servers that it asks for."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import os
import signal
import sys
import uuid
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import asyncpg
import pytest

from tests.servers import folder, gcs, postgres, process, pubsub
from worker import tracing

SERVERS = pytest.StashKey[Path]()
#: Host names that mean this machine, beside the addresses that do.
LOCAL_NAMES = frozenset({"localhost", "", "0.0.0.0", "::"})


class NetworkBlockedError(RuntimeError):
    """A test reached for the network beyond this machine; no OSError, so that no retry takes it for a passing fault."""


def is_local(host: object) -> bool:
    """Whether a host, as sockets are given it, is this machine."""
    name = host.decode() if isinstance(host, bytes) else host
    if name is None or name in LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False


def block_network(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook that refuses name look-ups and connections beyond this machine."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in {"socket.connect", "socket.sendto"} and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if not is_local(host):
        raise NetworkBlockedError(f"a test reached for {host}")


def pytest_configure(config: pytest.Config) -> None:
    """Scrub the settings of whoever runs the tests, close the network, and make or take over the servers' folder."""
    for name in list(os.environ):
        if name.startswith(("DEALWRIGHT_", "GOOGLE_", "GEMINI_")) and name != "DEALWRIGHT_REQUIRE":
            del os.environ[name]
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # As a shell starts what runs behind it; tests press Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.addaudithook(block_network)
    workerinput = getattr(config, "workerinput", None)
    config.stash[SERVERS] = Path(workerinput["servers"]) if workerinput else folder.make_folder()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without looking for garbage among them: all are kept, and would be walked over and over."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of pytest-xdist where this run's servers are."""
    node.workerinput["servers"] = str(node.config.stash[SERVERS])


def pytest_unconfigure(config: pytest.Config) -> None:
    """End this run's servers, in the process that made their folder."""
    if not hasattr(config, "workerinput") and SERVERS in config.stash:
        folder.clear_folder(config.stash[SERVERS])


@pytest.fixture(autouse=True)
def settings_are_put_back() -> Iterator[None]:
    """A test that leaves a setting behind fails, and not the one after it that would look for a server there."""
    before = settings_here()
    yield
    assert settings_here() == before


def settings_here() -> dict[str, str]:
    """The settings and servers' addresses of this process's environment."""
    return {name: value for name, value in os.environ.items() if name.startswith("DEALWRIGHT_") or "EMULATOR" in name}


def miss(server: str, how: str) -> NoReturn:
    """Skip the test, saying how to bring the server; fail instead where DEALWRIGHT_REQUIRE names it."""
    if server in os.environ.get("DEALWRIGHT_REQUIRE", "").split(","):
        pytest.fail(f"{server} is required here, and is missing: {how}")
    pytest.skip(f"{server} is missing: {how}")


def run_sql(server: postgres.Server, statement: str) -> None:
    """Run one statement in the server's own database, on a loop that no test shares."""

    async def execute() -> None:
        connection = await asyncpg.connect(host="127.0.0.1", port=server.port, user="postgres", database="postgres")
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(execute())
    finally:
        loop.close()


@pytest.fixture(autouse=True)
def no_spans() -> Iterator[None]:
    """No test's tracer outlives it: what makes spans is one for a process, and a command run inside a test sets it."""
    yield
    tracing.make_spans(None)


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> postgres.Server:
    """The run's one PostgreSQL, shared by all its processes; skips or fails where it can't be had."""
    try:
        return postgres.open_server(request.config.stash[SERVERS] / "postgres")
    except postgres.ServerError as error:
        miss("postgres", f"run `./dealwright test`, which installs it, or set PG_BIN ({error})")


@pytest.fixture
def postgres_url(postgres_server: postgres.Server) -> Iterator[str]:
    """The address (`postgresql+asyncpg://…`) of an empty database that is this test's own."""
    name = f"test_{uuid.uuid4().hex}"
    run_sql(postgres_server, f"CREATE DATABASE {name}")
    yield postgres_server.url(name)
    run_sql(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def pubsub_host(request: pytest.FixtureRequest) -> str:
    """Host and port of the run's one Pub/Sub emulator; skips or fails where it can't be had."""
    try:
        return pubsub.open_host(request.config.stash[SERVERS] / "pubsub")
    except postgres.ServerError as error:
        miss("pubsub", f"{pubsub.HOW} ({error})")


@pytest.fixture
def pubsub_emulator(request: pytest.FixtureRequest) -> Iterator[process.Server]:
    """A Pub/Sub emulator that is this test's own, to be killed and started again."""
    home = request.config.stash[SERVERS] / f"pubsub-{uuid.uuid4().hex}"
    try:
        server = process.start_server(home, pubsub.command())
    except postgres.ServerError as error:
        miss("pubsub", f"{pubsub.HOW} ({error})")
    yield server
    (process.Server.read(home) or server).stop()


@pytest.fixture
def project() -> str:
    """A Google project that is this test's own: topics and subscriptions of one never meet those of another."""
    return f"test-{uuid.uuid4().hex[:20]}"


@pytest.fixture(scope="session")
def gcs_url(request: pytest.FixtureRequest) -> str:
    """The address of the run's one stand-in for Cloud Storage; skips or fails where it can't be had."""
    try:
        return gcs.open_url(request.config.stash[SERVERS] / "gcs")
    except postgres.ServerError as error:
        miss("gcs", f"{gcs.HOW} ({error})")
