"""Ends with 0 if the role that runs in this container is well, else with 1 and one line.

Run by HEALTHCHECK inside the container, so it needs nothing but the standard library. A role that listens is asked; any
other is well as long as it runs: a worker that can't go on ends by itself, and says why.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

TIMEOUT_S = 4
LISTENING = {b"serve", b"up"}


def main(command: Path = Path("/proc/1/cmdline")) -> int:
    """The exit code: whether `/healthz` answers 200 on this container's port, if the container's `command` listens."""
    if not LISTENING & set(command.read_bytes().split(b"\0")):
        return 0
    port = int(os.environ.get("PORT", "8080"))  # noqa: TID251 runs beside the worker, not in it
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT_S) as answer:
            return 0 if answer.status == 200 else 1
    except (urllib.error.URLError, OSError) as error:
        print(f"/healthz on port {port}: {error}")  # noqa: T201 the container's log of its health
        return 1


if __name__ == "__main__":
    sys.exit(main())
