"""Peak memory of reading a file, ours and bare, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import tempfile
from pathlib import Path
from typing import Any


def peaks(name: str, data: bytes) -> dict[str, int]:
    """Peak resident bytes of a process that only extracts, and of one that only reads with calamine."""
    with tempfile.NamedTemporaryFile(suffix=Path(name).suffix) as kept:
        kept.write(data)
        kept.flush()
        return {f"{side}_peak_bytes": _peak(side, kept.name, name) for side in ("ours", "bare")}


def _peak(side: str, path: str, name: str) -> int:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_read, args=(side, path, name, there))
    child.start()
    there.close()
    try:
        return int(here.recv())
    finally:
        child.join()


def _read(side: str, path: str, name: str, answer: Any) -> None:
    data = Path(path).read_bytes()
    if side == "ours":
        from tools.deals.extract import extract

        kept: object = extract(data, name)
    else:
        from worker.commands.bench import bare_read

        kept = bare_read(data)
    answer.send(peak_bytes())
    del kept


def peak_bytes() -> int:
    """The most memory that this process has had resident.

    Linux's own count is of this program alone; getrusage's would begin with the parent's, from before the start.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource
    import sys

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
