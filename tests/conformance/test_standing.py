"""How jobs stand, asked of both databases, and from which indexes they answer."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from schemas.event import StageRequested
from tests.conformance.conftest import StillClock
from worker.ledger.ledger import Ledger, Query
from worker.ledger.messages import promise
from worker.ledger.tables import job as jobs
from worker.policy import Fault
from worker.quarantine import quarantine
from worker.standing import by_code, by_state, owed, read_standing, unsent


async def test_states_ages_and_codes_are_the_same_on_both_databases(
    ledger: Ledger, job: str, clock: StillClock
) -> None:
    """First a job and the message for its first stage, both an hour old; then the same job set aside."""
    clock.go_on(3600)
    told = await read_standing(ledger, None)
    assert told["jobs"] == {("received",): 1}
    assert told["oldest_job_age_seconds"] == {("received",): 3600}
    assert (told["messages_unsent"], told["oldest_unsent_message_age_seconds"]) == ({(): 1}, {(): 3600})
    assert (told["webhook_owed"], told["oldest_webhook_owed_age_seconds"]) == ({(): 0}, {(): 0})
    async with ledger.change(job, "test") as change:
        await quarantine(change, Fault("file.encrypted", "The file is encrypted.", "aside"))
    told = await read_standing(ledger, None)
    assert (told["jobs"], told["jobs_in_quarantine"]) == ({}, {("file.encrypted",): 1})


@pytest.mark.parametrize(
    ("query", "index"),
    [(by_state(), "job_by_state"), (by_code(), "job_set_aside"), (unsent(), "outbox_unsent"), (owed(), "webhook_due")],
)
async def test_no_question_looks_through_what_is_over(ledger: Ledger, query: Query, index: str) -> None:
    """Each is answered from an index of what is unfinished, unsent, owed or set aside."""
    sqlite = ledger.engine.dialect.name == "sqlite"
    explain = "explain query plan" if sqlite else "explain"
    async with ledger.engine.connect() as connection:
        if not sqlite:
            # An empty table is read whole, whatever indexes it has.
            await connection.execute(text("set local enable_seqscan = off"))
        plain = query.compile(ledger.engine.sync_engine, compile_kwargs={"literal_binds": True})
        plan = (await connection.exec_driver_sql(f"{explain} {plain}")).all()
    assert index in str(plan)


async def test_a_promise_keeps_the_jobs_trace_where_nobody_traces(ledger: Ledger, job: str) -> None:
    """So that the job stays one trace through processes that make no spans."""
    context = "00-11111111111111111111111111111111-2222222222222222-01"
    async with ledger.change(job, "test") as change:
        await change.set(jobs, jobs.c.id == job, trace=context)
    async with ledger.change(job, "test") as change:
        await promise(change, StageRequested(job_id=job, stage="presentation"))
    from worker.ledger.messages import unsent as rows

    assert [row["trace"] for row in await rows(ledger)] == [None, context]
