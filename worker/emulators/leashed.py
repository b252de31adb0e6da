"""A server that is a process of ours, on a leash: it ends with us, even if we are killed."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from worker.emulators import leash

PATIENCE_S = 60.0
"""How long a server may take to come up: a Java machine on a busy computer is not quick."""
LOG_TAIL = 500


class ServerError(Exception):
    """A server that could not be had; the text says why."""


class Leashed:
    """A command that runs until `release`, its output in the file `log`."""

    def __init__(
        self,
        command: Sequence[str | Path],
        log: Path,
        *,
        env: Mapping[str, str] | None = None,
        account: str = "-",
        grace_s: float = 5.0,
    ) -> None:
        self.log, self._grace_s = log, grace_s
        held = [sys.executable, "-I", leash.__file__, str(grace_s), account, *map(str, command)]
        with log.open("ab") as out:
            # A session of its own, so that Ctrl-C reaches us alone and all is ended in its order.
            self._process = subprocess.Popen(
                held, stdin=subprocess.PIPE, stdout=out, stderr=out, cwd=log.parent, env=env, start_new_session=True
            )

    @property
    def pid(self) -> int:
        """The leash's process."""
        return self._process.pid

    def ended(self) -> int | None:
        """The exit code, if it ended."""
        return self._process.poll()

    def end(self) -> str:
        """How it ended, in words; only once it has."""
        code = self._process.returncode
        # The leash tells of a signal as shells do; it may have got one itself.
        number = -code if code < 0 else code - 128
        return f"by signal {number}" if number > 0 else f"with exit code {code}"

    def said(self) -> str:
        """The end of what it wrote."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-LOG_TAIL:].strip()

    def wait_for_port(self, port: int) -> None:
        """Return once it takes connections; raises ServerError if it ends first, or is too slow."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.ended() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return
            time.sleep(0.02)
        self.release()
        raise ServerError(f"it did not come up: {self.said()}")

    def let_go(self) -> None:
        """Tell it to end, and wait for nothing."""
        assert self._process.stdin is not None, "made with a pipe"
        self._process.stdin.close()

    def release(self) -> None:
        """Have it end, and wait until it has."""
        self.let_go()
        self._process.wait(self._grace_s + PATIENCE_S)


def free_port() -> int:
    """A port of the loopback address that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
