"""A table of what each bomb costs its reader and how it ends: `python -m tests.hostile.measure [word or file …]`.

Words choose among the bombs by their names; files, and the files of folders, are read instead. Each is read in a child
of its own that starts afresh, as an upload is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.hostile.test_bombs import BOMBS
from tools.isolation import extraction
from tools.isolation.child import Outcome, error_of, run_child
from tools.workbook.limits import DEFAULT_LIMITS

_LINE = "{:<46.46} {:>11} {:>6} {:>6} {:>6}  {}"


def read(data: bytes, filename: str) -> Outcome:
    """What came of reading `data` for its deals within the default limits."""
    memory_bytes, timeout_s = DEFAULT_LIMITS.memory_bytes, DEFAULT_LIMITS.timeout_s
    args = (data, filename, None, None, DEFAULT_LIMITS)
    return run_child(extraction.read_deals, *args, memory_bytes=memory_bytes, timeout_s=timeout_s)


def told(outcome: Outcome, filename: str) -> str:
    """How a reading ended: the number of deals, or the sentence that refuses the file with its code."""
    if outcome.end == "returned":
        return f"read: {outcome.value.deal_count} deals"
    error = error_of(outcome, filename, DEFAULT_LIMITS.memory_bytes, DEFAULT_LIMITS.timeout_s)
    return f"{error.code}: {error.message}"


def _inputs(words: list[str]) -> Iterator[tuple[str, str, bytes]]:
    """(label, file name, bytes) of each file asked for, made or read when its turn comes."""
    paths = [path for path in map(Path, words) if path.exists()]
    for path in paths:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            yield file.name, file.name, file.read_bytes()
    if paths:
        return
    for bomb in BOMBS:
        if not words or any(word in bomb.name for word in words):
            yield bomb.name, bomb.filename, bomb.make()


def table(inputs: Iterable[tuple[str, str, bytes]]) -> Iterator[str]:
    """The lines of the table, each as soon as its file has been read."""
    yield _LINE.format("file", "bytes", "CPU s", "wall s", "MB", "end")
    for label, filename, data in inputs:
        outcome = read(data, filename)
        costs = (outcome.processor_s, outcome.wall_s)
        shown = [*(f"{cost:.2f}" for cost in costs), f"{outcome.peak_rss_bytes / 1e6:.0f}"]
        yield _LINE.format(label, f"{len(data):,}", *shown, told(outcome, filename))


if __name__ == "__main__":
    for line in table(_inputs(sys.argv[1:])):
        print(line, flush=True)
