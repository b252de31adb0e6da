"""A circuit breaker: while a service that every job needs is down, nothing is begun and failures do not count.

Closed, work flows. Once a service failed several times in a row, it opens: whoever brings work stops
bringing it. After a while a probe is let through; if it fails the wait doubles, if it succeeds the breaker closes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

import structlog

from schemas.errors import DEPENDENCY_DOWN
from worker.adapters.clock import Clock

log = structlog.get_logger(__name__)
State = Literal["closed", "open", "probing"]
FAILURES_TO_OPEN = 3
"""How many failures in a row, with no answer between them, open it."""
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 600.0
MOST_SUSPECTS = 1000


@dataclass(slots=True)
class _Circuit:
    in_a_row: int = 0
    failed: set[str] = field(default_factory=set[str])
    suspects: dict[str, None] = field(default_factory=dict[str, None])
    opened_at: datetime | None = None
    wait_s: float = FIRST_WAIT_S

    def state(self, now: datetime) -> State:
        if self.opened_at is None:
            return "closed"
        return "open" if now < self.opened_at + timedelta(seconds=self.wait_s) else "probing"

    def suspect(self) -> None:
        """Whoever failed while the service then answered others may fail by its own doing: the newest so many."""
        self.suspects |= dict.fromkeys(self.failed)
        for job_id in list(self.suspects)[:-MOST_SUSPECTS]:
            del self.suspects[job_id]


class Breaker:
    """One circuit a service, named by the first part of an error's code (`model`, `store`)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._circuits: dict[str, _Circuit] = {}
        self.changed = asyncio.Event()
        """Set whenever a circuit opens or closes; whoever waits for it clears it."""

    def failed(self, job_id: str, code: str) -> bool:
        """Whether the failure is the service's, and so is not to be counted against the job.

        It is the job's own once the service has answered others between two failures of the job.
        """
        if code not in DEPENDENCY_DOWN:
            return False
        service = code.partition(".")[0]
        circuit = self._circuits.setdefault(service, _Circuit())
        circuit.in_a_row += 1
        circuit.failed.add(job_id)
        state = circuit.state(self._clock())
        if state == "probing" or (state == "closed" and circuit.in_a_row >= FAILURES_TO_OPEN):
            if state == "probing":
                circuit.wait_s = min(2 * circuit.wait_s, LONGEST_WAIT_S)
            circuit.opened_at = self._clock()
            log.warning("breaker_opened", service=service, code=code, wait_s=circuit.wait_s)
            self.changed.set()
        return job_id not in circuit.suspects

    def answered(self, job_id: str, service: str) -> None:
        """The service answered the job: it is up, whatever failed before."""
        circuit = self._circuits.get(service)
        if circuit is None:
            return
        circuit.suspect()
        circuit.suspects.pop(job_id, None)
        opened = circuit.opened_at is not None
        circuit.in_a_row, circuit.failed, circuit.opened_at, circuit.wait_s = 0, set(), None, FIRST_WAIT_S
        if opened:
            log.warning("breaker_closed", service=service)
            self.changed.set()

    def closed_for_s(self) -> float:
        """For how many seconds from now nothing may be begun; 0 if work, or a probe, may be."""
        now, longest = self._clock(), 0.0
        for circuit in self._circuits.values():
            if circuit.opened_at is not None and circuit.state(now) == "open":
                until = circuit.opened_at + timedelta(seconds=circuit.wait_s)
                longest = max(longest, (until - now).total_seconds())
        return longest

    def states(self) -> dict[str, State]:
        """The state of each service that has ever failed."""
        now = self._clock()
        return {service: circuit.state(now) for service, circuit in self._circuits.items()}
