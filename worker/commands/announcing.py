"""Telling whoever started `up` what happens to jobs: links to what waits for a decision, and how jobs end."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from sqlalchemy import select

from schemas.job import TERMINAL
from worker.adapters.clock import system_clock
from worker.app import Progress
from worker.commands.person import user_name
from worker.commands.terminal import flush_output, tell
from worker.ledger.ledger import Ledger, Row
from worker.ledger.tables import delivered, job, ticket
from worker.links import DECISIONS, Pass, gate_url, sign
from worker.settings import Settings

log = structlog.get_logger(__name__)
LOOK_S = 0.5
"""How often the ledger is looked at: whoever waits here waits for a person anyway."""


def say_now(text: str) -> None:
    """Write one line, at once: somebody, or some program, waits for it."""
    tell(text)
    flush_output()


def tell_left_alone(progress: Progress) -> None:
    """Tell of a file that becomes no job, and so has none of the other lines."""
    if progress.step == "left_alone":
        say_now(progress.what)


def pages_link(settings: Settings, address: str, good_for: timedelta) -> str:
    """The link by which this user sees all jobs, decides, and sends files."""
    until = system_clock() + good_for
    granted = Pass(actions=(*DECISIONS, "upload"), by=user_name(), expires_at=until)
    return f"{address.rstrip('/')}/enter?pass={sign(settings.link_secret, granted)}"


@dataclass(slots=True)
class Announcer:
    """Tells each thing once: gates that are open, and jobs that ended after `since`."""

    ledger: Ledger
    public_url: str
    secret: str
    since: datetime
    told: set[str] = field(default_factory=set[str])

    async def run(self, stop: asyncio.Event) -> None:
        """Look and tell until `stop` is set."""
        while not stop.is_set():
            try:
                await self.look()
            except Exception as error:  # noqa: BLE001 the database may be away for a moment, and come back
                log.warning("announcing_failed", error=type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), LOOK_S)
        await self.look()

    async def look(self) -> None:
        """Tell what is new."""
        open_gates = select(ticket, job.c.filename).join(job, job.c.id == ticket.c.job_id)
        open_gates = open_gates.where(ticket.c.kind == "approval", ticket.c.state == "open", job.c.state == "waiting")
        for row in await self.ledger.rows(open_gates.order_by(ticket.c.opened_at)):
            self._tell(row["id"], f"{row['filename']} waits for a decision: {self._link(row)}")
        ended = select(job, delivered.c.place).outerjoin(delivered, delivered.c.job_id == job.c.id)
        ended = ended.where(job.c.state.in_(TERMINAL), job.c.finished_at >= self.since)
        for row in await self.ledger.rows(ended.order_by(job.c.finished_at)):
            self._tell(f"{row['id']} {row['finished_at']}", f"{row['filename']} {_end(row)}")

    def _tell(self, key: str, text: str) -> None:
        if key not in self.told:
            self.told.add(key)
            say_now(text)

    def _link(self, gate: Row) -> str:
        return gate_url(self.public_url, self.secret, gate)


def _end(row: Row) -> str:
    if row["state"] == "completed":
        return f"is delivered: {row['place']}"
    why = f": {row['reason']['message']}" if row["reason"] else ""
    return f"is {'set aside' if row['state'] == 'quarantined' else row['state']}{why}"
