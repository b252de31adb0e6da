"""The topics, subscriptions and buckets of a set-up, read from infra/topology.yaml, the one place that names them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from schemas.event import Topic

FILE = Path(__file__).resolve().parents[1] / "infra" / "topology.yaml"
Seconds = Annotated[int, Field(gt=0)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TopicPart(_Part):
    """A topic."""

    name: str


class Retry(_Part):
    """How long a server that can do so waits before it delivers a refused message again."""

    minimum_s: Seconds
    maximum_s: Seconds


class DeadLetter(_Part):
    """Where a message goes, by the key of a topic, that was delivered too often."""

    topic: str
    max_deliveries: Annotated[int, Field(ge=5, le=100)]


class Subscription(_Part):
    """A subscription that is pulled; `topic` is a topic's key."""

    name: str
    topic: str
    ack_deadline_s: Annotated[int, Field(ge=10, le=600)]
    retention_s: Annotated[int, Field(ge=600, le=2_678_400)]
    retry: Retry | None = None
    dead_letter: DeadLetter | None = None


class Bucket(_Part):
    """A bucket, and what it holds in words."""

    holds: str


class Notification(_Part):
    """What of a bucket is told to a topic, both by their keys."""

    bucket: str
    topic: str
    event_types: tuple[str, ...]
    prefix: str


class Topology(_Part):
    """All of it; raises ValueError for a key that names nothing."""

    topics: dict[str, TopicPart]
    subscriptions: dict[str, Subscription]
    buckets: dict[str, Bucket]
    notification: Notification

    @model_validator(mode="after")
    def _joined(self) -> Topology:
        used = {each.topic for each in self.subscriptions.values()} | {self.notification.topic}
        used |= {each.dead_letter.topic for each in self.subscriptions.values() if each.dead_letter}
        if missing := (used - set(self.topics)) | ({self.notification.bucket} - set(self.buckets)):
            raise ValueError(f"{min(missing)} is used, and stands nowhere")
        return self

    @property
    def fewest_deliveries(self) -> int:
        """After how many deliveries the most impatient subscription gives a message up."""
        return min(each.dead_letter.max_deliveries for each in self.subscriptions.values() if each.dead_letter)

    def topic_name(self, topic: Topic) -> str:
        """The name of the topic that events of ours are published to."""
        return self.topics[topic].name

    def bucket_name(self, role: str, project: str) -> str:
        """The name of the bucket that has a role in a project, where settings name no other."""
        assert role in self.buckets, role
        return f"{project}-dealwright-{role}"


@cache
def read_topology() -> Topology:
    """The topology that this version was released with."""
    return Topology.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))
