"""A database of the first release, with jobs at every step of their lives, is brought up to date while workers live."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, insert, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from schemas.event import Delivery
from tests.walks.workbook import small_workbook
from worker import jobs
from worker.adapters.clock import system_clock
from worker.app import App
from worker.bootstrap import LEDGER_SCHEMA, open_app
from worker.decisions import Said
from worker.dispatch import dispatch
from worker.ledger.engine import make_engine
from worker.ledger.leases import take_lease
from worker.ledger.messages import mark_sent, unsent
from worker.ledger.migrate import FOLDER, migrate, pending, read_migrations
from worker.ledger.tables import job, metadata
from worker.settings import Settings

FIRST = read_migrations()[0]
#: How many messages of a job are handled before it is left, and the state that it is left in.
STEPS = {0: "received", 3: "presenting", 5: "waiting"}
APPROVED = Said("approved", "reviewer")


@pytest.fixture
def settings(url: str, tmp_path: Path) -> Settings:
    """Settings over the database."""
    return Settings(state_dir=tmp_path / "state", database_url=url)


async def nowhere(*_: object) -> None:
    """Take a message."""


async def step(app: App, job_id: str, times: int) -> None:
    """Handle the job's next message so often, as any worker would."""
    for _ in range(times):
        row = (await unsent(app.ledger, job_id, limit=1))[0]
        await mark_sent(app.ledger, [row["id"]])
        if row["topic"] == "results":
            await step(app, job_id, 1)
            continue
        body = Delivery(subscription=row["topic"], message_id=row["id"], body=row["body"])
        assert await dispatch(app, body) == "ack"


async def make_jobs(app: App, folder: Path) -> dict[str, str]:
    """The ids of jobs at every step, by what they are at."""
    made: dict[str, str] = {}

    async def submit(name: str, data: bytes | None = None) -> str:
        place = folder / f"{name}.xlsx"
        place.write_bytes(small_workbook() if data is None else data)
        made[name] = (await jobs.submit_file(app, place, by="analyst")).job_id
        return made[name]

    for times, state in STEPS.items():
        job_id = await submit(f"after {times}")
        await step(app, job_id, times)
        assert (await app.ledger.job(job_id))["state"] == state
    await jobs.decide(app, await submit_waiting(app, submit, "decided"), APPROVED)
    await jobs.decide(app, await submit_waiting(app, submit, "delivering"), APPROVED)
    await step(app, made["delivering"], 1)
    assert (await app.ledger.job(made["delivering"]))["state"] == "delivering"
    await step(app, await submit("set aside", b"PK\x03\x04 cut short"), 1)
    await jobs.cancel(app, await submit("called off"), "analyst")
    await leased(app, await submit("at work"))
    return made


async def submit_waiting(app: App, submit: Any, name: str) -> str:
    """The id of a job that waits for its decision."""
    job_id = await submit(name)
    await step(app, job_id, 5)
    return job_id


async def leased(app: App, job_id: str) -> None:
    """Leave the job as a worker that was killed over it does: a lease that runs out, and an attempt without an end."""
    async with app.ledger.change(job_id, "test") as change:
        assert await take_lease(change, change.job, app.terms, "extraction")
        await mark_lease_over(change.connection, job_id)
    await mark_sent(app.ledger, [row["id"] for row in await unsent(app.ledger, job_id)])


async def mark_lease_over(connection: AsyncConnection, job_id: str) -> None:
    """Its holder was last heard of an hour ago."""
    past = system_clock() - timedelta(hours=1)
    await connection.execute(job.update().where(job.c.id == job_id).values(lease_expires_at=past))


def first_columns(connection: Any, table: str) -> list[str]:
    """The columns that a table of the first release has."""
    return [column["name"] for column in inspect(connection).get_columns(table)]


async def turn_back(engine: AsyncEngine) -> None:
    """Make the ledger what the first release's was, with the same jobs; what that release had no place for is gone."""
    async with engine.begin() as connection:
        kept = {table: await rows_of(connection, table) for table in metadata.sorted_tables}
        for table in reversed(metadata.sorted_tables):
            await connection.execute(text(f"drop table {table.name}"))
        await connection.execute(text("drop table migration"))
    await migrate(engine, LEDGER_SCHEMA, system_clock, folder=OnlyFirst())
    async with engine.begin() as connection:
        names = await connection.run_sync(lambda sync: set(inspect(sync).get_table_names()))
        for table, rows in kept.items():
            if table.name not in names or not rows:
                continue
            columns = await connection.run_sync(first_columns, table.name)
            await connection.execute(insert(table), [{name: row[name] for name in columns} for row in rows])


