"""Transactions on the ledger: a change to a job holds the job's row locked from its first statement to its last."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Table, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from schemas.errors import ConflictError, InputError
from schemas.job import TERMINAL, TRANSITIONS, JobState
from worker.ledger.engine import insert_if_absent, singly
from worker.ledger.tables import audit, job

Row = Mapping[str, Any]
Query = Select[*tuple[Any, ...]]


def locked(query: Query) -> Query:
    """The query, keeping what it finds from being changed by anybody else; SQLite locks the whole ledger instead."""
    return query.with_for_update()


@dataclass(slots=True)
class Change:
    """An open transaction about one job, whose row (`job`, as it was at the beginning) it holds locked."""

    connection: AsyncConnection
    job_id: str
    job: Row
    now: datetime

    async def one(self, query: Query) -> Row | None:
        """The only row of a query, or None."""
        row = (await self.connection.execute(query)).mappings().one_or_none()
        return dict(row) if row is not None else None

    async def all(self, query: Query) -> list[Row]:
        """The rows of a query."""
        return [dict(row) for row in (await self.connection.execute(query)).mappings()]

    async def insert_absent(self, table: Table, **values: Any) -> bool:
        """Whether the row was new; one with the same key stays as it is."""
        return bool((await self.connection.execute(insert_if_absent(self.connection, table, values))).rowcount)

    async def set(self, table: Table, *expects: Any, **values: Any) -> int:
        """How many rows met what was expected of them and were changed."""
        return (await self.connection.execute(update(table).where(*expects).values(**values))).rowcount

    async def move(self, to: JobState, *, expects: Collection[JobState], **values: Any) -> None:
        """Move the job to a state from one of those expected; raises ConflictError `job.moved` if it is in another."""
        assert all(to in TRANSITIONS[state] or to == state for state in expects), f"no way leads to {to}"
        ended = {"finished_at": self.now} if to in TERMINAL else {}
        values = {"state": to, "updated_at": self.now, **ended, **values}
        if not await self.set(job, job.c.id == self.job_id, job.c.state.in_(expects), **values):
            raise ConflictError("job.moved", f"Job {self.job_id[:12]} is not {' or '.join(sorted(expects))} any more.")
        self.job = {**self.job, **values}

    async def note(self, who: str, action: str, **facts: Any) -> None:
        """Add a line to the job's audit."""
        last = select(func.coalesce(func.max(audit.c.seq), 0) + 1).where(audit.c.job_id == self.job_id)
        line = {"job_id": self.job_id, "at": self.now, "who": who, "action": action, "facts": facts}
        await self.connection.execute(insert(audit).values(seq=last.scalar_subquery(), **line))


class Ledger:
    """The truth about jobs. `checkpoint` is told the name of each commit before and after it happens."""

    def __init__(
        self, engine: AsyncEngine, clock: Callable[[], datetime], checkpoint: Callable[[str], None] = lambda _: None
    ) -> None:
        self.engine = engine
        self.singly = singly(engine)
        self.clock = clock
        self.checkpoint = checkpoint

    async def rows(self, query: Query) -> list[Row]:
        """The rows of a query that changes nothing."""
        async with self.singly.connect() as connection:
            return [dict(row) for row in (await connection.execute(query)).mappings()]

    async def job(self, job_id: str) -> Row:
        """The job's row; raises InputError `job.unknown` if there is none."""
        found = await self.rows(select(job).where(job.c.id == job_id))
        if not found:
            raise _unknown(job_id)
        return found[0]

    @asynccontextmanager
    async def writing(self, name: str) -> AsyncGenerator[AsyncConnection]:
        """A transaction that commits at the end, and leaves no trace if anything is raised."""
        async with self.engine.begin() as connection:
            yield connection
            self.checkpoint(f"{name}: before commit")
        self.checkpoint(f"{name}: committed")

    @asynccontextmanager
    async def change(self, job_id: str, name: str) -> AsyncGenerator[Change]:
        """A transaction about one job, its row locked first; raises InputError `job.unknown` if there is none.

        Without the lock, two renders that finish together would each see the other's ticket open, and nobody would
        send the message that lets the job go on.
        """
        async with self.writing(name) as connection:
            found = (await connection.execute(locked(select(job).where(job.c.id == job_id)))).mappings().one_or_none()
            if found is None:
                raise _unknown(job_id)
            yield Change(connection, job_id, dict(found), self.clock())


def _unknown(job_id: str) -> InputError:
    return InputError("job.unknown", f"No job has the id {job_id[:40]}; `dealwright jobs` lists them.")
