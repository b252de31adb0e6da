"""What a forked child does: shut itself in, run one function, say what came of it, end."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import math
import os
import pickle
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from schemas.errors import DealwrightError
from tools.isolation import messages

EXIT_MEMORY = 77
EXIT_FAULT = 78
_PR_SET_PDEATHSIG = 1
_CHANNEL_FD = 3
_LOG_BYTES = 65_536
_NEARLY = 0.9


@dataclass(frozen=True, slots=True)
class Request:
    """A function to call, by module and qualified name, with what the call may cost."""

    module: str
    name: str
    args: tuple[Any, ...]
    memory_bytes: int
    timeout_s: float
    tells_progress: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of our own in the child: its type and where it arose. Its text stays there, for it may quote cells."""

    error: str
    frames: tuple[str, ...]


def enter(channel_fd: int, log_fd: int, server: int) -> None:
    """Shuts in the process just forked: a group of its own, no file but a channel and a log; it dies with `server`."""
    with contextlib.suppress(PermissionError):
        os.setpgid(0, 0)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for source, target in ((nowhere, 0), (nowhere, 1), (log_fd, 2), (channel_fd, _CHANNEL_FD)):
        os.dup2(source, target)
    os.closerange(_CHANNEL_FD + 1, os.sysconf("SC_OPEN_MAX"))
    sys.dont_write_bytecode = True
    die_with(server)


def die_with(parent: int) -> None:
    """Ends this process when its `parent` ends, at once if that is so already; it is the first to go without memory."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    if os.getppid() != parent:
        os._exit(EXIT_FAULT)


def limit_memory(memory_bytes: int) -> None:
    """Bounds what address space this process may take from now on, where the system can."""
    with contextlib.suppress(OSError, ValueError):
        _bound(resource.RLIMIT_AS, _address_space("VmSize:") + memory_bytes)
        _bound(resource.RLIMIT_CORE, 0)


def answer() -> None:
    """Reads the one request, runs it within its limits and sends what came of it; MemoryError ends the process."""
    channel = socket.socket(fileno=_CHANNEL_FD)
    try:
        with channel.makefile("rb") as stream:
            request: Request = pickle.load(stream)  # noqa: S301 - the parent wrote it
        _limit(request)
        # A child lives for one call: looking for cycles of garbage as often as a server must costs it a twentieth.
        gc.set_threshold(50_000, 20, 100)
        messages.send(channel, *_call(request, channel))
    except MemoryError:
        os._exit(EXIT_MEMORY)


def _limit(request: Request) -> None:
    seconds = math.ceil(request.timeout_s) + 1
    for kind, amount in (
        (resource.RLIMIT_AS, _address_space("VmSize:") + request.memory_bytes),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _LOG_BYTES),
    ):
        _bound(kind, amount)


def _bound(kind: int, amount: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(kind, (most, most))


def _call(request: Request, channel: socket.socket) -> tuple[bytes, object]:
    """What the function makes of its arguments, and which kind of answer that is."""
    extra = {"on_progress": partial(messages.send, channel, messages.PROGRESS)} if request.tells_progress else {}

    def call() -> object:
        function: Any = importlib.import_module(request.module)
        for name in request.name.split("."):
            function = getattr(function, name)
        return function(*request.args, **extra)

    return outcome_of(call)


def outcome_of(call: Callable[[], object]) -> tuple[bytes, object]:
    """What `call` returns or raises, and which kind of answer that is; raises MemoryError where memory ran out."""
    try:
        return messages.RESULT, call()
    except BaseException as error:  # noqa: BLE001 - a library's panic is no Exception, and the parent must hear of all
        if _is_memory(error):
            raise MemoryError from None
        if isinstance(error, DealwrightError):
            return messages.REFUSED, error
        return messages.FAULT, Fault(type(error).__name__, tuple(traceback.format_tb(error.__traceback__)[-12:]))


def _is_memory(error: BaseException | None) -> bool:
    """Whether memory ran out: said outright, or said first and then told as something else, or nearly all was used."""
    seen = 0
    while error is not None and seen < 50:
        if isinstance(error, MemoryError):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return most != resource.RLIM_INFINITY and _address_space("VmPeak:") > _NEARLY * most


def _address_space(measure: str) -> int:
    """The address space in bytes that this process has, or has had at most; 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(measure)), 0)
