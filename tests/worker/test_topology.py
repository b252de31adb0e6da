"""The one place that names topics, subscriptions and buckets."""

from __future__ import annotations

import copy
from typing import Any, get_args

import pytest
import yaml
from pydantic import ValidationError

from schemas.event import Topic
from worker.settings import Settings
from worker.topology import FILE, Topology, read_topology


def written() -> dict[str, Any]:
    """The file's content."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def test_every_topic_of_ours_has_a_name() -> None:
    """A topic that an event names is one that is made."""
    names = {topic: read_topology().topic_name(topic) for topic in get_args(Topic)}
    assert len(set(names.values())) == len(get_args(Topic))
    assert names["work"] == "dealwright-work"


@pytest.mark.parametrize("role", ["uploads", "work", "renders"])
def test_what_workers_pull_is_given_up_only_long_after_the_ledger_did(role: str) -> None:
    """The ledger counts attempts and sets a job aside; the dead letter is for what never reached it."""
    subscription = read_topology().subscriptions[role]
    assert subscription.topic == role
    assert subscription.dead_letter is not None
    assert subscription.dead_letter.topic == "dead"
    settings = Settings()
    assert subscription.dead_letter.max_deliveries > settings.max_attempts + settings.max_lost_leases


def test_dead_letters_are_kept_and_lead_nowhere_else() -> None:
    """Longer than anything else is, and a refused one does not go round in circles."""
    keep = read_topology().subscriptions["dead"]
    assert keep.topic == "dead"
    assert keep.dead_letter is None
    assert keep.retention_s >= max(each.retention_s for each in read_topology().subscriptions.values())


def test_only_uploads_are_told_of_and_only_their_prefix() -> None:
    """Nothing that we write ourselves, wherever it lies, may come back as an upload."""
    told = read_topology().notification
    assert (told.bucket, told.topic, told.event_types) == ("inbox", "uploads", ("OBJECT_FINALIZE",))
    assert told.prefix == Settings().inbox_prefix


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("subscriptions", "work", {"topic": "wrok"}),
        ("subscriptions", "work", {"dead_letter": {"topic": "graveyard", "max_deliveries": 20}}),
        ("subscriptions", "work", {"ack_deadline_s": 5}),
        ("subscriptions", "work", {"filter": "attributes.kind"}),
        ("subscriptions", "dead", {"retention_s": 3_000_000}),
        ("topics", "work", {"nmae": "x"}),
    ],
)
def test_a_slip_in_the_file_is_found_when_it_is_read(part: str, key: str, value: dict[str, Any]) -> None:
    """A name that stands nowhere, a time that Pub/Sub doesn't take, a setting that we don't rely on."""
    broken = copy.deepcopy(written())
    broken[part][key] |= value
    with pytest.raises(ValidationError):
        Topology.model_validate(broken)
    assert Topology.model_validate(written()) == read_topology()
