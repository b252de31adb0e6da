"""Attempts: what fails, what is tried again, what is set aside, and what a stop or a loss leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy import select, update

from schemas.errors import OutputError, TransientError
from schemas.event import Delivery, RenderRequested, StageRequested
from schemas.outcome import Verdict
from tests.worker.conftest import Ahead
from worker import jobs
from worker.app import App, Progress
from worker.bootstrap import open_app
from worker.dispatch import dispatch
from worker.handlers import render as renders
from worker.ledger.leases import prolong_lease
from worker.ledger.messages import unsent
from worker.ledger.tables import delivery, stage, ticket
from worker.ledger.tables import job as jobs_table
from worker.settings import Settings


async def submitted(app: App, workbook: Path) -> str:
    """A job's id, before anything was done about it."""
    return (await jobs.submit_file(app, workbook, by="analyst")).job_id


async def stage_message(app: App, job_id: str, name: Any = "extraction") -> Verdict:
    """One delivery of the message that a stage has work."""
    body = StageRequested(job_id=job_id, stage=name).model_dump(mode="json")
    return await dispatch(app, Delivery(subscription="work", message_id=f"{name} of {job_id}", body=body))


def failing(app: App, error: Exception) -> App:
    """The App, whose agents can't be built."""

    def build(*_: object) -> NoReturn:
        raise error

    return replace(app, build_agent=build)


async def test_a_passing_fault_is_tried_again_and_then_set_aside(app: App, workbook: Path) -> None:
    """Each attempt is kept with its code; at the limit the job is quarantined with the sentence."""
    job_id = await submitted(app, workbook)
    down = failing(app, TransientError("model.unavailable", "The model cannot answer now."))
    assert [await stage_message(down, job_id) for _ in range(3)] == ["nack", "ack", "ack"]
    detail = await jobs.show_job(app, job_id)
    assert [(tried.outcome, tried.code) for tried in detail.attempts] == [("failed", "model.unavailable")] * 2
    assert detail.state == "quarantined"
    assert detail.reason is not None
    assert detail.reason.message == "The model cannot answer now."
    assert detail.stages[0].failures == 2


async def test_whoever_watches_is_told_of_each_try_but_the_first(app: App, workbook: Path) -> None:
    """What is wrong, without what to do about it: that is for the end, should it come to one."""
    job_id, seen = await submitted(app, workbook), list[Progress]()
    down = failing(app, TransientError("model.unreachable", "The service cannot be reached; check the network."))
    await jobs.run_until_quiet(down, job_id, seen.append)
    told = [progress.what for progress in seen if progress.step == "retrying"]
    assert told == ["The service cannot be reached; trying again (2 of 2)"]
    detail = await jobs.show_job(app, job_id)
    assert detail.reason is not None
    assert detail.reason.message.endswith("check the network.")


@pytest.mark.parametrize("code", ["model.refused", "model.credentials"])
async def test_what_the_model_refuses_for_good_is_asked_once(app: App, workbook: Path, code: str) -> None:
    """A missing key or a wrong name is the same in every session."""
    job_id = await submitted(app, workbook)
    assert await stage_message(failing(app, OutputError(code, "No.")), job_id) == "ack"
    detail = await jobs.show_job(app, job_id)
    assert (detail.state, len(detail.attempts)) == ("quarantined", 1)


async def test_a_job_that_was_set_aside_is_taken_up_again(app: App, workbook: Path) -> None:
    """The counts begin anew, in a fresh session, and it goes on to its gate."""
    job_id = await submitted(app, workbook)
    down = failing(app, TransientError("model.unavailable", "Later."))
    for _ in range(2):
        await stage_message(down, job_id)
    assert await jobs.replay(app, job_id, by="analyst") == "extracting"
    assert await jobs.run_until_quiet(app, job_id) == "waiting"
    detail = await jobs.show_job(app, job_id)
    assert (detail.reason, detail.finished_at) == (None, None)
    assert [line.action for line in detail.audit][:3] == ["submitted", "quarantined", "replayed"]


async def test_a_bad_answer_is_tried_again_in_a_fresh_session(app: App, workbook: Path) -> None:
    """The spoilt session is left as it is, and its artifacts are where later stages look for them."""
    job_id = await submitted(app, workbook)
    assert await stage_message(failing(app, OutputError("answer.form", "No.")), job_id) == "nack"
    assert await jobs.run_until_quiet(app, job_id) == "waiting"
    epochs = {row["stage"]: row["epoch"] for row in await app.ledger.rows(select(stage))}
    assert epochs == {"extraction": 1, "presentation": 0}


