"""A set-up made on emulators is the one that infra/topology.yaml describes, and making it again changes nothing."""

from __future__ import annotations

from typing import Any

from worker.adapters import provisioning
from worker.adapters.google_clients import open_storage, open_subscriber
from worker.topology import read_topology


async def test_queues_are_made_as_they_are_described(project: str, pubsub_host: str) -> None:
    """With deadline, dead letter and backoff, and twice without a word."""
    topology = read_topology()
    for _ in range(2):
        await provisioning.make_queues(topology, project, pubsub_host)
    client: Any = open_subscriber(pubsub_host)
    for expected in topology.subscriptions.values():
        path = f"projects/{project}/subscriptions/{expected.name}"
        made = await client.get_subscription(subscription=path)
        assert made.topic == f"projects/{project}/topics/{topology.topics[expected.topic].name}"
        assert made.ack_deadline_seconds == expected.ack_deadline_s
        assert not made.filter
        assert not made.enable_message_ordering
        assert bool(made.dead_letter_policy.dead_letter_topic) == bool(expected.dead_letter)
        if expected.dead_letter and expected.retry:
            assert made.dead_letter_policy.max_delivery_attempts == expected.dead_letter.max_deliveries
            assert made.retry_policy.minimum_backoff.seconds == expected.retry.minimum_s
    await client.transport.close()


async def test_buckets_are_made_by_role(project: str, gcs_url: str) -> None:
    """Each under the project's name, and twice without a word."""
    for _ in range(2):
        await provisioning.make_buckets(read_topology(), project, gcs_url)
    client = open_storage(project, gcs_url)
    names = {bucket.name for bucket in client.list_buckets()}
    assert {f"{project}-dealwright-{role}" for role in ("inbox", "artifacts", "deliveries")} <= names
    client.close()
