"""Workers that start where another was killed: what it had in hand goes on, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from schemas.outcome import Halted
from worker import jobs
from worker.app import App
from worker.bootstrap import open_app
from worker.commands.serve import serve
from worker.commands.work import ROLES, serve_roles
from worker.http.server import listen
from worker.ledger.leases import take_lease
from worker.ledger.messages import mark_sent, unsent
from worker.settings import Settings

Start = Callable[[Settings, asyncio.Event], Awaitable[Halted | None]]
PATIENCE_S, LOOK_S = 60, 0.05


async def as_work(settings: Settings, stop: asyncio.Event) -> Halted | None:
    """As `dealwright work`."""
    return await serve_roles(settings, list(ROLES), stop)


async def as_serve(settings: Settings, stop: asyncio.Event) -> Halted | None:
    """As `dealwright serve` and `up`."""
    return await serve(settings, listen("127.0.0.1", 0), stop)


async def until_it_waits(app: App, job_id: str) -> None:
    """Return once the job waits for a decision."""
    async with asyncio.timeout(PATIENCE_S):
        while (await app.ledger.job(job_id))["state"] != "waiting":  # noqa: ASYNC110 the ledger signals nobody
            await asyncio.sleep(LOOK_S)


@pytest.mark.parametrize("start", [as_work, as_serve])
async def test_a_job_that_a_killed_worker_had_goes_on_with_the_next(
    settings: Settings, workbook: Path, start: Start
) -> None:
    """Its lease is young and so is its message, which died in the other's memory."""
    async with open_app(settings) as app:
        job_id = (await jobs.submit_file(app, workbook, by="analyst")).job_id
        await mark_sent(app.ledger, [row["id"] for row in await unsent(app.ledger)])
        async with app.ledger.change(job_id, "take") as change:
            assert await take_lease(change, change.job, app.terms, "extraction")
        stop = asyncio.Event()
        worker = asyncio.ensure_future(start(settings, stop))
        try:
            await until_it_waits(app, job_id)
        finally:
            stop.set()
            assert await worker is None
