"""Trace contexts over Pub/Sub: what a message was published in comes with its delivery."""

from __future__ import annotations

import pytest

from tests.conformance.lines import Line, Worker
from worker import tracing

CONTEXT = "00-11111111111111111111111111111111-2222222222222222-01"


@pytest.mark.parametrize("context", [CONTEXT, ""])
async def test_a_delivery_brings_the_context_that_its_message_was_published_in(
    line: Line, project: str, pubsub_host: str, context: str
) -> None:
    """By a process that makes no spans too, which hands on the one that it was given; or none."""
    worker = Worker(project, pubsub_host)
    with tracing.span("publish", "producer", within=context):
        await line.publisher.publish("work", "m1", {"kind": "StageRequested"})
    (delivery,) = await worker.heard.until(1)
    assert delivery.trace == context
    await worker.end()
