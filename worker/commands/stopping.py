"""SIGTERM as Ctrl-C: work is handed back, what was finished is kept, and a sentence says so."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Stop:
    """Whether somebody ended the process from outside."""

    terminated: bool = False


@contextmanager
def stoppable() -> Generator[Stop]:
    """While it lasts, SIGTERM does what Ctrl-C does: asyncio then lets attempts give their leases back."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def terminate(_: int, __: object) -> None:
        stop.terminated = True
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            # As a shell starts what runs behind it: Ctrl-C isn't meant for it, but this is.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)
