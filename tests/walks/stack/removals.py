"""Safeguards of a service with real servers, each with what is left when it is taken out of a worker process."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from typing import Any

from schemas.event import Delivery
from schemas.outcome import Verdict
from tests.walks.registry import Removals

_SAFEGUARDS = Removals()
removal, remove, REMOVALS = _SAFEGUARDS.enter, _SAFEGUARDS.take_out, _SAFEGUARDS.known


@removal
def derived_job_id() -> None:
    """Each message about an object is another job."""
    from schemas.event import ObjectFinalized
    from worker import dispatch
    from worker.handlers.upload import on_object_finalized

    async def another(app: Any, event: ObjectFinalized) -> Any:
        return await on_object_finalized(app, event.model_copy(update={"job_id": uuid.uuid4().hex * 2}))

    dispatch.HANDLERS[ObjectFinalized] = another


@removal
def insert_if_absent() -> None:
    """A job that is there already is an error."""
    from sqlalchemy import insert

    from worker.ledger import ledger
    from worker.ledger.tables import job

    usual = ledger.insert_if_absent

    def plainly(connection: Any, table: Any, values: Any) -> Any:
        return insert(table).values(values) if table is job else usual(connection, table, values)

    ledger.insert_if_absent = plainly


@removal
def derived_ticket_id() -> None:
    """Each look at what a session waits for finds other tickets."""
    from agents import pause

    derived = pause.tickets_of

    def anew(*given: Any) -> Any:
        return [replace(spec, ticket_id=uuid.uuid4().hex * 2) for spec in derived(*given)]

    pause.tickets_of = anew


@removal
def fence() -> None:
    """Whoever held a lease once may write."""
    from worker import intake
    from worker.ledger import leases

    leases.fenced = intake.fenced = lambda lease: leases.LEASED[lease.table].c.id == lease.key


@removal
def lease() -> None:
    """A lease is given to whoever asks."""
    from worker.handlers import render, stage
    from worker.ledger import leases

    take = leases.take_lease

    async def anyway(change: Any, row: Any, *rest: Any) -> Any:
        return await take(change, {**row, "lease_holder": None}, *rest)

    render.take_lease = stage.take_lease = anyway


@removal
def ack_after_commit() -> None:
    """A message is settled first and handled then."""
    from worker.pulling import Work

    take, handling = Work.take, set[asyncio.Task[Verdict]]()

    async def settled(worker: Work, delivery: Delivery) -> Verdict:
        # The answer is on its way to the server before anything is done.
        task = asyncio.get_running_loop().create_task(_later(take, worker, delivery))
        handling.add(task)
        task.add_done_callback(handling.discard)
        return "ack"

    Work.take = settled


async def _later(take: Any, worker: Any, delivery: Delivery) -> Verdict:
    await asyncio.sleep(0.2)
    return await take(worker, delivery)


@removal
def send_before_note() -> None:
    """A message is noted as sent, and then sent."""
    from worker import outbox, pulling
    from worker.ledger.messages import mark_sent, unsent

    async def noted_first(app: Any, job_id: str | None = None, **_: Any) -> int:
        rows = await unsent(app.ledger, job_id)
        for row in rows:
            await mark_sent(app.ledger, [row["id"]])
            app.checkpoint(f"noted {row['topic']}")
            await app.publish(row["topic"], row["id"], row["body"])
        return len(rows)

    outbox.publish_promised = pulling.publish_promised = noted_first


@removal
def relay() -> None:
    """What a commit promises is sent by whoever next handles a message of the job, and by nobody else."""
    from worker import pulling

    everybodys = pulling.publish_promised

    async def of_a_job(app: Any, job_id: str | None = None, **_: Any) -> int:
        return await everybodys(app, job_id) if job_id else 0

    pulling.publish_promised = of_a_job


@removal
def sweep() -> None:
    """Nobody looks for leases that ran out, nor for messages that got lost."""
    from worker import pulling

    async def nothing(*_: Any, **__: Any) -> int:
        return 0

    pulling.sweep_all = nothing


@removal
def delivery_compare() -> None:
    """What is delivered is written over whatever lies there."""
    from worker.adapters.gcs import GcsDeliveries

    def put(deliveries: Any, name: str, data: bytes) -> None:
        deliveries._bucket.blob(name).upload_from_string(data)

    GcsDeliveries._put = put


@removal
def kept_once() -> None:
    """Bytes are kept again each time that somebody has them, under a new version."""
    from worker.adapters.adk import Shelf

    Shelf.save_once = Shelf.save
