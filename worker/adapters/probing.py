"""What is there of a set-up: topics, subscriptions, rights, notification configurations; looked at, never changed."""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from google.api_core import exceptions

from worker.adapters.google_clients import open_publisher, open_subscriber, storage_trouble
from worker.adapters.pubsub_calls import FAILURES, transport_trouble

WITHIN_S = 10.0
PUBLISHER = "roles/pubsub.publisher"


class HiddenError(Exception):
    """It can't be looked at: with the rights of whoever asks, or because an emulator has no such thing."""


@dataclass(frozen=True, slots=True)
class Subscribed:
    """A subscription as it is; names without their project, `audience` of the tokens that come with what is pushed."""

    topic: str
    ack_deadline_s: int
    expires: bool
    dead_topic: str
    max_deliveries: int
    pushes_to: str
    audience: str


@dataclass(frozen=True, slots=True)
class Notified:
    """A notification configuration of a bucket; no event types mean all."""

    number: str
    topic: str
    event_types: tuple[str, ...]
    prefix: str


class Queues:
    """Topics and subscriptions of a project; to be made inside the loop that uses it."""

    def __init__(self, project: str, endpoint: str | None) -> None:
        self._project = project
        self._publisher: Any = open_publisher(endpoint)
        self._subscriber: Any = open_subscriber(endpoint)

    async def has_topic(self, name: str) -> bool:
        """Whether the topic is there; raises HiddenError, and TransientError `transport.*` if nobody answers."""
        return await _look(self._publisher.get_topic(topic=self._topic(name), timeout=WITHIN_S), name) is not None

    async def subscription(self, name: str) -> Subscribed | None:
        """The subscription, or None; raises as `has_topic` does."""
        path = f"projects/{self._project}/subscriptions/{name}"
        found = await _look(self._subscriber.get_subscription(subscription=path, timeout=WITHIN_S), name)
        if found is None:
            return None
        return Subscribed(
            topic=_short(found.topic),
            ack_deadline_s=found.ack_deadline_seconds,
            # Said and empty means never; not said means after 31 days without anybody at work.
            expires="expiration_policy" not in found or bool(found.expiration_policy.ttl),
            dead_topic=_short(found.dead_letter_policy.dead_letter_topic),
            max_deliveries=found.dead_letter_policy.max_delivery_attempts,
            pushes_to=found.push_config.push_endpoint,
            audience=found.push_config.oidc_token.audience,
        )

    async def publishers(self, topic: str) -> frozenset[str]:
        """Who was given the right to publish, on the topic itself; raises as `has_topic` does."""
        request = {"resource": self._topic(topic)}
        policy = await _look(self._publisher.get_iam_policy(request=request, timeout=WITHIN_S), topic)
        found = [binding.members for binding in policy.bindings if binding.role == PUBLISHER] if policy else []
        return frozenset(member for members in found for member in members)

    async def may_publish(self, topic: str) -> bool:
        """Whether we may; raises as `has_topic` does."""
        request = {"resource": self._topic(topic), "permissions": ["pubsub.topics.publish"]}
        answer = await _look(self._publisher.test_iam_permissions(request=request, timeout=WITHIN_S), topic)
        return answer is not None and bool(answer.permissions)

    def _topic(self, name: str) -> str:
        return f"projects/{self._project}/topics/{name}"

    async def close(self) -> None:
        """Close the connections."""
        await self._publisher.transport.close()
        await self._subscriber.transport.close()


async def _look(call: Awaitable[Any], what: str) -> Any:
    try:
        return await call
    except exceptions.NotFound:
        return None
    except (exceptions.Forbidden, exceptions.MethodNotImplemented) as hidden:
        raise HiddenError from hidden
    except FAILURES as error:
        raise transport_trouble(error, what) from error


def _short(name: str) -> str:
    return name.rpartition("/")[2]


def missing_rights(client: Any, bucket: str, wanted: Collection[str]) -> set[str] | None:
    """The permissions on a bucket that we lack, None if there is no such bucket; blocks.

    Raises HiddenError where rights can't be asked after, and TransientError `store.*` if nobody answers.
    """
    with storage_trouble(f"gs://{bucket}"):
        there = client.bucket(bucket)
        try:
            return set(wanted) - set(there.test_iam_permissions(list(wanted), timeout=WITHIN_S))
        except exceptions.NotFound as missing:
            if not there.exists(timeout=WITHIN_S):
                return None
            raise HiddenError from missing
        except (exceptions.Forbidden, exceptions.MethodNotImplemented) as hidden:
            raise HiddenError from hidden


def notifications(client: Any, bucket: str) -> list[Notified]:
    """The notification configurations of a bucket; blocks, and raises as `missing_rights` does."""
    with storage_trouble(f"gs://{bucket}"):
        try:
            found = list(client.bucket(bucket).list_notifications(timeout=WITHIN_S))
        except (exceptions.NotFound, exceptions.Forbidden, exceptions.MethodNotImplemented) as hidden:
            raise HiddenError from hidden
    return [
        Notified(str(each.notification_id), each.topic_name, tuple(each.event_types or ()), each.blob_name_prefix or "")
        for each in found
    ]


async def google_time() -> datetime:
    """What Google's clock says, to the second; raises HiddenError if it can't be asked."""
    import httpx

    try:
        async with httpx.AsyncClient(timeout=WITHIN_S) as client:
            answer = await client.head("https://www.googleapis.com/generate_204")
        return parsedate_to_datetime(answer.headers["date"]).astimezone(UTC)
    except (httpx.HTTPError, KeyError, ValueError) as error:
        raise HiddenError from error
