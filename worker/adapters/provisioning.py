"""Makes the topics, subscriptions, buckets and notification of a set-up on emulators; on Google, Terraform does."""

from __future__ import annotations

import asyncio
from typing import Any

from google.api_core import exceptions
from google.protobuf.duration_pb2 import Duration

from worker.adapters.google_clients import open_publisher, open_storage, open_subscriber
from worker.topology import Subscription, Topology

EMULATOR_KEEPS_S = 7 * 24 * 3600
"""The emulator keeps messages for a week at most; Google for a month."""


async def make_queues(topology: Topology, project: str, endpoint: str) -> None:
    """Every topic and subscription is there afterwards; those that were there are left as they are."""
    publisher: Any = open_publisher(endpoint)
    subscriber: Any = open_subscriber(endpoint)
    try:
        for topic in topology.topics.values():
            await _make(publisher.create_topic, {"name": f"projects/{project}/topics/{topic.name}"})
        for subscription in topology.subscriptions.values():
            await _make(subscriber.create_subscription, _request(topology, project, subscription))
    finally:
        await publisher.transport.close()
        await subscriber.transport.close()


async def _make(create: Any, request: dict[str, Any]) -> None:
    try:
        await create(request=request, timeout=10.0)
    except exceptions.AlreadyExists:
        return


def _request(topology: Topology, project: str, subscription: Subscription) -> dict[str, Any]:
    request: dict[str, Any] = {
        "name": f"projects/{project}/subscriptions/{subscription.name}",
        "topic": _topic(topology, project, subscription.topic),
        "ack_deadline_seconds": subscription.ack_deadline_s,
        "message_retention_duration": Duration(seconds=min(subscription.retention_s, EMULATOR_KEEPS_S)),
        # Said, and empty: never.
        "expiration_policy": {},
    }
    if subscription.retry:
        backoff = {"minimum": subscription.retry.minimum_s, "maximum": subscription.retry.maximum_s}
        request["retry_policy"] = {f"{key}_backoff": Duration(seconds=seconds) for key, seconds in backoff.items()}
    if subscription.dead_letter:
        dead = _topic(topology, project, subscription.dead_letter.topic)
        most = subscription.dead_letter.max_deliveries
        request["dead_letter_policy"] = {"dead_letter_topic": dead, "max_delivery_attempts": most}
    return request


def _topic(topology: Topology, project: str, key: str) -> str:
    return f"projects/{project}/topics/{topology.topics[key].name}"


async def make_buckets(topology: Topology, project: str, endpoint: str) -> None:
    """Every bucket is there afterwards."""
    client = open_storage(project, endpoint)
    for role in topology.buckets:
        bucket = client.bucket(topology.bucket_name(role, project))
        if not await asyncio.to_thread(bucket.exists):
            await asyncio.to_thread(bucket.create)
