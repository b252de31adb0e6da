"""What a walk's ledger holds, read from outside by whoever watches."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import Table, select, text

from tests.walks.world import World
from worker.bootstrap import LEDGER_SCHEMA
from worker.ledger.engine import make_engine
from worker.ledger.tables import attempt, audit, decision, delivered, handoff, job, outbox, stage, ticket

TRUTH = (job, stage, attempt, ticket, handoff, decision, delivered, audit)


def read(world: World, *tables: Table) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of tables, each table's in an order of their own."""
    return asyncio.run(_read(world, tables))


async def _read(world: World, tables: tuple[Table, ...]) -> dict[str, list[tuple[Any, ...]]]:
    engine = make_engine(world.url, LEDGER_SCHEMA, pooled=False)
    async with engine.connect() as connection:
        found = {table.name: [tuple(row) for row in await connection.execute(select(table))] for table in tables}
    await engine.dispose()
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


def truth(world: World) -> dict[str, list[tuple[Any, ...]]]:
    """All that the ledger says of jobs; messages and their deliveries left out, and what models cost, whoever asked."""
    found = read(world, *TRUTH)
    costs = [list(stage.c).index(column) for column in (stage.c.model_calls, stage.c.tokens, stage.c.stamps)]
    told = [tuple(value for at, value in enumerate(row) if at not in costs) for row in found["stage"]]
    return {**found, "stage": told}


def promised(world: World) -> list[str]:
    """The keys of all messages that were ever promised."""
    return [row[0] for row in read(world, outbox)["outbox"]]


def job_id(world: World) -> str:
    """The world's one job."""
    (row,) = [row for row in read(world, job)["job"] if str(world.workbook) in row]
    return row[0]


def waiting_for_locks(world: World) -> int:
    """How many PostgreSQL sessions wait for another one's lock."""

    async def count() -> int:
        engine = make_engine(world.url, LEDGER_SCHEMA, pooled=False)
        query = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        async with engine.connect() as connection:
            found = (await connection.execute(text(query))).scalar_one()
        await engine.dispose()
        return found

    return asyncio.run(count())
