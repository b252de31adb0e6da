"""Jobs, tickets, messages and audit on both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import insert, select

from schemas.errors import ConflictError, InputError
from schemas.event import Delivery, PauseResolved, RenderRequested, StageRequested
from tests.conformance.conftest import StillClock, upload
from worker.ledger import tickets
from worker.ledger.deliveries import note_delivery
from worker.ledger.jobs import find_job, list_summaries, open_job
from worker.ledger.ledger import Change, Ledger
from worker.ledger.messages import mark_sent, mark_unsent, promise, unsent
from worker.ledger.tables import audit, delivery, ticket
from worker.ledger.tables import job as jobs


async def test_a_job_is_opened_once_with_the_message_for_its_first_stage(ledger: Ledger) -> None:
    """Eight deliveries of one upload at the same moment open one job and promise one message."""
    opened = await asyncio.gather(*(open_job(ledger, upload()) for _ in range(8)))
    assert sorted(opened) == [False] * 7 + [True]
    assert [row["id"] for row in await unsent(ledger)] == ["StageRequested:j1:extraction"]


async def test_a_state_is_left_only_from_where_the_change_thinks_it_is(ledger: Ledger, job: str) -> None:
    """A change that expected another state changes nothing and says so."""

    async def move() -> None:
        async with ledger.change(job, "move") as change:
            await change.note("ann", "tried")
            await change.move("delivering", expects={"presenting"})

    with pytest.raises(ConflictError) as refused:
        await move()
    assert refused.value.code == "job.moved"
    assert [row["action"] for row in await ledger.rows(select(audit))] == ["submitted"]


async def test_a_change_that_no_way_leads_to_is_a_mistake(ledger: Ledger, job: str) -> None:
    """The table of transitions holds for our own code too."""
    with pytest.raises(AssertionError):
        async with ledger.change(job, "move") as change:
            await change.move("completed", expects={"received"})


async def test_changes_to_one_job_wait_for_one_another(ledger: Ledger, job: str) -> None:
    """Ten audit lines written at once have ten numbers in a row."""

    async def write(number: int) -> None:
        async with ledger.change(job, "note") as change:
            await change.note("ann", f"line {number}")

    await asyncio.gather(*(write(number) for number in range(10)))
    assert sorted(row["seq"] for row in await ledger.rows(select(audit.c.seq))) == list(range(1, 12))


async def test_moments_keep_their_instant(ledger: Ledger, job: str, clock: StillClock) -> None:
    """Microseconds and zone survive; a moment without a zone is refused."""
    assert (await ledger.job(job))["created_at"] == clock.now
    east = timezone(timedelta(hours=9))
    async with ledger.change(job, "time") as change:
        await change.set(jobs, jobs.c.id == job, finished_at=datetime(2026, 3, 1, 9, 0, 0, 5, tzinfo=east))
    assert (await ledger.job(job))["finished_at"] == datetime(2026, 3, 1, 0, 0, 0, 5, tzinfo=UTC)
    with pytest.raises(Exception, match="zone"):
        async with ledger.change(job, "time") as change:
            await change.set(jobs, jobs.c.id == job, finished_at=datetime(2026, 3, 1))  # noqa: DTZ001 what is refused


async def test_jobs_are_found_by_the_beginning_of_their_id(ledger: Ledger) -> None:
    """One match is a job; none and several are told apart; signs of SQL patterns are letters."""
    for job_id in ("abc1", "abd2"):
        await open_job(ledger, upload(job_id))
    assert (await find_job(ledger, "ABC"))["id"] == "abc1"
    for prefix, code in (("ab", "job.ambiguous"), ("x", "job.unknown"), ("a%1", "job.unknown"), ("", "job.unknown")):
        with pytest.raises(InputError) as refused:
            await find_job(ledger, prefix)
        assert refused.value.code == code


async def test_jobs_are_listed_newest_first(ledger: Ledger, clock: StillClock) -> None:
    """By the moment they were opened."""
    for job_id in ("old", "new"):
        await open_job(ledger, upload(job_id))
        clock.go_on(1)
    assert [summary.job_id for summary in await list_summaries(ledger)] == ["new", "old"]


async def open_pause(change: Change, *ticket_ids: str) -> None:
    """A pause of session s with one call a ticket."""
    for seq, ticket_id in enumerate(ticket_ids):
        await tickets.open_ticket(change, ticket_id, "deck", {"n": seq})
        await tickets.hand_off(change, "s", "p", ticket_id, (f"call-{ticket_id}", "request_deck", seq))


async def test_the_first_answer_holds(ledger: Ledger, job: str) -> None:
    """The same one again is a repeat, another a conflict; neither changes anything."""
    async with ledger.change(job, "tickets") as change:
        await open_pause(change, "t1")
        found = [(await tickets.resolve(change, "t1", {"answer": answer}))[0] for answer in (1, 1, 2)]
        _, row = await tickets.resolve(change, "t1", {"answer": 3})
    assert (found, row["result"]) == (["applied", "repeat", "conflict"], {"answer": 1})


async def test_a_known_ticket_keeps_its_answer_when_it_is_opened_again(ledger: Ledger, job: str) -> None:
    """The same order about the same deals is answered already."""
    async with ledger.change(job, "tickets") as change:
        assert await tickets.open_ticket(change, "t1", "deck", {})
        await tickets.resolve(change, "t1", {"answer": 1})
        assert not await tickets.open_ticket(change, "t1", "deck", {})
        assert [row["state"] for row in await tickets.tickets_in(change)] == ["done"]


async def test_a_pause_is_resolved_by_the_last_of_its_tickets(ledger: Ledger, job: str) -> None:
    """Not before; and the answers come in the order of the calls, whatever order they were given in."""
    async with ledger.change(job, "tickets") as change:
        await open_pause(change, "t1", "t2")
        await tickets.resolve(change, "t2", {"answer": 2})
        assert await tickets.resolved_pauses(change, "t2") == []
        assert not await tickets.is_resolved(change, "p")
    assert await tickets.answers(ledger, "s", ["call-t1", "call-t2"]) is None
    async with ledger.change(job, "tickets") as change:
        await tickets.resolve(change, "t1", {"answer": 1})
        assert await tickets.resolved_pauses(change, "t1") == ["p"]
        assert await tickets.is_resolved(change, "p")
    answers = await tickets.answers(ledger, "s", ["call-t1", "call-t2"])
    assert answers == [("call-t1", "request_deck", {"answer": 1}), ("call-t2", "request_deck", {"answer": 2})]


async def test_void_tickets_answer_nothing(ledger: Ledger, job: str) -> None:
    """An answer that comes after is a conflict, and the session gets none."""
    async with ledger.change(job, "tickets") as change:
        await open_pause(change, "t1")
        assert await tickets.void_open(change) == 1
        assert (await tickets.resolve(change, "t1", {"answer": 1}))[0] == "conflict"
    assert await tickets.answers(ledger, "s", ["call-t1"]) is None


async def test_failed_documents_are_ordered_again_by_a_replay(ledger: Ledger, job: str) -> None:
    """Only those whose answer says that they failed."""
    async with ledger.change(job, "tickets") as change:
        await open_pause(change, "t1", "t2")
        await tickets.resolve(change, "t1", {"status": "failed"})
        await tickets.resolve(change, "t2", {"status": "done"})
        await tickets.reopen_failed(change)
    rows = await ledger.rows(select(ticket).order_by(ticket.c.id))
    assert [(row["state"], row["result"]) for row in rows] == [("open", None), ("done", {"status": "done"})]


async def test_a_message_is_promised_once_and_sent_again_when_asked(
    ledger: Ledger, job: str, clock: StillClock
) -> None:
    """A second promise changes nothing; `again` has it sent once more under the same id."""
    event = PauseResolved(job_id=job, pause_id="p")
    async with ledger.change(job, "promise") as change:
        assert await promise(change, event)
        assert not await promise(change, event)
    for row in await unsent(ledger):
        await mark_sent(ledger, [row["id"]])
    assert await unsent(ledger) == []
    async with ledger.change(job, "promise") as change:
        await promise(change, event)
    assert await unsent(ledger) == []
    async with ledger.change(job, "promise") as change:
        await promise(change, event, again=True)
    assert [row["id"] for row in await unsent(ledger)] == [event.key]


async def test_messages_come_out_oldest_first_and_by_job(ledger: Ledger, clock: StillClock) -> None:
    """In the order in which they were promised."""
    for job_id in ("j2", "j1"):
        await open_job(ledger, upload(job_id))
        clock.go_on(1)
    async with ledger.change("j1", "promise") as change:
        await promise(change, RenderRequested(job_id="j1", ticket_id="t"))
    order = ["StageRequested:j2:extraction", "StageRequested:j1:extraction", "RenderRequested:t"]
    assert [row["id"] for row in await unsent(ledger)] == order
    assert [row["id"] for row in await unsent(ledger, "j1")] == order[1:]
    assert [row["topic"] for row in await unsent(ledger, "j1")] == ["work", "renders"]


async def test_a_message_taken_over_by_a_transport_that_ended_is_unsent_again(ledger: Ledger, job: str) -> None:
    """Only those named."""
    async with ledger.change(job, "promise") as change:
        await promise(change, StageRequested(job_id=job, stage="delivery"))
    for row in await unsent(ledger):
        await mark_sent(ledger, [row["id"]])
    await mark_unsent(ledger, ["StageRequested:j1:delivery"])
    assert [row["id"] for row in await unsent(ledger)] == ["StageRequested:j1:delivery"]


async def test_deliveries_are_counted(ledger: Ledger) -> None:
    """By subscription and message id; the last outcome is kept."""
    for subscription, outcome in (("work", "Retry"), ("work", "Done"), ("renders", "Done")):
        body = {"kind": "StageRequested", "job_id": "j1"}
        await note_delivery(ledger, Delivery(subscription=subscription, message_id="m", body=body), outcome)
    rows = await ledger.rows(select(delivery).order_by(delivery.c.subscription))
    assert [(row["subscription"], row["times"], row["outcome"]) for row in rows] == [
        ("renders", 1, "Done"),
        ("work", 2, "Done"),
    ]


async def test_reading_does_not_wait_for_a_writer(ledger: Ledger, job: str) -> None:
    """`jobs` and `show` answer while a worker writes, with what was committed."""
    async with ledger.change(job, "long") as change:
        await change.note("ann", "not yet")
        seen = await asyncio.wait_for(ledger.rows(select(audit)), timeout=5)
    assert [row["action"] for row in seen] == ["submitted"]


async def test_a_row_that_a_key_forbids_undoes_the_change(ledger: Ledger, job: str) -> None:
    """An error in the middle of a change leaves no half of it."""

    async def write_twice() -> None:
        async with ledger.change(job, "twice") as change:
            await change.note("ann", "before")
            row = {"job_id": job, "seq": 1, "at": change.now, "who": "x", "action": "x", "facts": {}}
            await change.connection.execute(insert(audit).values(row))

    with pytest.raises(Exception, match=r"(?i)unique|duplicate"):
        await write_twice()
    assert len(await ledger.rows(select(audit))) == 1


async def test_an_unknown_job_cannot_be_changed(ledger: Ledger) -> None:
    """It is said in a sentence."""
    with pytest.raises(InputError) as refused:
        async with ledger.change("nobody", "x"):
            pass
    assert refused.value.code == "job.unknown"
