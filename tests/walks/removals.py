"""Safeguards, each with what is left when it is taken out; only ever done in a process that ends with its walk."""

from __future__ import annotations

import itertools
import os

from tests.walks.registry import Removals
from tests.walks.world import STUCK

_SAFEGUARDS = Removals()
removal, remove, REMOVALS = _SAFEGUARDS.enter, _SAFEGUARDS.take_out, _SAFEGUARDS.known


@removal
def fence() -> None:
    """Whoever held a lease once may write."""
    from worker.ledger import leases

    leases.fenced = lambda lease: leases.LEASED[lease.table].c.id == lease.key


@removal
def lease() -> None:
    """A lease is given to whoever asks."""
    from worker.handlers import render, stage
    from worker.ledger import leases

    take = leases.take_lease

    async def take_anyway(change, row, *rest):  # noqa: ANN001, ANN002, ANN202 as the function that it stands for
        return await take(change, {**row, "lease_holder": None}, *rest)

    render.take_lease = stage.take_lease = take_anyway


@removal
def row_lock() -> None:
    """Transactions about one job don't wait for one another."""
    from worker.ledger import ledger

    ledger.locked = lambda query: query


@removal
def insert_if_absent() -> None:
    """What is there already is an error."""
    from sqlalchemy import insert

    from worker.ledger import ledger

    ledger.insert_if_absent = lambda _, table, values: insert(table).values(values)


@removal
def wait_for_any() -> None:
    """A pause asks the model."""
    from agents.presentation import agent

    agent.wait_for_answers = lambda **_: None


@removal
def approval_round() -> None:
    """A second question about the same bytes is the same ticket."""
    from agents import pause

    bound = pause.approval_subject

    def without_round(events):  # noqa: ANN001, ANN202 as the function that it stands for
        subject = bound(events)
        return subject and subject.model_copy(update={"round": 0})

    pause.approval_subject = without_round


@removal
def approval_match() -> None:
    """Any approval lets any documents out."""
    from worker.handlers import delivery

    delivery.matches = lambda *_: True


@removal
def byte_check() -> None:
    """Bytes are taken for what their name says."""
    from worker.handlers import delivery

    delivery.check_hash = lambda *_: None


@removal
def first_decision() -> None:
    """A ticket is closed by whoever comes, however late."""
    from worker.ledger import tickets

    tickets.unanswered = lambda ticket_id: (tickets.ticket.c.id == ticket_id,)


@removal
def sweep() -> None:
    """Nobody looks for what got lost."""
    from worker import running

    idle = itertools.count()

    async def nothing(app, job_id):  # noqa: ANN001, ANN202 as the function that it stands for
        # Called only while this process holds no message and the job is not at rest: ten times, and it never will be.
        if next(idle) > 10:
            os._exit(STUCK)
        return 0

    running.sweep = nothing


@removal
def send_before_note() -> None:
    """A message is noted as sent, and then sent."""
    from worker import outbox, running

    async def noted_first(app, job_id=None):  # noqa: ANN001, ANN202 as the function that it stands for
        rows = await outbox.unsent(app.ledger, job_id)
        for row in rows:
            await outbox.mark_sent(app.ledger, [row["id"]])
            app.checkpoint("published")
            await app.publish(row["topic"], row["id"], row["body"])
        return len(rows)

    running.publish_promised = noted_first


@removal
def word_left() -> None:
    """A busy lease's holder hears nothing of messages that came meanwhile."""
    from worker import attempt
    from worker.ledger import leases

    back = leases.give_back

    async def deaf(*args, **kwargs):  # noqa: ANN002, ANN003, ANN202 as the function that it stands for
        return leases.Returned(False, (await back(*args, **kwargs)).failures)

    attempt.give_back = deaf


@removal
def answered_at_once() -> None:
    """A pause whose every ticket was answered before waits for somebody to answer one."""
    from worker.ledger import tickets

    async def never(change, pause_id):  # noqa: ANN001, ANN202 as the function that it stands for
        return False

    tickets.is_resolved = never


@removal
def barrier() -> None:
    """The first answer goes to the model without the others."""
    from worker.ledger import tickets

    every = tickets.answers

    async def some(ledger, session_id, call_ids):  # noqa: ANN001, ANN202 as the function that it stands for
        found = [await every(ledger, session_id, [call_id]) for call_id in call_ids]
        return [answer for each in found for answer in each or []] or None

    tickets.answers = some


@removal
def revocation() -> None:
    """A cancelled job's worker keeps its lease, and the job's state is not looked at."""
    from worker import jobs
    from worker.ledger.ledger import Change

    async def nothing(change):  # noqa: ANN001, ANN202 as the function that it stands for
        return None

    async def anyway(change, to, *, expects, **values):  # noqa: ANN001, ANN003, ANN202 as the method that it stands for
        from worker.ledger.tables import job

        await change.set(job, job.c.id == change.job_id, state=to, updated_at=change.now, **values)

    jobs.revoke_lease = nothing
    Change.move = anyway