async def test_nobody_sees_the_words_of_an_unforeseen_error(app: App, workbook: Path) -> None:
    """They may quote a cell; the code and the error's name are kept."""
    job_id = await submitted(app, workbook)
    await stage_message(failing(app, KeyError("Comps!G6 is 42")), job_id)
    (tried,) = (await jobs.show_job(app, job_id)).attempts
    assert tried.code == "fault"
    assert tried.message is not None
    assert "42" not in tried.message
    assert "KeyError" in tried.message


async def test_a_worker_that_dies_again_and_again_does_not_get_the_job_for_ever(
    app: App, workbook: Path, clock: Ahead
) -> None:
    """A file that kills its worker is set aside after so many deaths, though no attempt of it ever failed."""
    job_id = await submitted(app, workbook)

    class DiedError(BaseException):
        """Nothing catches it, as nothing catches a kill."""

    def die(name: str) -> None:
        if name == "before run":
            raise DiedError

    for _ in range(3):
        with pytest.raises(DiedError):
            await stage_message(replace(app, checkpoint=die), job_id)
        clock.jump(app.settings.lease_s + 1)
    assert await stage_message(app, job_id) == "ack"
    detail = await jobs.show_job(app, job_id)
    assert detail.reason is not None
    assert (detail.state, detail.reason.code) == ("quarantined", "lease.lost_too_often")
    assert [tried.outcome for tried in detail.attempts] == ["lost", "lost", "lost", "given_up"]


async def test_a_worker_that_is_told_to_stop_hands_its_work_back(app: App, workbook: Path) -> None:
    """The attempt does not count, the lease is free at once, and the message is promised again."""
    job_id = await submitted(app, workbook)
    begun = asyncio.Event()
    never = asyncio.Event()

    async def hang() -> NoReturn:
        begun.set()
        await never.wait()
        raise AssertionError

    working = asyncio.create_task(stage_message(replace(app, services=hang), job_id))
    await begun.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    detail = await jobs.show_job(app, job_id)
    assert [(tried.outcome, tried.code) for tried in detail.attempts] == [("handed_back", None)]
    row = await app.ledger.job(job_id)
    assert (row["lease_holder"], row["failures"], row["lost_leases"]) == (None, 0, 0)
    assert any(":lease-" in row["id"] for row in await unsent(app.ledger, job_id))


async def test_heartbeats_keep_the_lease_of_a_long_attempt(app: App, workbook: Path, clock: Ahead) -> None:
    """The lease outlives its term while the work goes on."""
    job_id = await submitted(app, workbook)
    quick = replace(app, settings=app.settings.model_copy(update={"heartbeat_s": 0.005}))
    beaten = asyncio.Event()

    async def wait_for_beats() -> Any:
        before = (await app.ledger.job(job_id))["lease_expires_at"]
        clock.jump(50)
        while (await app.ledger.job(job_id))["lease_expires_at"] <= before:  # noqa: ASYNC110 a heartbeat tells nobody
            await asyncio.sleep(0.001)
        beaten.set()
        return await app.services()

    assert await stage_message(replace(quick, services=wait_for_beats), job_id) == "ack"
    assert beaten.is_set()
    assert (await jobs.show_job(app, job_id)).state == "presenting"


async def test_work_ends_as_soon_as_its_lease_is_known_to_be_lost(app: App, workbook: Path) -> None:
    """A heartbeat finds the fence raised: the work is cancelled, and nothing of it is written."""
    job_id = await submitted(app, workbook)
    quick = replace(app, settings=app.settings.model_copy(update={"heartbeat_s": 0.005}))
    ended = asyncio.Event()

    async def lose_it() -> NoReturn:
        async with app.ledger.engine.begin() as connection:
            await connection.execute(update(jobs_table).values(fence=jobs_table.c.fence + 1))
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    assert await stage_message(replace(quick, services=lose_it), job_id) == "ack"
    assert ended.is_set()
    detail = await jobs.show_job(app, job_id)
    assert [tried.outcome for tried in detail.attempts] == [None]
    assert (await app.ledger.job(job_id))["has_work"]


async def test_what_a_reading_may_cost_is_the_settings_to_say(settings: Settings, workbook: Path) -> None:
    """The agent's tool reads in a child process, which is ended in time; the sender is told."""
    hasty = settings.model_copy(update={"extract_timeout_s": 0.0001})
    async with open_app(hasty) as app:
        job_id = await submitted(app, workbook)
        assert await jobs.run_until_quiet(app, job_id) == "quarantined"
        reason = (await jobs.show_job(app, job_id)).reason
    assert reason is not None
    assert (reason.code, "needs more than 0.0001 s" in reason.message) == ("file.too_complex", True)


