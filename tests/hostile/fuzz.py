"""Breeds hostile files and reads them, for so many seconds: `python -m tests.hostile.fuzz --seconds 60 [--seed N]`.

The readers run in child processes, some hundred files each. A file is a finding when it ends in anything but a reading
or an InputError: another error, a warning, a crash, more than its share of time, a reading that contradicts itself.
The seed is printed. With it, `--first N --count 1` reads file number N again; `--write FOLDER` keeps what was found.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.fuzz_reading import bred, read_all
from tools.isolation.child import run_child

BATCH = 200
MEMORY_BYTES = 1_500_000_000


@dataclass(frozen=True)
class Finding:
    """A file that did what none may: its number under the seed, and what happened."""

    number: int
    what: str


def hunt(seed: int, first: int, count: int) -> tuple[list[Finding], list[int]]:
    """The findings among `count` files from number `first` on, and the numbers of those that ran out of memory."""
    found, hungry = list[Finding](), list[int]()
    at, end = first, first + count
    while at < end:
        told: list[int] = []
        batch = min(BATCH, end - at)
        args = (seed, at, batch)
        outcome = run_child(read_all, *args, memory_bytes=MEMORY_BYTES, timeout_s=60 + batch, on_progress=told.append)
        if outcome.end == "returned":
            found += [Finding(number, what) for number, what in outcome.value]
            at += batch
            continue
        last = told[-1] if told else at
        if outcome.end == "memory":
            hungry.append(last)
        else:
            found.append(Finding(last, f"{outcome.end}: {outcome.value}"))
        # What the child found before it was lost is found again.
        if last > at:
            again, hungry_too = hunt(seed, at, last - at)
            found, hungry = found + again, hungry + hungry_too
        at = last + 1
    return found, hungry


def main(arguments: list[str]) -> int:
    """1 when there are findings, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.fuzz", description="Reads hostile files.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=None, help="read so many files instead of so many seconds")
    parser.add_argument("--write", type=Path, default=None, help="a folder for the files found")
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}", flush=True)
    started, at, found, hungry = time.monotonic(), asked.first, list[Finding](), list[int]()
    while asked.count is not None or time.monotonic() - started < asked.seconds:
        more, short = hunt(asked.seed, at, asked.count or BATCH)
        for finding in more:
            print(f"--- file {finding.number} ({bred(asked.seed, finding.number)[0]})\n{finding.what}", flush=True)
            if asked.write is not None:
                name, data = bred(asked.seed, finding.number)
                (asked.write / f"{asked.seed}-{finding.number}-{name}").write_bytes(data)
        found, hungry, at = found + more, hungry + short, at + (asked.count or BATCH)
        if asked.count is not None:
            break
    took = time.monotonic() - started
    print(f"{at - asked.first:,} files, {len(found)} findings, {took:.0f} s; out of memory: {hungry or 'none'}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
