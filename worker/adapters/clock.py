"""Time, read here and nowhere else."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The moment, in UTC. Leases compare the clocks of different machines: keep them in step."""
    return datetime.now(UTC)


def fresh_holder() -> str:
    """A name for this process that no other one has or had: host, process, and a part drawn at random."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
