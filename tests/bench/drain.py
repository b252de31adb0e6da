"""Drains many small jobs through real servers: `python -m tests.bench.drain --jobs N --workers 1,2,4 [--minutes M]`.

For each number of worker processes it uploads N workbooks of three deals, publishes their notifications at once, has
someone approve whatever waits, and prints how many jobs a second were delivered, what was doubled and what was lost,
the memory and processor time of the workers, and their ratio to the bare functions (extraction, deck, memorandum),
called one after another in the same run; what the workers' start costs is counted apart. Nothing is left out or
stubbed: the workers are `dealwright work` as it ships. A run that is not over after M minutes is cut, and says so.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import psutil

from tests.servers import folder, gcs
from tests.walks.stack.driver import Plan, Walk, opened
from tests.walks.stack.servers import Stack
from tests.walks.workbook import small_workbook
from worker.commands.bench_job import bare_functions
from worker.log import set_up_logs

SAMPLE_S = 2.0


def bare_s(runs: int = 5) -> float:
    """Processor seconds of a job's bare functions, by themselves and after one run that loads them."""
    data, took = small_workbook(), list[float]()
    for _ in range(runs + 1):
        began = time.process_time()
        bare_functions(data, "deals.xlsx")
        took.append(time.process_time() - began)
    return median(took[1:])


class Usage:
    """What workers use, children included: looked at often, for a child's time is its parent's only at its end."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.alone_bytes: list[int] = []
        self.whole_bytes: list[int] = []
        self.busy_s: dict[int, float] = {}
        self.start_s: dict[int, float] = {}

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            with suppress(psutil.Error):
                await asyncio.to_thread(self.look)
            await asyncio.sleep(SAMPLE_S)

    def look(self) -> None:
        """Look once at each worker."""
        for worker in self.walk.workers:
            process = psutil.Process(worker.pid)
            family = [process, *process.children(recursive=True)]
            self.alone_bytes.append(process.memory_info().rss)
            self.whole_bytes.append(sum(self._unique(each) for each in family))
            self.busy_s[worker.pid] = sum(self._busy(each) for each in family)
            if not self.walk.begun.is_set():
                self.start_s[worker.pid] = self.busy_s[worker.pid]

    def _unique(self, process: psutil.Process) -> int:
        """Memory that is the process's own: children are forks, and share most of theirs."""
        with suppress(psutil.Error):
            return process.memory_full_info().uss
        return 0

    def _busy(self, process: psutil.Process) -> float:
        with suppress(psutil.Error):
            times = process.cpu_times()
            return times.user + times.system + times.children_user + times.children_system
        return 0.0


async def drain(stack: Stack, jobs: int, workers: int, minutes: float) -> dict[str, Any]:
    """What one run came to."""
    limit_s = minutes * 60
    plan = Plan(
        seed=1, jobs=jobs, documents=True, workers=workers, copies=1, strange=False, change=0, once_more=False,
        patience_s=120, limit_s=limit_s, settle_s=8 * workers,
    )  # fmt: skip
    async with opened(plan, stack) as walk:
        usage = Usage(walk)
        watching = asyncio.create_task(usage.watch())
        try:
            await walk.run()
        finally:
            watching.cancel()
    named = Counter(fault.name for fault in walk.faults)
    delivered, started_s = walk.count["delivered"], sum(usage.start_s.values())
    return {
        "workers": workers,
        "jobs": jobs,
        "delivered": delivered,
        "cut": walk.cut,
        "seconds": round(walk.took_s, 1),
        "jobs_per_s": round(delivered / walk.took_s, 3),
        "losses": 0 if walk.cut else named["upload without a job"] + named["job not at its end"],
        "duplicates": sum(count for name, count in named.items() if name in DOUBLED),
        "other_faults": {name: count for name, count in named.items() if name not in (*DOUBLED, *LOST)},
        "start_cpu_s_per_worker": round(started_s / workers, 2),
        "worker_cpu_s_per_job": round((sum(usage.busy_s.values()) - started_s) / max(delivered, 1), 3),
        "worker_rss_mb": round(max(usage.alone_bytes) / 1e6),
        "worker_and_children_own_mb": round(max(usage.whole_bytes) / 1e6),
    }


LOST = ("upload without a job", "job not at its end")
DOUBLED = (
    *("two jobs for one upload", "two tickets for one document", "something noted twice", "turn counted twice"),
    *("delivered file written over", "artifact kept twice", "not one result of a delivery"),
)


def measure(jobs: int, workers: Sequence[int], minutes: float) -> dict[str, Any]:
    """All runs, each on new servers, and the bare functions before and after them."""
    made, bare = folder.make_folder(), [bare_s()]
    runs: list[dict[str, Any]] = []
    try:
        storage_url = gcs.open_url(made / "gcs")
        for number in workers:
            with TemporaryDirectory() as home:
                stack = Stack.start(made, Path(home), storage_url, hurried=False)
                hosts = {"PUBSUB_EMULATOR_HOST": stack.pubsub.host, "STORAGE_EMULATOR_HOST": storage_url}
                try:
                    with patch.dict(os.environ, hosts):
                        runs.append(asyncio.run(drain(stack, jobs, number, minutes)))
                finally:
                    stack.stop()
                print(json.dumps(runs[-1]), flush=True)
        bare.append(bare_s())
    finally:
        folder.clear_folder(made)
    each = min(bare)
    for run in runs:
        run["ratio_to_bare"] = round(run["worker_cpu_s_per_job"] / each, 2)
        run["share_of_bare_speed"] = round(run["jobs_per_s"] * each / min(run["workers"] * 2, os.cpu_count() or 1), 3)
    return {"cores": os.cpu_count(), "bare_cpu_s_per_job": round(each, 4), "runs": runs}


def main() -> None:
    """Print each run as it ends, and all of it at the end."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.drain")
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--minutes", type=float, default=60)
    given = parser.parse_args()
    set_up_logs()
    measured = measure(given.jobs, [int(number) for number in given.workers.split(",")], given.minutes)
    print(json.dumps(measured, indent=1))


if __name__ == "__main__":
    main()
