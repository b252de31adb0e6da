"""Runs a command for as long as its standard input stays open: whoever holds the other end may die in any way.

`python leash.py GRACE_S UID:GID COMMAND…`; the id is `-` to stay who we are. Once the input ends, the command and what
it started are interrupted, and killed if they are still there after GRACE_S. Needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import Any


def main(grace_s: float, account: str, command: list[str]) -> int:
    """The command's exit code."""
    who: dict[str, Any] = {}
    if account != "-":
        uid, gid = map(int, account.split(":"))
        who = {"user": uid, "group": gid, "extra_groups": []}
    process: subprocess.Popen[Any] = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **who)
    threading.Thread(target=_hold, args=(process, grace_s), daemon=True).start()
    code = process.wait()
    # What it started and left behind goes too.
    _signal(process, signal.SIGKILL)
    return code if code >= 0 else 128 - code


def _hold(process: subprocess.Popen[Any], grace_s: float) -> None:
    while os.read(0, 1024):
        pass
    _signal(process, signal.SIGINT)
    try:
        process.wait(grace_s)
    except subprocess.TimeoutExpired:
        _signal(process, signal.SIGKILL)


def _nothing(_: int, __: object) -> None:
    """As a signal's handler."""


def _signal(process: subprocess.Popen[Any], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM):
        # It ends when its command does: whoever would end both, ends the input. What is ignored outright, the command
        # would ignore too.
        signal.signal(ignored, _nothing)
    sys.exit(main(float(sys.argv[1]), sys.argv[2], sys.argv[3:]))
