"""`dealwright doctor` beyond this machine: queues, buckets, clocks and the model, over emulators and by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from schemas.errors import InputError, TransientError
from tests.agents.gemini import stub
from tests.cli.conftest import Line
from tests.conformance.places import Bucket
from tests.servers.gemini import error_reply
from worker.adapters import provisioning
from worker.adapters.google_clients import open_subscriber
from worker.adapters.probing import HiddenError, Notified
from worker.commands import doctor_live
from worker.commands.doctor_live import notified
from worker.settings import Settings
from worker.topology import read_topology

TOPIC = "dealwright-uploads"


@pytest.fixture
def cloud(
    monkeypatch: pytest.MonkeyPatch, project: str, pubsub_host: str, gcs_url: str, postgres_url: str
) -> dict[str, str]:
    """The settings of a set-up on emulators, with nothing made yet; the inbox bucket's name."""
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", pubsub_host)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", gcs_url)
    roles = {role: f"{project}-{role}" for role in ("inbox", "artifacts", "deliveries")}
    settings = {"TRANSPORT": "pubsub", "PROJECT": project, "DATABASE_URL": postgres_url}
    settings |= {role.upper(): f"gs://{name}" for role, name in roles.items()}
    for name, value in settings.items():
        monkeypatch.setenv(f"DEALWRIGHT_{name}", value)
    return roles


def findings(line: Line) -> dict[str, dict[str, Any]]:
    """What doctor says, by the name of the check."""
    return {check["name"]: check for check in line("doctor", "--json").document["checks"]}


def test_a_set_up_with_nothing_in_it_is_told_what_to_make(line: Line, cloud: dict[str, str]) -> None:
    """Each topic, subscription and bucket by name, with what brings it."""
    found = findings(line)
    assert "dealwright-dead" in found["topics"]["do"]
    assert "gcloud pubsub topics create" in found["topics"]["do"]
    assert "dealwright-work-worker is missing" in found["subscriptions"]["found"]
    assert "gcloud pubsub subscriptions create NAME --topic=" in found["subscriptions"]["do"]
    assert cloud["inbox"] in found["inbox"]["found"]
    assert [found[name]["ok"] for name in ("topics", "subscriptions", "inbox", "artifacts", "deliveries")] == [
        False
    ] * 5


def test_a_set_up_as_the_topology_says_is_well(
    line: Line, cloud: dict[str, str], project: str, pubsub_host: str, gcs_url: str
) -> None:
    """What emulators can't show is said to be unseen, with how it is seen; clocks are compared with the database's."""
    asyncio.run(provisioning.make_queues(read_topology(), project, pubsub_host))
    bucket = Bucket(gcs_url)
    for name in cloud.values():
        bucket.client.create_bucket(name)
    bucket.close()
    assert line("migrate").code == 0
    ran = line("doctor")
    assert ran.code == 0, ran.out
    found = findings(line)
    hidden = {name for name, check in found.items() if check["unseen"]}
    buckets = {"inbox", "artifacts", "deliveries", "signed links"}
    assert hidden == {"dead letters", "publishing", "notifications"} | buckets
    assert "the database's is" in found["clock"]["found"]
    assert ran.out.count("?  ") == len(hidden)


def test_subscriptions_that_are_not_as_they_must_be_are_told_apart(
    line: Line, cloud: dict[str, str], project: str, pubsub_host: str
) -> None:
    """Another deadline, one that expires, one without dead letters, and one that pushes with another audience."""
    topology = read_topology()
    asyncio.run(provisioning.make_queues(topology, project, pubsub_host))

    async def spoil() -> None:
        client: Any = open_subscriber(pubsub_host)
        for key in ("work", "renders"):
            name = f"projects/{project}/subscriptions/{topology.subscriptions[key].name}"
            await client.delete_subscription(subscription=name)
            request: dict[str, Any] = {"name": name, "topic": f"projects/{project}/topics/dealwright-{key}"}
            if key == "work":
                request |= {"ack_deadline_seconds": 10, "expiration_policy": {"ttl": Duration(seconds=86_400)}}
            else:
                push = {"push_endpoint": "https://w.example/push", "oidc_token": {"audience": "x"}}
                request |= {"ack_deadline_seconds": 60, "expiration_policy": {}, "push_config": push}
            await client.create_subscription(request=request)
        await client.transport.close()

    asyncio.run(spoil())
    told = findings(line)["subscriptions"]
    assert told["ok"] is False
    for words in (
        "dealwright-work-worker has an ack deadline of 10 s, not 60",
        "dealwright-work-worker expires",
        "dealwright-renders-worker must give up after 20 deliveries to dealwright-dead",
        "dealwright-renders-worker pushes with audience 'x', and DEALWRIGHT_PUSH_AUDIENCE is ''",
    ):
        assert words in told["found"]
    assert "dealwright-uploads-worker" not in told["found"]


