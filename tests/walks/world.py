"""A walk's world: one database and folder, a person with a plan, a clock that jumps, and the point at which to die.

Processes share nothing but what lies in the folder and in the database, as workers do.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from worker.decisions import Correction, Said
from worker.settings import Settings

STUCK = 97
"""How a process ends that would wait for ever for a message that nobody sends."""
KILLED = 137
"""How a process ends that is killed by signal 9."""
_SHARED = struct.Struct("qd")


PERSON = "approver"
APPROVED = (Said("approved", PERSON),)
CHANGED = (
    Said(
        "changes_requested",
        PERSON,
        "The first price is wrong.",
        (Correction("Deals!3.asking_price=3500000", "broker's letter"),),
        "price",
    ),
    *APPROVED,
)
REJECTED = (Said("rejected", PERSON, "Not this quarter."),)


@dataclass(frozen=True)
class World:
    """One job's surroundings, as values that travel to each process.

    `renders` is where documents are remembered, `copies` how often each message and decision comes, `removed` names
    the safeguards taken out. A process dies at each point whose number is in `kills`, and at the first one
    called `die_at`; it waits at the point `hold_at`
    (`name:3` is the third of that name that it passes) for the file `go`. A person with no
    `plan` decides nothing.
    """

    folder: Path
    url: str
    renders: Path
    plan: tuple[Said, ...] = APPROVED
    copies: int = 1
    kills: tuple[int, ...] = ()
    die_at: str = ""
    hold_at: str = ""
    removed: tuple[str, ...] = ()
    script: str = ""

    @property
    def workbook(self) -> Path:
        """The file that is submitted."""
        return self.folder / "deals.xlsx"

    @property
    def settings(self) -> Settings:
        """Settings whose heartbeat never beats during a walk, for time is the test's own; few rounds, to end soon."""
        return Settings(
            state_dir=self.folder / "state", database_url=self.url, heartbeat_s=20, lease_s=60, max_change_rounds=2
        )

    def write(self, file: str, **line: Any) -> None:
        """Add a line to one of the walk's logs; whole lines only, whatever dies."""
        data = (json.dumps(line, default=str) + "\n").encode()
        handle = os.open(self.folder / file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, data)
        os.close(handle)

    def read(self, file: str) -> list[dict[str, Any]]:
        """The lines of a log."""
        path = self.folder / file
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def shared(self) -> Shared:
        """The counter and the clock."""
        return Shared(self.folder / "shared")


class Shared:
    """A counter of points passed and a clock's lead over real time (seconds), in memory that processes share."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_SHARED.pack(0, 0.0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SHARED.size)

    def next_point(self) -> int:
        """The number of the point that is passed now, from 1."""
        count, lead_s = _SHARED.unpack(self._memory)
        self._memory[:] = _SHARED.pack(count + 1, lead_s)
        return count + 1

    def jump(self, seconds: float) -> None:
        """Put the clock forward."""
        count, lead_s = _SHARED.unpack(self._memory)
        self._memory[:] = _SHARED.pack(count, lead_s + seconds)

    def clock(self) -> datetime:
        """The moment, by this clock."""
        return datetime.now(UTC) + timedelta(seconds=_SHARED.unpack(self._memory)[1])
