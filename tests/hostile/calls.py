"""Functions that misbehave in each way that a child may, to be run in one."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np

from schemas.errors import InputError
from schemas.workbook import Region

Tell = Callable[[object], None]


def region(sheet: str) -> Region:
    """One of our own values, as readings return them."""
    return Region(sheet, "A1:B2", "table", (1,))


def tell_steps(count: int, on_progress: Tell) -> int:
    """Tells 1 to `count`, and returns `count`."""
    for step in range(1, count + 1):
        on_progress(step)
    return count


def refuse() -> NoReturn:
    """Refuses its input as readers do."""
    raise InputError("file.truncated", "deals.xlsx is cut short; send it again.", cells=("Comps!A1",))


def hoard(amount_bytes: int) -> int:
    """Takes memory as Python objects do."""
    return len([bytes(1_000_000) for _ in range(amount_bytes // 1_000_000)])


def hoard_numbers(amount_bytes: int) -> int:
    """Takes memory at once, outside Python's own."""
    return int(np.ones(amount_bytes // 8).sum())


def hoard_and_blame(amount_bytes: int) -> NoReturn:
    """Runs out of memory and says that the file is at fault, as a wrapper around a parser does."""
    try:
        hoard(amount_bytes)
    except MemoryError as error:
        raise InputError("file.truncated", "deals.xlsx is cut short; send it again.") from error
    raise AssertionError("there was memory enough")


def abort_as_out_of_memory() -> NoReturn:
    """Ends as a Rust library does when memory is short."""
    os.write(2, b"memory allocation of 8388608 bytes failed\n")
    os.abort()


def spin(on_progress: Tell) -> NoReturn:
    """Tells its process number, then works for ever."""
    on_progress(os.getpid())
    while True:
        pass


def sleep_deaf(on_progress: Tell) -> NoReturn:
    """Tells its process number, then hears no signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    on_progress(os.getpid())
    while True:
        time.sleep(3600)


def start_another(on_progress: Tell) -> NoReturn:
    """Starts a process of its own, tells both numbers, then sleeps as that one does."""
    other = os.fork()
    if other:
        on_progress((os.getpid(), other))
    while True:
        time.sleep(3600)


def overrun_stack() -> None:
    """Reads where nothing is, as a parser with a fault does."""
    ctypes.string_at(0)


def abort() -> NoReturn:
    """Ends by its own hand."""
    os.abort()


def leave(status: int) -> NoReturn:
    """Ends without a word."""
    os._exit(status)


def fall_to_the_kernel() -> None:
    """Ends as the kernel ends what takes too much of the machine."""
    os.kill(os.getpid(), signal.SIGKILL)


def quote_a_cell(text: str) -> NoReturn:
    """Fails with the contents of a cell in the error's text."""
    raise TypeError(f"no number: {text}")


def write_noise(text: str) -> None:
    """Writes wherever a process writes."""
    os.write(1, text.encode())
    os.write(2, text.encode())
    print(text)
    sys.stderr.write(text)


def surroundings() -> dict[str, object]:
    """What a child has got from those who started it."""
    return {
        "environment": dict(os.environ),
        "threads": threading.active_count(),
        "tasks": len(list(Path("/proc/self/task").iterdir())),
        "files": sorted(int(entry.name) for entry in Path("/proc/self/fd").iterdir()),
        "modules": sorted(name for name in sys.modules if "." not in name),
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "group": os.getpgid(0) == os.getpid(),
    }


def write_file(path: str, size: int) -> int:
    """Writes a large file, as a reader never needs to."""
    return Path(path).write_bytes(bytes(size))


def hand_over_a_lock() -> object:
    """Returns what no other process can hold."""
    return threading.Lock()


class Trap:
    """A value that calls a function where it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        """Calls `Path.touch` of a file that gives it away."""
        return Path.touch, (Path("/tmp/dealwright-trap"),)


def set_trap() -> Trap:
    """Hands over a value that would run code in its reader."""
    return Trap()


def warm_up() -> None:
    """Nothing to make ready."""
