"""Calls a function of ours in a child process that may cost so much memory and so much time, and no more."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, Literal, TypeVar, cast

from schemas.errors import DealwrightError, OutputError, TransientError
from tools.isolation import messages
from tools.isolation.child_process import EXIT_FAULT, EXIT_MEMORY, Fault, Request
from tools.isolation.fork_client import ForkClient, Line
from tools.isolation.fork_server import ENDED
from tools.workbook import refusal

T = TypeVar("T")
End = Literal["returned", "refused", "fault", "memory", "time", "crash", "lost"]
READERS = ForkClient("tools.isolation.warm_up", "warm_up")
"""The fork server for everything that reads an upload."""

_END_S = 5.0
_ANSWERED: frozenset[End] = frozenset({"returned", "refused"})
_OUT_OF_MEMORY = (b"memory allocation of", b"out of memory", b"bad_alloc", b"MemoryError")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a child ended, what it handed over (a result, an error, a Fault, a signal's name), and what it cost.

    Peak memory and processor time are 0 where the end of a child that had answered was not waited for.
    """

    end: End
    value: Any
    peak_rss_bytes: int
    processor_s: float
    wall_s: float


def run_limited(
    function: Callable[..., T],
    *args: Any,
    memory_bytes: int,
    timeout_s: float,
    subject: str = "The file",
    on_progress: Callable[[Any], None] | None = None,
) -> T:
    """What `function(*args)` returns in a child process.

    `function` can be imported by name, and returns plain values and our dataclasses; `subject` is the file's name, for
    sentences. With `on_progress` the function gets an argument of that name, and what it tells it is told here.
    `memory_bytes` bounds what address space the call may take, `timeout_s` its time from now.

    Raises the child's DealwrightError as it is; InputError `file.too_complex` when memory or time runs out, and
    `file.poison` when the child crashes; OutputError `reader.fault` for an error of ours (its frames as a note);
    TransientError `reader.lost` when the fork server was ended meanwhile.
    """
    outcome = run_child(
        function, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, on_progress=on_progress, weighed=False
    )
    if outcome.end == "returned":
        return cast("T", outcome.value)
    raise error_of(outcome, subject, memory_bytes, timeout_s)


def run_child(
    function: Callable[..., Any],
    *args: Any,
    memory_bytes: int,
    timeout_s: float,
    on_progress: Callable[[Any], None] | None = None,
    readers: ForkClient = READERS,
    weighed: bool = True,
) -> Outcome:
    """As `run_limited`, with every end told as an Outcome; raises only what `on_progress` raises, and `reader.lost`.

    Unless `weighed`, a child that has answered is left to end by itself: giving back its memory takes milliseconds.
    """
    name = function.__qualname__
    if "<" in name or function.__module__ == "__main__":
        raise ValueError(f"{function.__module__}.{name} can't be imported by name")
    request = Request(function.__module__, name, args, memory_bytes, timeout_s, on_progress is not None)
    started = time.monotonic()
    line = readers.open_line()
    try:
        end, value = _converse(line, request, started + timeout_s, on_progress)
        if not weighed and end in _ANSWERED:
            return Outcome(end, value, 0, 0.0, time.monotonic() - started)
        status, peak, processor = _await_end(line)
        if end == "lost":
            end, value = end_of(status, line.log)
        return Outcome(end, value, peak, processor, time.monotonic() - started)
    finally:
        line.close()


def _converse(
    line: Line, request: Request, deadline: float, on_progress: Callable[[Any], None] | None
) -> tuple[End, Any]:
    """What the child says in the end: `lost` if it says nothing more."""
    try:
        line.channel.settimeout(request.timeout_s)
        messages.write_request(line.channel, request)
        while (said := messages.receive(line.channel, deadline, request.memory_bytes // 2)) is not None:
            kind, value = said
            if kind != messages.PROGRESS:
                return ENDS.get(kind, "lost"), value
            if on_progress is not None:
                on_progress(value)
    except TimeoutError:
        return "time", None
    except messages.BrokenAnswerError:
        # What a child that was taken over says is not repeated.
        return "fault", Fault("an answer that is none", ())
    except OSError:
        return "lost", None
    return "lost", None


ENDS: dict[bytes, End] = {messages.RESULT: "returned", messages.REFUSED: "refused", messages.FAULT: "fault"}
"""How a child has ended, by the kind of its answer."""


def _await_end(line: Line) -> tuple[int | None, int, float]:
    """Wait status (None: the server was lost), peak bytes and processor seconds; kills a child that still runs."""
    line.ended.settimeout(_END_S)
    try:
        line.ended.shutdown(1)
        told = line.ended.recv(ENDED.size)
    except OSError:
        told = b""
    return ENDED.unpack(told) if len(told) == ENDED.size else (None, 0, 0.0)


def end_of(status: int | None, log: IO[bytes]) -> tuple[End, str | Fault | None]:
    """Why a child ended that gave no answer: by its wait status, and by what it wrote on standard error."""
    if status is None:
        return "lost", None
    if os.WIFEXITED(status):
        code = os.WEXITSTATUS(status)
        if code == EXIT_FAULT:
            return "fault", Fault("no answer", ())
        return ("memory", None) if code == EXIT_MEMORY else ("crash", f"exit {code}")
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return "time", None
    log.seek(0)
    said = log.read(65_536)
    # The kernel's own remedy for a machine out of memory is SIGKILL; a library's is to say so and abort.
    if number == signal.SIGKILL or any(mark in said for mark in _OUT_OF_MEMORY):
        return "memory", None
    return "crash", f"signal {number}"


def error_of(outcome: Outcome, subject: str, memory_bytes: int, timeout_s: float) -> DealwrightError:
    """The error that `run_limited` raises for an outcome without a result."""
    if outcome.end == "refused" and isinstance(outcome.value, DealwrightError):
        return outcome.value
    if outcome.end == "fault" and isinstance(outcome.value, Fault):
        return _fault(outcome.value, subject)
    if outcome.end == "lost":
        name = refusal.shown_name(subject)
        return TransientError("reader.lost", f"The process that read {name} was ended; try again.")
    if outcome.end in ("memory", "time"):
        need = f"{memory_bytes / 1e6:,.0f} MB of memory" if outcome.end == "memory" else f"{timeout_s:g} s"
        return refusal.refusal(
            "file.too_complex",
            subject,
            f"needs more than {need} to read",
            "save the sheets with the deals as a new workbook",
        )
    what = f"makes the reader crash ({outcome.value})"
    return refusal.refusal("file.poison", subject, what, "open it in Excel, save it again and send the new copy")


def _fault(fault: Fault, subject: str) -> OutputError:
    name = refusal.shown_name(subject)
    error = OutputError("reader.fault", f"{name} could not be read through a fault of ours ({fault.error}); report it.")
    error.add_note("".join(fault.frames))
    return error