@pytest.mark.long
def test_a_server_that_is_away_is_a_finding_and_hides_no_other(
    line: Line, cloud: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pub/Sub can't be reached; the buckets are looked at all the same."""
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", "127.0.0.1:1")
    monkeypatch.setattr("worker.adapters.probing.WITHIN_S", 0.5)
    found = findings(line)
    assert found["queues"]["ok"] is False
    assert "can't be reached" in found["queues"]["found"]
    assert "inbox" in found


@pytest.mark.parametrize(
    ("found", "ok", "words"),
    [
        ([Notified("1", TOPIC, ("OBJECT_FINALIZE",), "inbox/")], True, "once"),
        ([], False, "of no upload"),
        ([Notified("1", "other", (), "")], False, "of no upload"),
        ([Notified("1", TOPIC, ("OBJECT_DELETE",), "")], False, "of no upload"),
        ([Notified("1", TOPIC, ("OBJECT_FINALIZE",), "elsewhere/")], False, "of no upload"),
        ([Notified("1", TOPIC, ("OBJECT_FINALIZE",), "inbox/"), Notified("7", TOPIC, (), "")], False, "2 times"),
        ([Notified("1", TOPIC, (), "")], True, "of more than uploads"),
    ],
)
def test_notification_configurations_are_counted(found: list[Notified], ok: bool, words: str) -> None:
    """Two that cover one another tell of each upload twice; none tells of none."""
    told = notified(found, "b", TOPIC, "inbox/")
    assert (told.ok, words in told.found) == (ok, True)


class Granted:
    """Rights as Google would tell of them, which no emulator has."""

    def __init__(self, *members: str, hidden: bool = False) -> None:
        self._members, self._hidden = frozenset(members), hidden

    async def publishers(self, _: str) -> frozenset[str]:
        """Who may publish."""
        if self._hidden:
            raise HiddenError
        return self._members


@pytest.mark.parametrize(
    ("granted", "ok", "hidden"),
    [
        (Granted("serviceAccount:service-123@gcp-sa-pubsub.iam.gserviceaccount.com"), True, False),
        (Granted("serviceAccount:worker@acme-deals.iam.gserviceaccount.com"), False, False),
        (Granted(), False, False),
        (Granted(hidden=True), True, True),
    ],
)
async def test_the_right_that_makes_dead_letters_fire_is_looked_for(
    granted: Any, ok: bool, hidden: bool, settings: Settings
) -> None:
    """Pub/Sub's own account must have it, not ours; with the command that gives it, or that shows it."""
    told = await doctor_live._dead_letters(granted, read_topology(), settings)
    assert (told.ok, told.unseen) == (ok, hidden)
    assert ("gcloud pubsub topics" in told.do) == (not ok or hidden)


class Signs:
    """Deliveries whose links this account signs, or why not."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self._trouble = trouble

    def signed_url(self, place: str, name: str, _: float) -> str:
        """A link."""
        if self._trouble is not None:
            raise self._trouble
        return f"https://store.example/{place}{name}"


@pytest.mark.parametrize(
    ("deliveries", "seen", "words"),
    [
        (Signs(), True, "this account may sign them"),
        (Signs(TransientError("store.refused", "No.")), False, "only that of serve must"),
        (Signs(InputError("store.unsigned", "No.")), False, "only that of serve must"),
    ],
)
def test_whether_links_can_be_signed_is_tried(deliveries: Signs, seen: bool, words: str) -> None:
    """Who may not is told whose right it is: a worker needs none."""
    told = doctor_live.signing(deliveries, "gs://b")
    assert (told.ok, told.unseen, words in told.found) == (True, not seen, True)
    assert ("serviceAccountTokenCreator" in told.do) == (not seen)


def test_a_store_that_is_away_is_not_taken_for_a_right_that_lacks() -> None:
    """It is a finding of its own."""
    with pytest.raises(TransientError):
        doctor_live.signing(Signs(TransientError("store.unavailable", "Away.")), "gs://b")


@pytest.fixture
def settings(tmp_path: Any) -> Settings:
    """Any."""
    return Settings(state_dir=tmp_path)


def test_a_model_is_asked_whether_it_answers(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """One short question by the road of every stage; what it means if it fails stands beside it."""
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    monkeypatch.setenv("DEALWRIGHT_MODEL", "gemini-2.5-flash")
    with stub() as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        assert findings(line)["model answers"]["ok"] is True
        server.give(error_reply(403, "PERMISSION_DENIED"))
        told = findings(line)["model answers"]
    assert told["ok"] is False
    assert "refused the credentials" in told["found"]
    assert "check its key" in told["do"]