async def rows_of(connection: AsyncConnection, table: Table) -> list[dict[str, Any]]:
    """All rows of a table."""
    return [dict(row) for row in (await connection.execute(table.select())).mappings()]


class OnlyFirst:
    """The first release's migrations."""

    def iterdir(self) -> Any:
        """Its one file."""
        return (file for file in FOLDER.iterdir() if file.name == FIRST.name)


async def as_the_first_release_did(engine: AsyncEngine, job_id: str) -> None:
    """Statements with the columns that the first release knew, as its workers go on making them."""
    now = system_clock().isoformat()
    at = f"'{now}'" if engine.dialect.name == "postgresql" else f"'{now.replace('T', ' ').partition('+')[0]}'"
    true = "true" if engine.dialect.name == "postgresql" else "1"
    names = "id, user_id, state, stage, source, name, filename, size_bytes, upload, submitted_by, rounds"
    names += ", created_at, updated_at, fence, has_work, failures, lost_leases"
    values = (
        f"'{job_id}', 'u', 'received', 'extraction', 'local', '/x', 'x', 1, '{{}}', 'u', 0, {at}, {at}, 0, {true}, 0, 0"
    )
    async with engine.begin() as connection:
        await connection.exec_driver_sql(f"insert into job ({names}) values ({values})")
        told = f"'old:{job_id}', '{job_id}', 'work', '{{}}', {at}"
        await connection.exec_driver_sql(f"insert into outbox (id, job_id, topic, body, created_at) values ({told})")
        await connection.exec_driver_sql(f"update job set failures = failures + 1 where id = '{job_id}'")
        await connection.exec_driver_sql(f"update outbox set sent_at = {at} where id = 'old:{job_id}'")
        finished = f"update job set state = 'cancelled', finished_at = {at} where id = '{job_id}'"
        await connection.exec_driver_sql(finished)


@asynccontextmanager
async def over(settings: Settings) -> AsyncGenerator[App]:
    """An App whose messages are handled by hand."""
    async with open_app(settings) as app:
        yield replace(app, publish=nowhere)


async def test_jobs_at_every_step_of_an_old_database_come_to_their_ends(settings: Settings, tmp_path: Path) -> None:
    """Old workers' statements go on before, between and after; nothing is lost, and nothing is made twice."""
    async with over(settings) as app:
        made = await make_jobs(app, tmp_path)
    engine = make_engine(settings.database_url, LEDGER_SCHEMA)
    await turn_back(engine)
    await as_the_first_release_did(engine, "old1")
    missing = await pending(engine)
    assert missing is not None
    assert [each.number for each in missing] == [each.number for each in read_migrations()[1:]]
    await migrate(engine, LEDGER_SCHEMA, system_clock, through="pre")
    await as_the_first_release_did(engine, "old2")
    await migrate(engine, LEDGER_SCHEMA, system_clock)
    assert await pending(engine) == []
    await engine.dispose()
    async with open_app(settings) as app:
        for name in [name for name in made if name.startswith("after") or name == "at work"]:
            assert await jobs.run_until_quiet(app, made[name]) == "waiting", name
            await jobs.decide(app, made[name], APPROVED)
        ends = {name: await jobs.run_until_quiet(app, job_id) for name, job_id in made.items()}
        rest = {"set aside": "quarantined", "called off": "cancelled"}
        assert ends == dict.fromkeys(made, "completed") | rest
        details = {name: await jobs.show_job(app, job_id) for name, job_id in made.items() if name not in rest}
    assert {name: sum(each.kind != "approval" for each in detail.tickets) for name, detail in details.items()} == (
        dict.fromkeys(details, 2)
    )
    assert all(stage.failures == 0 for detail in details.values() for stage in detail.stages)


def test_what_runs_beside_old_workers_only_adds() -> None:
    """Each `pre` step makes tables, indices and columns that may be empty, and changes nothing that is there."""
    for step_ in read_migrations()[1:]:
        if step_.phase == "pre":
            for statement in step_.statements:
                words = statement.lower().split()
                adds = words[:2] in (["create", "table"], ["create", "index"])
                column = words[:2] == ["alter", "table"] and words[3:5] == ["add", "column"] and "not" not in words
                assert adds or column, statement
