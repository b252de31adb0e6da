"""The side of a walk that never dies: it starts processes, buries them, puts the clock forward and reads the report."""

from __future__ import annotations

import multiprocessing
import shutil
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from tests.walks import steps
from tests.walks.workbook import small_workbook
from tests.walks.world import APPROVED, KILLED, World
from worker.decisions import Said

#: A fork of a process that has everything loaded and runs no thread: as good as a new interpreter, in milliseconds.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.walks.warm"])
LIVES = 4
"""How many processes a walk may take: one that is killed, one that goes on, and some to spare that are never needed."""
LIFE_S = 120
AFTER_DEATH_S = 61
"""How far the clock goes on after a death: a lease has then run out."""

SAME = (
    *("state", "jobs", "tickets", "decided", "rounds", "reason", "documents"),
    *("delivered", "files", "told", "unsent", "leases"),
)
"""What every walk of the same plan must end with, whatever befell it on the way."""


@dataclass(frozen=True)
class Place:
    """Where walks happen: a folder, and a database (SQLite: a copy of the empty one for each walk)."""

    folder: Path
    url: str
    renders: Path

    def world(self, name: str, **given: Any) -> World:
        """A new world with the workbook in it."""
        folder = self.folder / name
        (folder / "state").mkdir(parents=True)
        (folder / "deals.xlsx").write_bytes(small_workbook())
        url = self.url
        if url == "sqlite":
            database = folder / "state" / "dealwright.db"
            shutil.copyfile(self._empty(), database)
            url = f"sqlite:///{database}"
        world = World(folder, url, self.renders, **given)
        world.shared()
        return world

    def _empty(self) -> Path:
        """A SQLite file with all tables: made once, as a walk that is not looked at."""
        path = self.folder / "empty.db"
        if not path.exists():
            folder = self.folder / "making"
            folder.mkdir()
            begin(World(folder, f"sqlite:///{path}", self.renders), steps.make_tables).join(LIFE_S)
        return path


def begin(world: World, step: Any = steps.live, *given: Any) -> ForkServerProcess:
    """A process that takes a step in the world."""
    process = FORKS.Process(target=steps.run, args=(step, world, *given))
    process.start()
    return process


def end_of(process: ForkServerProcess) -> int:
    """How the process ended; one that doesn't is killed and counts as hung."""
    process.join(LIFE_S)
    if process.is_alive():
        process.kill()
        process.join()
        raise AssertionError("a process of the walk hung")
    code = process.exitcode
    process.close()
    assert code is not None
    return code


def walk(world: World) -> dict[str, Any]:
    """The report of the walk's end: processes follow one another until one gets there."""
    for _ in range(LIVES):
        code = end_of(begin(world))
        if code == 0:
            return finished(world)
        assert code == KILLED, f"a process of the walk failed: {code}"
        world.shared().jump(AFTER_DEATH_S)
    raise AssertionError("the walk did not come to its end")


def finished(world: World) -> dict[str, Any]:
    """The last report, with the points passed and what models, renders and the person did."""
    return world.read("report")[-1] | {"points": world.read("points"), "tally": world.read("tally")}


def count(report: dict[str, Any], what: str) -> int:
    """How often something was done."""
    return sum(line["what"] == what for line in report["tally"])


def same(report: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """What ended differently: empty if nothing did. Hashes differ from job to job with the deals' ids, counts don't."""
    return {key: (report[key], base[key]) for key in SAME if shape(key, report[key]) != shape(key, base[key])}


def shape(key: str, value: Any) -> Any:
    """A value as two walks of the same plan share it."""
    if key == "delivered":
        return len(value)
    return sorted(value) if key == "files" else value


def killed(place: Place, base: World, *points: int) -> dict[str, Any]:
    """The end of the walk that is killed at these points."""
    name = "-".join(map(str, ("killed", *points)))
    return walk(place.world(name, plan=base.plan, copies=base.copies, kills=points))


_BASES: dict[str, tuple[World, dict[str, Any]]] = {}


def undisturbed(place: Place, plan: tuple[Said, ...] = APPROVED, copies: int = 1) -> tuple[World, dict[str, Any]]:
    """The world and the end of a walk that nothing befalls: what others are compared with, so walked once a process."""
    key = repr((place.url == "sqlite", plan, copies))
    if key not in _BASES:
        world = place.world("undisturbed", plan=plan, copies=copies)
        _BASES[key] = world, walk(world)
    return _BASES[key]
