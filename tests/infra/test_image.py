"""The image: linted, small in what it takes in, without rights, and asked after its health."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.infra.provider import ROOT

DOCKERFILE = ROOT / "infra" / "Dockerfile"
TEXT = DOCKERFILE.read_text(encoding="utf-8")
#: The instructions, each on one line, comments left out.
STEPS = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE)).splitlines()
FINAL = STEPS[max(at for at, step in enumerate(STEPS) if step.startswith("FROM ")) :]


def hadolint(path: Path) -> str:
    """What the linter says of a Dockerfile."""
    command = [str(Path(sys.executable).parent / "hadolint"), "--no-color", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_the_linter_has_nothing_to_say(tmp_path: Path) -> None:
    """And has something to say where there is."""
    assert hadolint(DOCKERFILE) == ""
    bad = tmp_path / "Dockerfile"
    bad.write_text(TEXT.replace("WORKDIR /tmp", "WORKDIR tmp").replace("slim-bookworm", "latest"))
    assert "DL3000" in hadolint(bad)


def test_it_runs_as_a_number_that_is_not_root() -> None:
    """The last word on the user, in the last stage."""
    (user,) = [step for step in FINAL if step.startswith("USER ")]
    assert re.fullmatch(r"USER [1-9]\d+:[1-9]\d+", user)
    assert FINAL.index(user) < FINAL.index(next(step for step in FINAL if step.startswith("ENTRYPOINT ")))


def test_the_base_can_be_named_and_is_not_whatever_is_newest() -> None:
    """ARG BASE, with a version in its default."""
    (default,) = re.findall(r"^ARG BASE=(\S+)$", TEXT, re.MULTILINE)
    assert re.search(r":\d+\.\d+[\w.-]*$", default)
    assert {step.split()[1] for step in STEPS if step.startswith("FROM ")} == {"${BASE}"}


def test_packages_come_by_hash_and_as_wheels() -> None:
    """Nothing is compiled, nothing is fetched that the lock doesn't name."""
    installs = [step for step in STEPS if "pip install" in step]
    assert len(installs) == 2
    for step in installs:
        assert ("--require-hashes" in step and "--only-binary=:all:" in step) or "--no-index" in step


def test_the_last_stage_holds_no_tools_to_build_with() -> None:
    """It copies what was built, and installs nothing."""
    assert not [step for step in FINAL if re.search(r"apt|apk|pip install|gcc|build-essential|curl|wget", step)]
    assert any("uninstall" in step and "hatchling" in step and "setuptools" in step for step in STEPS)


def test_every_role_is_the_same_entry_point() -> None:
    """Commands are arguments, and signals reach the process itself: no shell in between."""
    assert 'ENTRYPOINT ["dealwright"]' in FINAL
    assert not [step for step in FINAL if re.match(r"(ENTRYPOINT|CMD) (?!\[)", step)]


def test_what_is_copied_is_there_and_let_through() -> None:
    """Each source exists, .dockerignore names it, and every package of the wheel is among them."""
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source for step in STEPS if step.startswith("COPY ") and "--from" not in step for source in step.split()[1:-1]
    }
    assert all((ROOT / source).exists() for source in copied)
    assert copied == allowed
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert {*wheel["packages"], *wheel["force-include"]} <= copied


def test_everything_else_stays_out_of_the_build() -> None:
    """The first rule shuts all out: no state, no .git, no secrets of a working folder."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*"


@contextmanager
def answering(status: int) -> Iterator[int]:
    """The port of a server on the loopback address that answers so."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def health(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """What the health check ends with, for a container that runs `dealwright` and these words."""
    spec = importlib.util.spec_from_file_location("health", ROOT / "infra" / "health.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def ask(*words: str, port: int) -> int:
        command = tmp_path / "cmdline"
        command.write_bytes(
            "\0".join(("/opt/dealwright/bin/python3", "/opt/dealwright/bin/dealwright", *words, "")).encode()
        )
        monkeypatch.setenv("PORT", str(port))
        return module.main(command)

    return ask


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_health_is_what_the_role_says(health: Callable[..., int], status: int, code: int) -> None:
    """200 is well; anything else isn't."""
    with answering(status) as port:
        assert health("serve", "--log-json", port=port) == code


def test_a_role_that_does_not_answer_is_not_well(
    health: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Said in a line, with no traceback."""
    with answering(200) as port:
        pass
    assert health("serve", port=port) == 1
    assert capsys.readouterr().out.startswith(f"/healthz on port {port}: ")


def test_a_role_that_does_not_listen_is_well_while_it_runs(health: Callable[..., int]) -> None:
    """A worker that can't go on ends, which whoever runs containers sees."""
    with answering(503) as port:
        assert health("work", "--only", "renders", port=port) == 0
