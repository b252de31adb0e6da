"""Google's own Pub/Sub emulator for one run of the tests; what they show holds without all that it doesn't enforce."""

from __future__ import annotations

import os
from pathlib import Path

from tests.servers import process
from worker.emulators import pubsub
from worker.emulators.pubsub import HOW

__all__ = ["HOW", "command", "open_host"]


def command() -> pubsub.Command:
    """What starts it on a port; raises ServerError where it or Java is missing."""
    return pubsub.command(os.environ.get("PUBSUB_EMULATOR_JAR"))


def open_host(home: Path) -> str:
    """Host and port of the run's emulator: the one that PUBSUB_EMULATOR_HOST names, else one that is started here."""
    return os.environ.get("PUBSUB_EMULATOR_HOST") or process.open_server(home, command()).host
