"""The stand-ins for Google's services: real processes, on this machine alone, shared by a run, never left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests import conftest
from tests.servers import folder, gcs, process, pubsub
from tests.servers.postgres import ServerError

#: Makes a folder with a server in a process of its own, says where, and is killed there.
ORPHAN = """
import os, signal
from tests.servers import folder, gcs, process
made = folder.make_folder()
process.open_server(made / "gcs", gcs.command())
print(made, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def listening(server: process.Server) -> set[str]:
    """The addresses on which the server's processes wait for connections."""
    leader = psutil.Process(server.pid)
    found = [c for each in (leader, *leader.children(recursive=True)) for c in each.net_connections("tcp")]
    return {c.laddr.ip.removeprefix("::ffff:") for c in found if c.status == "LISTEN"}


@pytest.mark.parametrize("kind", ["pubsub", "gcs"])
def test_a_server_is_shared_and_listens_on_the_loopback_address_alone(
    kind: str, request: pytest.FixtureRequest
) -> None:
    """No other machine can reach it, and a second process of the run finds the first one's."""
    request.getfixturevalue({"pubsub": "pubsub_host", "gcs": "gcs_url"}[kind])
    home = request.config.stash[conftest.SERVERS] / kind
    server = process.Server.read(home)
    if server is None:
        pytest.skip("the run uses a server that somebody else started")
    assert listening(server) <= {"127.0.0.1", "::1"}
    assert listening(server)
    assert process.open_server(home, lambda _: pytest.fail("a second one was started")) == server


def test_a_killed_runs_server_is_ended_by_the_next_run(gcs_url: str) -> None:
    """After kill -9 of a run its server lives on, until another run clears its folder away."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", ORPHAN], cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    left = Path(done.stdout.strip())
    server = process.Server.read(left / "gcs")
    assert server is not None
    assert psutil.pid_exists(server.pid)
    mine = folder.make_folder()
    folder.clear_folder(mine)
    assert not left.exists()
    assert not psutil.pid_exists(server.pid) or psutil.Process(server.pid).status() == psutil.STATUS_ZOMBIE


def test_a_living_runs_folder_is_left_alone_by_another_run(request: pytest.FixtureRequest) -> None:
    """However long it has been there, and whatever was done to the clock since."""
    mine = request.config.stash[conftest.SERVERS]
    root = Path(__file__).resolve().parents[2]
    script = "from tests.servers import folder; folder.clear_folder(folder.make_folder())"
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)
    assert folder.owner_lives(mine)
    assert mine.is_dir()


def test_a_process_that_got_the_number_of_an_ended_server_is_left_alone(tmp_path: Path) -> None:
    """Numbers are used again; the time of its start tells them apart."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as bystander:
        process.Server(tmp_path, 1, bystander.pid, created=1.0).stop()
        assert bystander.poll() is None
        bystander.kill()


def test_a_server_that_does_not_come_up_says_why(tmp_path: Path) -> None:
    """With the end of what it wrote; and nothing is noted that a later call would take for a server."""
    with pytest.raises(ServerError, match="no such thing"):
        process.start_server(tmp_path / "home", lambda _: ["sh", "-c", "echo no such thing; exit 1"])
    assert process.Server.read(tmp_path / "home") is None


def test_an_emulator_is_looked_for_where_it_is_said_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A running one first, then the program that is named; one that isn't there is missing, and says so."""
    monkeypatch.setenv("PUBSUB_EMULATOR_JAR", str(tmp_path / "none.jar"))
    monkeypatch.delenv("PUBSUB_EMULATOR_HOST", raising=False)
    with pytest.raises(ServerError, match="no emulator"):
        pubsub.open_host(tmp_path / "pubsub")
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", "127.0.0.1:8085")
    assert pubsub.open_host(tmp_path / "pubsub") == "127.0.0.1:8085"
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", "http://127.0.0.1:9023")
    assert gcs.open_url(tmp_path / "gcs") == "http://127.0.0.1:9023"
