"""Runs the reading of a command in a fork of this process, which may cost so much memory and time, and no more.

The fork writes the command's output itself: nothing large travels back, and a small file costs a few milliseconds more.
"""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import IO, Any, NoReturn

from tools.isolation import child_process, messages
from tools.isolation.child import ENDS, End, Outcome, end_of, error_of

Tell = Callable[[str | None], None]
_MOST_SAID_BYTES = 1 << 20
_FOREVER_S = 10_000_000.0
_GO = b"g"


class ForkFaultError(Exception):
    """An error of ours in the fork: its type, and where it arose as a note."""


def run_apart(
    function: Callable[[Tell], int],
    *,
    memory_bytes: int,
    timeout_s: float,
    subject: str,
    on_progress: Tell,
    libraries: Sequence[str] = (),
) -> int:
    """What `function(tell)` returns in a fork of this process; without one where none can be made.

    The function tells `tell` what it is about, and None once it has read the file and goes on to write: the limit of
    time is over then, and standard error, which is nobody's before, is the terminal's again. `on_progress` hears both.
    `libraries` are modules that don't count as the file's memory.

    Raises the fork's DealwrightError and OSError as they are, InputError `file.too_complex` when memory or time runs
    out, `file.poison` when the fork crashes, and ForkFaultError for any other error.
    """
    if not _can_fork():
        return function(on_progress)
    sys.stdout.flush()
    sys.stderr.flush()
    ours, theirs = socket.socketpair()
    with tempfile.TemporaryFile() as log, ours:
        started, parent = time.monotonic(), os.getpid()
        pid = os.fork()
        if pid == 0:
            _be_fork(partial(_enter, log, memory_bytes, parent, libraries), function, theirs)
        theirs.close()
        outcome = _await(pid, ours, log, started + timeout_s, on_progress)
    if outcome.end == "returned":
        if isinstance(outcome.value, int):
            return outcome.value
        raise OSError(*outcome.value)
    if outcome.end == "fault":
        error = ForkFaultError(outcome.value.error)
        error.add_note("".join(outcome.value.frames))
        raise error
    raise error_of(outcome, subject, memory_bytes, timeout_s)


def _can_fork() -> bool:
    """Whether a fork could go on in our place: on POSIX, with one thread, and with standard streams that are files."""
    if sys.platform == "win32" or threading.active_count() > 1:
        return False
    try:
        return sys.stdout.fileno() == 1 and sys.stderr.fileno() == 2
    except (OSError, ValueError, AttributeError):
        return False


def _await(pid: int, channel: socket.socket, log: IO[bytes], deadline: float, on_progress: Tell) -> Outcome:
    """How the fork ends; it does not outlive what is raised here, Ctrl-C among them."""
    try:
        end, value = _listen(channel, deadline, on_progress)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    if end == "time":
        # It is not buried yet, so its number is still its own.
        os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    if end == "lost":
        end, value = end_of(status, log)
    return Outcome(end, value, 0, 0.0, 0.0)


def _listen(channel: socket.socket, deadline: float, on_progress: Tell) -> tuple[End, Any]:
    """What the fork says in the end: `lost` if it says nothing more."""
    try:
        while (said := messages.receive(channel, deadline, _MOST_SAID_BYTES)) is not None:
            kind, value = said
            if kind != messages.PROGRESS:
                return ENDS.get(kind, "lost"), value
            on_progress(value)
            if value is None:
                deadline += _FOREVER_S
                channel.sendall(_GO)
    except TimeoutError:
        return "time", None
    except messages.BrokenAnswerError:
        return "fault", child_process.Fault("an answer that is none", ())
    except OSError:
        return "lost", None
    return "lost", None


def _enter(log: IO[bytes], memory_bytes: int, parent: int, libraries: Sequence[str]) -> int:
    """Shuts in the process just forked; a copy of its standard error, which is a log from now on."""
    child_process.die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    screen = os.dup(2)
    os.dup2(log.fileno(), 2)
    # Each thread of a numeric library would reserve address space; the readers need none.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.putenv(name, "1")
    for library in libraries:
        importlib.import_module(library)
    child_process.limit_memory(memory_bytes)
    return screen


def _be_fork(enter: Callable[[], int], function: Callable[[Tell], int], channel: socket.socket) -> NoReturn:
    """Runs the function within the limits, says what came of it, and ends."""
    try:
        screen = enter()

        def tell(said: str | None) -> None:
            messages.send(channel, messages.PROGRESS, said)
            if said is None:
                channel.recv(len(_GO))
                os.dup2(screen, 2)

        def run() -> int | tuple[int, str]:
            try:
                code = function(tell)
                sys.stdout.flush()
            except OSError as error:
                return error.errno or 0, error.strerror or type(error).__name__
            return code

        messages.send(channel, *child_process.outcome_of(run))
        os._exit(0)
    except MemoryError:
        os._exit(child_process.EXIT_MEMORY)
    finally:
        os._exit(child_process.EXIT_FAULT)
