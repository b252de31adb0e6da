"""A circuit breaker: while a service that every job needs is down, nothing is begun and failures do not count.

Closed, work flows. Once several jobs in a row failed because of the same service, it opens: whoever brings work stops
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
JOBS_TO_OPEN = 3
"""How many different jobs must fail in a row: one may ask what the service will not answer, three are no accident."""
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 600.0


@dataclass(slots=True)
class _Circuit:
    failed: list[str] = field(default_factory=list[str])
    opened_at: datetime | None = None
    wait_s: float = FIRST_WAIT_S

    def state(self, now: datetime) -> State:
        if self.opened_at is None:
            return "closed"
        return "open" if now < self.opened_at + timedelta(seconds=self.wait_s) else "probing"


class Breaker:
    """One circuit a service, named by the first part of an error's code (`model`, `store`)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._circuits: dict[str, _Circuit] = {}
        self.changed = asyncio.Event()
        """Set whenever a circuit opens or closes; whoever waits for it clears it."""

    def failed(self, job_id: str, code: str) -> bool:
        """Whether the failure is the service's, not the job's, and so is not to be counted against the job.

        The first job to fail is given no such credit: nothing says yet that it isn't its own doing.
        """
        if code not in DEPENDENCY_DOWN:
            return False
        service = code.partition(".")[0]
        circuit = self._circuits.setdefault(service, _Circuit())
        if job_id not in circuit.failed:
            circuit.failed.append(job_id)
        state = circuit.state(self._clock())
        if state == "probing" or (state == "closed" and len(circuit.failed) >= JOBS_TO_OPEN):
            if state == "probing":
                circuit.wait_s = min(2 * circuit.wait_s, LONGEST_WAIT_S)
            circuit.opened_at = self._clock()
            log.warning("breaker_opened", service=service, code=code, wait_s=circuit.wait_s)
            self.changed.set()
        return len(circuit.failed) > 1

    def answered(self, service: str) -> None:
        """The service answered: whatever failed before, it is up."""
        circuit = self._circuits.pop(service, None)
        if circuit is not None and circuit.opened_at is not None:
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
        """The state of each service that failed and has not answered since."""
        now = self._clock()
        return {service: circuit.state(now) for service, circuit in self._circuits.items()}
