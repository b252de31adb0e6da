"""The private PostgreSQL that tests run on: real, private, empty for each test, and never left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.parse
from pathlib import Path

import psutil
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests import conftest
from tests.servers import folder, postgres

#: Makes a folder with a server in a process of its own, says where, and is killed there.
ORPHAN = """
import os, signal
from tests.servers import folder, postgres
made = folder.make_folder()
server = postgres.open_server(made / "postgres")
print(made, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_each_test_gets_an_empty_database_of_a_real_server(postgres_url: str) -> None:
    """A table can be made, and none was there before."""
    engine = create_async_engine(postgres_url)
    async with engine.begin() as connection:
        tables = await connection.scalar(text("select count(*) from pg_tables where schemaname = 'public'"))
        await connection.execute(text("create table left_over (id int)"))
        version = await connection.scalar(text("show server_version_num"))
    await engine.dispose()
    assert tables == 0
    assert int(version or 0) >= 140000


async def test_what_one_test_leaves_another_does_not_see(postgres_url: str) -> None:
    """The twin of the test above: whichever comes second finds nothing of the first."""
    engine = create_async_engine(postgres_url)
    async with engine.begin() as connection:
        assert await connection.scalar(text("select to_regclass('left_over')")) is None
        await connection.execute(text("create table left_over (id int)"))
    await engine.dispose()


def test_server_listens_on_the_loopback_address_alone(postgres_server: postgres.Server) -> None:
    """No other machine can reach it."""
    connections = psutil.net_connections("tcp")
    listening = {c.laddr.ip for c in connections if c.status == "LISTEN" and c.laddr.port == postgres_server.port}
    assert listening == {"127.0.0.1"}


def test_two_calls_share_one_server(postgres_server: postgres.Server) -> None:
    """A second process of the run finds the first one's server."""
    assert postgres.open_server(postgres_server.home) == postgres_server


def test_a_killed_runs_server_is_ended_by_the_next_run(postgres_server: postgres.Server) -> None:
    """After kill -9 of a run its server lives on, until another run clears its folder away."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", ORPHAN], cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    left = Path(done.stdout.strip())
    pid = int((left / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[0])
    assert done.returncode == -signal.SIGKILL
    assert psutil.pid_exists(pid)
    mine = folder.make_folder()
    folder.clear_folder(mine)
    assert not left.exists()
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    assert postgres_server.home.exists()


def test_missing_server_skips_unless_it_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a developer's machine a test is skipped; where the server is required, it fails."""
    monkeypatch.delenv("DEALWRIGHT_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="is missing: how"):
        conftest.miss("postgres", "how")
    monkeypatch.setenv("DEALWRIGHT_REQUIRE", "pubsub,postgres")
    with pytest.raises(pytest.fail.Exception, match="is required here"):
        conftest.miss("postgres", "how")


def test_network_beyond_this_machine_is_closed() -> None:
    """Neither a name nor an address elsewhere can be reached from a test."""
    with pytest.raises(conftest.NetworkBlockedError), socket.socket() as connection:
        connection.connect(("192.0.2.1", 80))
    with pytest.raises(conftest.NetworkBlockedError):
        socket.getaddrinfo(urllib.parse.urlsplit("https://example.org").hostname, 443)


def test_settings_of_whoever_runs_the_tests_are_scrubbed() -> None:
    """Only the list of required servers is left of the product's settings."""
    assert {name for name in os.environ if name.startswith(("DEALWRIGHT_", "GOOGLE_"))} <= {"DEALWRIGHT_REQUIRE"}
