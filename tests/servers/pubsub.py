"""Google's own Pub/Sub emulator, which comes with the Cloud SDK and from no package registry.

It enforces neither filters, nor the backoff of a retry policy, nor exactly-once delivery, nor permissions: what these
tests show holds without any of them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.servers import process
from tests.servers.postgres import ServerError

HOW = "install the SDK's emulator (gcloud components install pubsub-emulator) and Java, or set PUBSUB_EMULATOR_JAR"
JARS = "platform/pubsub-emulator/lib/*pubsub-emulator*.jar"


def find_jar() -> Path | None:
    """The emulator's program: PUBSUB_EMULATOR_JAR, else the system package's, else the SDK's beside `gcloud`."""
    if "PUBSUB_EMULATOR_JAR" in os.environ:
        return Path(os.environ["PUBSUB_EMULATOR_JAR"])
    gcloud = shutil.which("gcloud")
    roots = [Path("/usr/lib/google-cloud-sdk"), *([Path(gcloud).resolve().parents[1]] if gcloud else [])]
    found = [jar for root in roots for jar in sorted(root.glob(JARS))]
    return found[-1] if found else None


def command() -> process.Command:
    """What starts it on a port; raises ServerError where it or Java is missing."""
    jar, java = find_jar(), shutil.which("java")
    if jar is None or not jar.exists():
        raise ServerError("no emulator was found")
    if java is None:
        raise ServerError("no Java was found")

    def on_port(port: int) -> Sequence[str]:
        return [java, "-Xmx256m", "-jar", str(jar), "--host=127.0.0.1", f"--port={port}"]

    return on_port


def open_host(home: Path) -> str:
    """Host and port of the run's emulator: the one that PUBSUB_EMULATOR_HOST names, else one that is started here."""
    return os.environ.get("PUBSUB_EMULATOR_HOST") or process.open_server(home, command()).host
