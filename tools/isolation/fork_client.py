"""A fork server as its user holds it: started when first needed, started anew when lost, ended with its user."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from schemas.errors import TransientError

_START = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.argv[2])\n"
    "from tools.isolation.fork_server import serve\n"
    "serve(int(sys.argv[1]), *sys.argv[3:])\n"
)
#: All that the server is told of its surroundings: no credentials, and one thread, since threads do not survive a fork.
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_END_S = 2.0


@dataclass(frozen=True, slots=True)
class Line:
    """What joins us to one child: its channel, the socket that tells its end, and what it wrote on standard error."""

    channel: socket.socket
    ended: socket.socket
    log: IO[bytes]

    def close(self) -> None:
        """Closes all three; a child that still runs is killed by it."""
        for end in (self.channel, self.ended, self.log):
            end.close()


class ForkClient:
    """A fork server that called `module`'s `warm_up`; safe to use from several threads, and after a fork of ours."""

    def __init__(self, module: str, warm_up: str) -> None:
        self._warm_up = (module, warm_up)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._owner = 0

    def start(self) -> None:
        """Starts the server unless it runs; returns at once, while the server imports."""
        with self._lock:
            self._running()

    def stop(self) -> None:
        """Ends the server and every child of it; whoever waits for one gets a TransientError."""
        with self._lock:
            self._drop()

    def open_line(self) -> Line:
        """A line to a new child; raises TransientError when none can be had."""
        channel, far_channel = socket.socketpair()
        ended, far_ended = socket.socketpair()
        line = Line(channel, ended, tempfile.TemporaryFile())  # noqa: SIM115 - Line.close closes it
        with far_channel, far_ended, self._lock:
            descriptors = [far_channel.fileno(), far_ended.fileno(), line.log.fileno()]
            for _ in range(2):
                try:
                    socket.send_fds(self._running(), [b"j"], descriptors)
                except OSError:
                    self._drop()
                else:
                    return line
        line.close()
        raise TransientError("reader.lost", "The process that reads files could not be started; try again.")

    def _running(self) -> socket.socket:
        ours = self._owner == os.getpid()
        if self._process is not None and (not ours or self._process.poll() is not None):
            self._drop()
        return self._control or self._spawn()

    def _spawn(self) -> socket.socket:
        control, far = socket.socketpair()
        with far:
            paths = [str(Path(entry).resolve()) for entry in sys.path]
            arguments = (str(far.fileno()), json.dumps(paths), *self._warm_up)
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", _START, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_ENVIRONMENT,
                cwd="/",
                pass_fds=(far.fileno(),),
                start_new_session=True,
            )
        if not self._owner:
            atexit.register(self.stop)
        self._control, self._owner = control, os.getpid()
        return control

    def _drop(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)
            self._process.kill()
            self._process.wait()
        elif self._process is not None:
            # We are a fork of the process that started the server: its end is that one's to wait for.
            self._process.returncode = 0
        self._process, self._control = None, None
