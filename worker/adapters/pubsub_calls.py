"""The calls to Pub/Sub that we make, with types: the border to Google's client, whose own are partly unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError
from google.pubsub_v1.types import PubsubMessage, ReceivedMessage

from schemas.errors import TransientError
from worker.adapters.google_clients import open_publisher, open_subscriber, patient, trouble_of

FAILURES = (exceptions.GoogleAPIError, GoogleAuthError)
"""What any of these calls raises when it fails."""


class PublishCalls:
    """Publishing, over a connection of its own; to be made inside the loop that uses it."""

    def __init__(self, endpoint: str | None) -> None:
        self._client: Any = open_publisher(endpoint)

    async def publish(self, topic: str, data: bytes, attributes: Mapping[str, str], within_s: float) -> None:
        """Returns once the server has the message; a failure that may pass is tried again until `within_s` is over."""
        message = PubsubMessage(data=data, attributes=dict(attributes))
        retry = patient(within_s)
        await self._client.publish(topic=topic, messages=[message], retry=retry, timeout=within_s)

    async def close(self) -> None:
        """Close the connection; calls under way fail."""
        await self._client.transport.close()


class PullCalls:
    """Pulling from one subscription (its full name), over a connection of its own; to be made inside the loop."""

    def __init__(self, subscription: str, endpoint: str | None) -> None:
        self._subscription = subscription
        self._client: Any = open_subscriber(endpoint)

    async def pull(self, most: int, within_s: float) -> Sequence[ReceivedMessage]:
        """At most that many messages, as soon as there are some; raises DeadlineExceeded if none came in time."""
        answer = await self._client.pull(
            subscription=self._subscription, max_messages=most, retry=None, timeout=within_s
        )
        return answer.received_messages

    async def acknowledge(self, ack_id: str, within_s: float) -> None:
        """Have the message never come again; a failure that may pass is tried again until `within_s` is over."""
        retry = patient(within_s)
        where: dict[str, Any] = {"subscription": self._subscription, "ack_ids": [ack_id]}
        await self._client.acknowledge(**where, retry=retry, timeout=within_s)

    async def set_lease(self, ack_ids: Sequence[str], seconds: int, within_s: float) -> None:
        """Have the messages come again in so many seconds from now, at once for 0, unless they are acknowledged."""
        retry = patient(within_s)
        where: dict[str, Any] = {"subscription": self._subscription, "ack_ids": list(ack_ids)}
        await self._client.modify_ack_deadline(**where, ack_deadline_seconds=seconds, retry=retry, timeout=within_s)

    async def close(self, grace_s: float | None = None) -> None:
        """Close the connection; calls under way may end within `grace_s`, and fail then."""
        await self._client.transport.grpc_channel.close(grace_s)


def transport_trouble(error: Exception, what: str) -> TransientError:
    """What a failed call to Pub/Sub about `what`, a topic or subscription, means to us."""
    known = trouble_of(error, "Pub/Sub", "transport", what)
    return known or TransientError("transport.unavailable", f"Pub/Sub failed for {what} ({type(error).__name__}).")
