"""A sweep by itself: what got lost comes again, what is overdue is done, what is stuck is told."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import update

from tests.worker.conftest import Ahead
from worker import jobs
from worker.app import App
from worker.ledger.messages import mark_sent, unsent
from worker.ledger.tables import job, ticket
from worker.outbox import REISSUE_S
from worker.sweeping import STUCK_S, Swept, sweep_once


async def test_a_lost_message_is_issued_anew_once(app: App, workbook: Path, clock: Ahead) -> None:
    """Not while it may still arrive, and not again while the new one waits to be sent."""
    await jobs.submit_file(app, workbook, by="analyst")
    await mark_sent(app.ledger, [row["id"] for row in await unsent(app.ledger)])
    early = await sweep_once(app, publish=False)
    assert (early.reissued, early.on_their_way) == (0, {"received": 1})
    clock.jump(REISSUE_S + 1)
    on_its_way = {"received": 1}
    swept = await sweep_once(app, publish=False)
    assert swept == Swept(reissued=1, published=0, expired=0, posted=0, on_their_way=on_its_way)
    assert (await sweep_once(app, publish=False)).reissued == 0
    assert len(await unsent(app.ledger)) == 1


async def test_a_gate_that_ran_out_is_closed_and_its_job_goes_on(app: App, waiting: str, clock: Ahead) -> None:
    """The job's own clock may stand still for days; the sweep's doesn't."""
    clock.jump(app.settings.approval_ttl_s + 1)
    assert (await sweep_once(app, publish=False)).expired == 1
    assert await jobs.run_until_quiet(app, waiting) == "rejected"


async def test_jobs_that_nobody_works_on_and_that_wait_for_nothing_are_told_of(
    app: App, waiting: str, workbook: Path, clock: Ahead
) -> None:
    """One that waits for a person is as it should be; one whose gate is gone, or that stands still, is not."""
    assert (await sweep_once(app, publish=False)).stuck == {}
    async with app.ledger.engine.begin() as connection:
        await connection.execute(update(ticket).where(ticket.c.kind == "approval").values(state="void"))
    assert (await sweep_once(app, publish=False)).stuck == {"waiting": 1}
    async with app.ledger.engine.begin() as connection:
        await connection.execute(update(job).values(state="presenting"))
    assert (await sweep_once(app, publish=False)).stuck == {}
    clock.jump(STUCK_S + 1)
    assert (await sweep_once(app, publish=False)).stuck == {"presenting": 1}
