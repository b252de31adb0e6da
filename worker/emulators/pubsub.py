"""Google's own Pub/Sub emulator, which comes with the Cloud SDK and from no package registry.

It enforces neither filters, nor the backoff of a retry policy, nor exactly-once delivery, nor permissions.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from worker.emulators.leashed import ServerError

HOW = "install the SDK's emulator (gcloud components install pubsub-emulator) and Java, or set PUBSUB_EMULATOR_JAR"
JARS = "platform/pubsub-emulator/lib/*pubsub-emulator*.jar"
Command = Callable[[int], Sequence[str]]
"""What starts a server on a port of the loopback address."""


def find_jar(named: str | None = None) -> Path | None:
    """The emulator's program: the one that is named, else the system package's, else the SDK's beside `gcloud`."""
    if named:
        return Path(named)
    gcloud = shutil.which("gcloud")
    roots = [Path("/usr/lib/google-cloud-sdk"), *([Path(gcloud).resolve().parents[1]] if gcloud else [])]
    found = [jar for root in roots for jar in sorted(root.glob(JARS))]
    return found[-1] if found else None


def command(named: str | None = None) -> Command:
    """What starts it; raises ServerError where it or Java is missing."""
    jar, java = find_jar(named), shutil.which("java")
    if jar is None or not jar.exists():
        raise ServerError("no emulator was found")
    if java is None:
        raise ServerError("no Java was found")

    def on_port(port: int) -> Sequence[str]:
        return [java, "-Xmx256m", "-jar", str(jar), "--host=127.0.0.1", f"--port={port}"]

    return on_port
