"""The sweep over all jobs: what it issues anew, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from schemas.event import Delivery, Topic
from tests.worker.conftest import Ahead
from worker import jobs
from worker.app import App
from worker.dispatch import dispatch
from worker.ledger.leases import take_lease
from worker.ledger.messages import unsent
from worker.ledger.tickets import tickets_in
from worker.outbox import REISSUE_S, on_their_way, publish_promised, sweep_all
from worker.pulling import take_over
from worker.settings import Settings


class Sent(list[str]):
    """A transport that only remembers: the kinds of messages, and the deliveries that they would be."""

    def __init__(self) -> None:
        super().__init__()
        self.bodies = list[Delivery]()

    async def publish(self, topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
        """Remember what workers are told; results are for others."""
        if topic == "results":
            return
        self.append(str(body["kind"]))
        self.bodies.append(Delivery(subscription="local", message_id=message_id, body=dict(body)))


@pytest.fixture
def sent() -> Sent:
    """What was published."""
    return Sent()


@pytest_asyncio.fixture
async def opened(app: App, sent: Sent, workbook: Path) -> tuple[App, str]:
    """An App that publishes into `sent`, and a job whose first message was published."""
    running = replace(app, publish=sent.publish)
    job_id = (await jobs.submit_file(running, workbook, by="analyst")).job_id
    assert await publish_promised(running) == 1
    sent.clear()
    return running, job_id


async def swept(app: App, sent: Sent) -> list[str]:
    """The kinds of what a sweep had published."""
    sent.clear()
    await sweep_all(app)
    await publish_promised(app)
    return list(sent)


async def test_a_message_on_its_way_is_not_sent_again(opened: tuple[App, str], sent: Sent) -> None:
    """A backlog is no loss."""
    assert await swept(opened[0], sent) == []


async def test_a_lost_message_is_issued_anew_once_in_a_while(opened: tuple[App, str], sent: Sent, clock: Ahead) -> None:
    """Not at each sweep: the one just sent is on its way."""
    clock.jump(REISSUE_S + 1)
    assert await swept(opened[0], sent) == ["StageRequested"]
    assert await swept(opened[0], sent) == []


async def test_a_worker_that_takes_over_alone_trusts_no_message_and_no_lease(
    app: App, sent: Sent, tmp_path: Path
) -> None:
    """More than one batch, each job once; what was promised and not sent is not promised again."""
    running = replace(app, publish=sent.publish)
    for number in range(103):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"a,b\n{number},2\n")
        job_id = (await jobs.submit_file(running, path, by="analyst")).job_id
        if number:
            await publish_promised(running, job_id)
    async with app.ledger.change(job_id, "take") as change:
        assert await take_lease(change, change.job, app.terms, "extraction")
    sent.clear()
    await take_over(app)
    assert len(await unsent(app.ledger, limit=1000)) == 103
    await take_over(app)
    assert len(await unsent(app.ledger, limit=1000)) == 103


async def test_messages_of_another_transport_outlive_the_process(
    opened: tuple[App, str], sent: Sent, settings: Settings
) -> None:
    """Pub/Sub has them still; a new worker issues nothing anew."""
    await take_over(replace(opened[0], settings=settings.model_copy(update={"transport": "pubsub"})))
    assert await unsent(opened[0].ledger) == []


async def test_a_lease_that_ran_out_is_swept_at_once(opened: tuple[App, str], sent: Sent, clock: Ahead) -> None:
    """Its holder is dead; the message that it had was acked by whoever found the lease taken."""
    app, job_id = opened
    async with app.ledger.change(job_id, "take") as change:
        assert await take_lease(change, change.job, app.terms, "extraction")
    assert await swept(app, sent) == []
    clock.jump(app.settings.lease_s + 1)
    assert await swept(app, sent) == ["StageRequested"]
    assert await swept(app, sent) == []


@pytest_asyncio.fixture
async def rendering(opened: tuple[App, str], sent: Sent) -> tuple[App, str]:
    """An App, and a job of it whose documents were ordered and whose messages were sent."""
    app, job_id = opened
    while "RenderRequested" not in sent:
        for delivery in sent.bodies[-1:]:
            await dispatch(app, delivery)
        await publish_promised(app)
    sent.clear()
    return app, job_id


async def _lease_one_document(app: App, job_id: str) -> None:
    async with app.ledger.change(job_id, "take") as change:
        row = (await tickets_in(change, state="open"))[0]
        assert await take_lease(change, row, app.terms, "presentation", row["id"])


async def test_a_document_whose_maker_died_is_ordered_anew_at_once(
    rendering: tuple[App, str], sent: Sent, clock: Ahead
) -> None:
    """Its message came again while the lease still ran, and was acked: none is on its way any more."""
    app, job_id = rendering
    await _lease_one_document(app, job_id)
    assert await swept(app, sent) == []
    clock.jump(app.settings.lease_s + 1)
    assert await on_their_way(app) == {}
    assert await swept(app, sent) == ["RenderRequested", "RenderRequested"]
    assert await swept(app, sent) == []
    assert await on_their_way(app) == {"presenting": 1}


async def test_documents_that_nobody_has_begun_are_on_their_way(
    rendering: tuple[App, str], sent: Sent, clock: Ahead
) -> None:
    """However long a lease lasts: only one that was taken tells of a death."""
    app, _ = rendering
    clock.jump(app.settings.lease_s + 1)
    assert await swept(app, sent) == []


async def test_a_job_that_waits_for_a_person_is_left_alone(app: App, waiting: str, sent: Sent, clock: Ahead) -> None:
    """For as long as that takes."""
    clock.jump(5 * REISSUE_S)
    assert await swept(replace(app, publish=sent.publish), sent) == []


async def test_young_promises_are_left_to_whoever_made_them(app: App, sent: Sent, workbook: Path, clock: Ahead) -> None:
    """Every worker looks through the outbox; they must not all send the same."""
    running = replace(app, publish=sent.publish)
    await jobs.submit_file(running, workbook, by="analyst")
    assert await publish_promised(running, older_than_s=5) == 0
    clock.jump(6)
    assert await publish_promised(running, older_than_s=5) == 1