async def test_a_document_that_fails_its_own_checks_is_the_agents_to_hear_of(
    app: App, workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ticket is answered with the error, in one attempt; the agent gives up and the job is set aside with it."""

    def fail(*_: object) -> NoReturn:
        raise OutputError("deck.check", "Slide 3 does not fit.")

    monkeypatch.setattr(renders, "render", fail)
    job_id = await submitted(app, workbook)
    assert await jobs.run_until_quiet(app, job_id) == "quarantined"
    detail = await jobs.show_job(app, job_id)
    assert detail.reason is not None
    assert detail.reason.code == "presentation.failed"
    assert "Slide 3 does not fit" in detail.reason.message
    tried = [each for each in detail.attempts if each.code == "deck.check"]
    assert len(tried) == len({each.ticket_id for each in tried}) == 2
    assert {found.kind: (found.result or {}).get("status") for found in detail.tickets} == {
        "deck": "failed",
        "memo": "failed",
    }
    monkeypatch.undo()
    await jobs.replay(app, job_id, by="analyst")
    assert await jobs.run_until_quiet(app, job_id) == "waiting"


async def test_a_render_that_breaks_is_tried_again_and_then_sets_the_job_aside(
    app: App, workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can say what a crash means to a document; after a mend, a replay makes it."""

    def fail(*_: object) -> NoReturn:
        raise RuntimeError("Comps!G6")

    monkeypatch.setattr(renders, "render", fail)
    job_id = await submitted(app, workbook)
    assert await jobs.run_until_quiet(app, job_id) == "quarantined"
    detail = await jobs.show_job(app, job_id)
    assert detail.reason is not None
    assert detail.reason.code == "fault"
    monkeypatch.undo()
    assert await jobs.replay(app, job_id, by="analyst") == "presenting"
    assert await jobs.run_until_quiet(app, job_id) == "waiting"


async def test_a_render_for_a_closed_ticket_or_a_finished_job_does_nothing(app: App, waiting: str) -> None:
    """A late or doubled message; no attempt is made of it."""
    rows = await app.ledger.rows(select(ticket.c.id).where(ticket.c.kind == "deck"))
    before = len((await jobs.show_job(app, waiting)).attempts)
    for ticket_id in (rows[0]["id"], "unknown"):
        body = RenderRequested(job_id=waiting, ticket_id=ticket_id).model_dump(mode="json")
        assert await dispatch(app, Delivery(subscription="renders", message_id="late", body=body)) == "ack"
    assert len((await jobs.show_job(app, waiting)).attempts) == before


@pytest.mark.parametrize(
    "body",
    [{}, {"kind": "Nonsense"}, {"kind": "StageRequested", "job_id": "x", "stage": "lunch"}, {"job_id": ["x"] * 50}],
    ids=["empty", "unknown kind", "unknown stage", "no kind"],
)
async def test_a_message_that_is_no_event_is_kept_as_ignored(app: App, body: dict[str, Any]) -> None:
    """Acked, for it would be no better the next time, and written down."""
    assert await dispatch(app, Delivery(subscription="work", message_id="odd", body=body)) == "ack"
    assert [row["outcome"] for row in await app.ledger.rows(select(delivery))] == ["Ignored"]


async def test_a_message_about_a_job_that_nobody_knows_is_ignored(app: App) -> None:
    """It may be another installation's."""
    assert await stage_message(app, "nobody") == "ack"


async def test_a_lease_can_be_prolonged_by_its_holder_alone(app: App, workbook: Path) -> None:
    """Not by a process that had the same fence under another name."""
    from worker.ledger.leases import take_lease

    job_id = await submitted(app, workbook)
    async with app.ledger.change(job_id, "lease") as change:
        lease = await take_lease(change, change.job, app.terms, "extraction")
    assert lease is not None
    assert await prolong_lease(app.ledger, lease, 60)
    assert not await prolong_lease(app.ledger, replace(lease, holder="somebody else"), 60)


async def test_whoever_is_stopped_while_it_takes_a_lease_hands_it_back(
    app: App, workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit was under way: the lease is free at once, and neither an attempt nor a lease counts as lost."""
    job_id = await submitted(app, workbook)
    committing, committed = asyncio.Event(), asyncio.Event()
    writing = app.ledger.writing

    @asynccontextmanager
    async def slowly(name: str) -> AsyncGenerator[Any]:
        async with writing(name) as connection:
            yield connection
        if name == "lease":
            committing.set()
            await committed.wait()

    monkeypatch.setattr(app.ledger, "writing", slowly)
    stopped = asyncio.create_task(stage_message(app, job_id))
    await committing.wait()
    stopped.cancel()
    await asyncio.sleep(0)
    committed.set()
    await asyncio.wait({stopped})
    assert stopped.cancelled()
    row = await app.ledger.job(job_id)
    assert (row["lease_holder"], row["failures"], row["lost_leases"]) == (None, 0, 0)
    assert [each.outcome for each in (await jobs.show_job(app, job_id)).attempts] == ["handed_back"]
    monkeypatch.undo()
    assert await jobs.run_until_quiet(app, job_id) == "waiting"
