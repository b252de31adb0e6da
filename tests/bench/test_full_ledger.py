"""No question that workers, pages and people ask again and again makes PostgreSQL read a big table from end to end."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text

from schemas import ids
from schemas.event import Delivery, ObjectFinalized, Topic
from tests.bench import full_ledger
from tests.bench.plans import explain
from tests.conftest import run_sql
from tests.servers import postgres
from worker import jobs
from worker.app import App
from worker.bootstrap import open_app
from worker.decisions import Said, decide, expire_overdue
from worker.dispatch import handle
from worker.ledger.leases import take_lease
from worker.ledger.messages import unsent
from worker.ledger.webhooks import claim_due
from worker.outbox import publish_promised, sweep, sweep_all
from worker.settings import Settings
from worker.standing import read_standing

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
BIG = 20_000
"""Rows that make a table big."""
MOST_PAGES = 4_000
"""What one statement may touch: 32 MB of a ledger that has more than a gigabyte."""
LOCALE = "template template0 locale_provider libc locale 'C.UTF-8' encoding 'UTF8'"


@pytest.fixture(scope="module")
def database(postgres_server: postgres.Server, worker_id: str) -> Iterator[str]:
    """The address of an empty database whose texts are not in the order of their bytes, as in most of the field.

    Each process of a run has one of its own: they share a server, and one may take over half of these tests.
    """
    name = f"full_ledger_{worker_id}"
    run_sql(postgres_server, f"create database {name} {LOCALE}")
    yield postgres_server.url(name)
    run_sql(postgres_server, f"drop database {name} with (force)")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(database: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    """An App on the full ledger, whose messages go nowhere."""
    folder = tmp_path_factory.mktemp("full")
    settings = Settings(state_dir=folder, database_url=database, inbox=str(folder / "inbox"))
    async with open_app(settings) as opened:
        await opened.services()
        began = time.monotonic()
        await full_ledger.fill(opened.ledger.engine)
        print(f"{full_ledger.JOBS:,} jobs written in {time.monotonic() - began:.0f} s")
        yield replace(opened, publish=_nowhere)


async def _nowhere(topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
    """Takes a message and forgets it."""


async def _a_job(app: App, state: str) -> str:
    async with app.ledger.engine.connect() as connection:
        return await full_ledger.job_in(connection, state)


async def _relay(app: App) -> None:
    await unsent(app.ledger, until=app.clock())


async def _relay_of_a_job(app: App) -> None:
    await publish_promised(app, await _a_job(app, "received"))


async def _sweep_a_job(app: App) -> None:
    await sweep(app, await _a_job(app, "presenting"))


async def _claim(app: App) -> None:
    async with app.ledger.change(await _a_job(app, "received"), "lease") as change:
        await take_lease(change, change.job, app.terms, "extraction")


async def _list(app: App) -> None:
    await jobs.list_jobs(app)


async def _list_quarantined(app: App) -> None:
    await jobs.list_quarantined(app)


async def _show(app: App) -> None:
    await jobs.show_job(app, (await _a_job(app, "completed"))[:12])


async def _decide(app: App) -> None:
    await decide(app, await _a_job(app, "waiting"), Said("approved", "someone"))


async def _replay(app: App) -> None:
    await jobs.replay(app, await _a_job(app, "quarantined"), by="someone")


async def _upload(app: App) -> None:
    bucket, name = app.settings.inbox, "inbox/user1/new.xlsx"
    job_id = ids.job_id_of_object(bucket, name, 7)
    event = ObjectFinalized(job_id=job_id, bucket=bucket, name=name, generation=7, size_bytes=9)
    await handle(app, Delivery(subscription="uploads", message_id="m1", body=event.model_dump(mode="json")))


async def _standing(app: App) -> None:
    await read_standing(app.ledger, None)


async def _webhooks(app: App) -> None:
    await claim_due(app.ledger, 60, 20)


ASKED: list[Callable[[App], Awaitable[Any]]] = [
    *(_relay, _relay_of_a_job, _sweep_a_job, sweep_all, expire_overdue, _claim, _standing, _webhooks),
    *(_list, _list_quarantined, _show, _decide, _replay, _upload),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask.__name__.strip("_"))
async def test_nothing_reads_a_big_table_from_end_to_end(app: App, ask: Callable[[App], Awaitable[Any]]) -> None:
    """Each statement of the question is explained and carried out: no scan of a big table, few pages touched."""
    big = await _big_tables(app)
    assert {"job", "outbox", "ticket", "attempt", "delivery", "audit"} <= big
    plans = await explain(app.ledger.engine, lambda: ask(app))
    assert plans, "nothing was asked"
    for plan in {plan.nodes: plan for plan in plans}.values():
        print(f"{plan.pages:6,} pages  {', '.join(plan.nodes)}  <-  {plan.statement[:110]}")
    assert [(plan.scanned, plan.statement) for plan in plans if set(plan.scanned) & big] == []
    assert [(plan.pages, plan.statement) for plan in plans if plan.pages > MOST_PAGES] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_scan_is_noticed(app: App) -> None:
    """The same look at a question that no index serves finds the scan, so it would notice one that went missing."""

    async def ask() -> None:
        async with app.ledger.engine.connect() as connection:
            await connection.execute(text("select count(*) from job where filename like '%7.xlsx'"))

    (plan,) = await explain(app.ledger.engine, ask)
    assert "job" in plan.scanned


async def _big_tables(app: App) -> set[str]:
    query = "select relname from pg_stat_user_tables where schemaname = 'dealwright' and n_live_tup > :big"
    async with app.ledger.engine.connect() as connection:
        return set((await connection.execute(text(query), {"big": BIG})).scalars())
