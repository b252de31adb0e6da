"""What `doctor` looks at beyond this machine: queues, rights, buckets, clocks, the model. Each check is by itself."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from schemas.errors import DealwrightError
from schemas.event import Topic
from worker.adapters.clock import system_clock
from worker.commands.finding import Finding, unseen
from worker.settings import Settings, bucket_of, emulators
from worker.topology import Subscription, Topology, read_topology

if TYPE_CHECKING:
    # Google's clients are loaded where there is something of Google's to look at.
    from worker.adapters.probing import Notified, Queues, Subscribed

Check = Callable[[Settings], Awaitable[list[Finding]]]
MOST_SKEW_S = 5.0
"""How far clocks may be apart: leases, signatures and tokens compare moments of different machines."""
AGENT = re.compile(r"serviceAccount:service-\d+@gcp-sa-pubsub\.iam\.gserviceaccount\.com")
APPLY = "terraform apply in infra/terraform"
PUBLISHED: tuple[Topic, ...] = ("work", "renders", "results")
READ, WRITE, LIST = "storage.objects.get", "storage.objects.create", "storage.objects.list"
RIGHTS = {"inbox": (READ, LIST), "artifacts": (READ, WRITE, LIST), "deliveries": (READ, WRITE)}
"""What a worker does with the objects of each bucket."""


def examine_live(settings: Settings) -> Iterator[Finding]:
    """The findings, one after another; whatever fails in a check is its finding."""
    places = [getattr(settings, role) for role in RIGHTS]
    cloud = settings.transport == "pubsub" or any(place.startswith("gs://") for place in places)
    checks: list[tuple[str, bool, Check]] = [
        ("queues", settings.transport == "pubsub", _queues),
        ("buckets", any(place.startswith("gs://") for place in places), _buckets),
        ("notifications", settings.transport == "pubsub" and settings.inbox.startswith("gs://"), _notifications),
        ("signed links", settings.deliveries.startswith("gs://"), _links),
        ("clock", settings.database == "postgresql" or cloud, _clocks),
        ("model answers", settings.model != "offline", _model),
    ]
    for name, wanted, check in checks:
        if wanted:
            yield from asyncio.run(_safely(name, check, settings))


async def _safely(name: str, check: Check, settings: Settings) -> list[Finding]:
    try:
        return await check(settings)
    except DealwrightError as error:
        found, _, do = error.message.partition("; ")
        return [Finding(name, False, found, do.rstrip(".") or "see README, When something is wrong")]
    except Exception as error:  # noqa: BLE001 a check that fails must not hide the others
        return [
            Finding(name, False, f"it could not be looked at ({type(error).__name__})", "see that it can be reached")
        ]


def _emulated(endpoint: str | None, gcloud: str) -> tuple[str, str]:
    """Why something can't be seen, and how it can be."""
    if endpoint:
        return "an emulator has none of it", "look again on Google"
    return "this account may not look", f"look by: {gcloud}"


async def _queues(settings: Settings) -> list[Finding]:
    from worker.adapters.probing import Queues

    queues, topology = Queues(settings.project, emulators()[0]), read_topology()
    try:
        looks = (_topics, _subscriptions, _dead_letters, _publishing)
        return [await look(queues, topology, settings) for look in looks]
    finally:
        await queues.close()


async def _topics(queues: Queues, topology: Topology, _: Settings) -> Finding:
    from worker.adapters.probing import HiddenError

    names = [topic.name for topic in topology.topics.values()]
    try:
        missing = [name for name in names if not await queues.has_topic(name)]
    except HiddenError:
        return unseen("topics", *_emulated(emulators()[0], "gcloud pubsub topics list"))
    do = f"{APPLY}, or: gcloud pubsub topics create {' '.join(missing)}" if missing else ""
    return Finding("topics", not missing, f"missing: {', '.join(missing)}" if missing else ", ".join(names), do)


async def _subscriptions(queues: Queues, topology: Topology, settings: Settings) -> Finding:
    from worker.adapters.probing import HiddenError

    wrong: list[str] = []
    names = [each.name for each in topology.subscriptions.values()]
    try:
        for each in topology.subscriptions.values():
            found = await queues.subscription(each.name)
            if found is None:
                wrong.append(f"{each.name} is missing")
            else:
                wrong += [f"{each.name} {what}" for what in _differences(topology, each, found, settings)]
    except HiddenError:
        return unseen("subscriptions", *_emulated(emulators()[0], f"gcloud pubsub subscriptions describe {names[0]}"))
    missing = [each for each in wrong if each.endswith(" is missing")]
    how = ["create NAME --topic=TOPIC"] * bool(missing) + ["update NAME"] * (len(wrong) > len(missing))
    commands = " and ".join(f"gcloud pubsub subscriptions {each}" for each in how)
    do = f"{APPLY}, or: {commands}, as infra/topology.yaml says"
    return Finding("subscriptions", not wrong, "; ".join(wrong) if wrong else ", ".join(names), do if wrong else "")


def _differences(topology: Topology, wanted: Subscription, found: Subscribed, settings: Settings) -> Iterator[str]:
    """In which a subscription is not as it must be."""
    if found.topic != topology.topics[wanted.topic].name:
        yield f"takes from {found.topic}"
    if found.ack_deadline_s != wanted.ack_deadline_s:
        yield f"has an ack deadline of {found.ack_deadline_s} s, not {wanted.ack_deadline_s}"
    if found.expires:
        yield "expires when nobody uses it (--expiration-period=never)"
    if wanted.dead_letter:
        dead, most = topology.topics[wanted.dead_letter.topic].name, wanted.dead_letter.max_deliveries
        if (found.dead_topic, found.max_deliveries) != (dead, most):
            yield f"must give up after {most} deliveries to {dead}"
    if found.pushes_to and found.audience != settings.push_audience:
        yield f"pushes with audience {found.audience!r}, and DEALWRIGHT_PUSH_AUDIENCE is {settings.push_audience!r}"


async def _dead_letters(queues: Queues, topology: Topology, _: Settings) -> Finding:
    """Without this right messages are never given up, in silence: they come again for ever."""
    from worker.adapters.probing import PUBLISHER, HiddenError

    topic = topology.topics["dead"].name
    agent = "serviceAccount:service-PROJECT_NUMBER@gcp-sa-pubsub.iam.gserviceaccount.com"
    try:
        given = any(AGENT.fullmatch(member) for member in await queues.publishers(topic))
    except HiddenError:
        return unseen("dead letters", *_emulated(emulators()[0], f"gcloud pubsub topics get-iam-policy {topic}"))
    found = f"Pub/Sub's own account {'may' if given else 'was not given the right to'} publish to {topic}"
    add = f"gcloud pubsub topics add-iam-policy-binding {topic} --member={agent} --role={PUBLISHER}"
    return Finding("dead letters", given, found, "" if given else f"{APPLY}, or: {add}")


async def _publishing(queues: Queues, topology: Topology, _: Settings) -> Finding:
    from worker.adapters.probing import HiddenError

    names = [topology.topic_name(topic) for topic in PUBLISHED]
    try:
        barred = [name for name in names if not await queues.may_publish(name)]
    except HiddenError:
        return unseen("publishing", *_emulated(emulators()[0], f"gcloud pubsub topics get-iam-policy {names[0]}"))
    found = f"this account may not publish to {', '.join(barred)}" if barred else "this account may publish"
    return Finding("publishing", not barred, found, f"give it roles/pubsub.publisher there: {APPLY}" if barred else "")


async def _buckets(settings: Settings) -> list[Finding]:
    places = {role: getattr(settings, role) for role in RIGHTS}
    in_buckets = {role: bucket_of(place) for role, place in places.items() if place.startswith("gs://")}
    return [await asyncio.to_thread(_bucket, settings, role, name) for role, name in in_buckets.items()]


def _bucket(settings: Settings, role: str, name: str) -> Finding:
    from worker.adapters.google_clients import open_storage
    from worker.adapters.probing import HiddenError, missing_rights

    endpoint = emulators()[1]
    client = open_storage(settings.project, endpoint)
    try:
        missing = missing_rights(client, name, RIGHTS[role])
    except HiddenError:
        why, do = _emulated(endpoint, f"gcloud storage buckets get-iam-policy gs://{name}")
        return unseen(role, f"gs://{name} is there; its rights: {why}", do)
    finally:
        client.close()
    if missing is None:
        return Finding(role, False, f"there is no gs://{name}", f"{APPLY}, or correct DEALWRIGHT_{role.upper()}")
    found = f"gs://{name}" + (f": this account lacks {', '.join(sorted(missing))}" if missing else "")
    return Finding(role, not missing, found, f"give it the rights: {APPLY}" if missing else "")


async def _notifications(settings: Settings) -> list[Finding]:
    from worker.adapters.google_clients import open_storage
    from worker.adapters.probing import HiddenError, notifications

    name, endpoint = bucket_of(settings.inbox), emulators()[1]
    client = open_storage(settings.project, endpoint)
    try:
        found = await asyncio.to_thread(notifications, client, name)
    except HiddenError:
        do = f"gcloud storage buckets notifications list gs://{name}"
        return [unseen("notifications", *_emulated(endpoint, do))]
    finally:
        client.close()
    return [notified(found, name, read_topology().topic_name("uploads"), settings.inbox_prefix)]


def notified(found: list[Notified], bucket: str, topic: str, prefix: str) -> Finding:
    """Whether just one configuration tells the topic of what is written below the prefix: two tell everything twice."""
    ours = [each for each in found if each.topic == topic]
    telling = [each for each in ours if not each.event_types or "OBJECT_FINALIZE" in each.event_types]
    telling = [each for each in telling if prefix.startswith(each.prefix) or each.prefix.startswith(prefix)]
    if not telling:
        return Finding("notifications", False, f"gs://{bucket} tells {topic} of no upload", APPLY)
    if len(telling) > 1:
        numbers = ", ".join(each.number for each in telling)
        found_ = f"gs://{bucket} tells {topic} of each upload {len(telling)} times (configurations {numbers})"
        do = f"gcloud storage buckets notifications delete projects/_/buckets/{bucket}/notificationConfigs/NUMBER"
        return Finding("notifications", False, found_, f"keep one: {do}")
    more = [each.number for each in ours if each.event_types != ("OBJECT_FINALIZE",) or each.prefix != prefix]
    found_ = f"gs://{bucket} tells {topic} once" + (", and of more than uploads, which is ignored" if more else "")
    return Finding("notifications", True, found_)


async def _links(settings: Settings) -> list[Finding]:
    from worker.bootstrap import open_deliveries

    if emulators()[1]:
        return [unseen("signed links", *_emulated(emulators()[1], ""))]
    return [await asyncio.to_thread(signing, open_deliveries(settings), settings.deliveries)]


def signing(deliveries: Any, place: str) -> Finding:
    """Whether this account may sign links to what was delivered, which only that of `serve` must; blocks."""
    try:
        deliveries.signed_url(f"{place}/", "memo.pdf", 60.0)
    except DealwrightError as error:
        if error.code not in ("store.refused", "store.unsigned"):
            raise
        do = "gcloud iam service-accounts get-iam-policy ACCOUNT (roles/iam.serviceAccountTokenCreator on itself)"
        return unseen("signed links", "this account may not sign any, and only that of serve must", f"look by: {do}")
    return Finding("signed links", True, "this account may sign them")


async def _clocks(settings: Settings) -> list[Finding]:
    from worker.adapters.probing import HiddenError, google_time

    skews: dict[str, float] = {}
    if settings.database == "postgresql":
        skews["the database's"] = await _database_skew_s(settings)
    on_google = settings.transport == "pubsub" or settings.artifacts.startswith("gs://")
    if on_google and not any(emulators()):
        try:
            skews["Google's"] = (await google_time() - system_clock()).total_seconds()
        except HiddenError:
            return [unseen("clock", "Google's can't be asked from here", "compare date -u with another machine's")]
    if not skews:
        return []
    found = ", ".join(f"{whose} is {skew:+.1f} s from ours" for whose, skew in skews.items())
    # Google's is told in whole seconds.
    ok = all(abs(skew) <= MOST_SKEW_S for skew in skews.values())
    return [Finding("clock", ok, found, "" if ok else "keep the machines' clocks in step (chrony, NTP)")]


async def _database_skew_s(settings: Settings) -> float:
    from sqlalchemy import text

    from worker.bootstrap import LEDGER_SCHEMA
    from worker.ledger.engine import make_engine

    engine = make_engine(settings.database_url, LEDGER_SCHEMA, pooled=False)
    try:
        async with engine.connect() as connection:
            before = system_clock()
            theirs: datetime = (await connection.execute(text("select clock_timestamp()"))).scalar_one()
            ours = before + (system_clock() - before) / 2
    finally:
        await engine.dispose()
    return (theirs.astimezone(UTC) - ours).total_seconds()


async def _model(settings: Settings) -> list[Finding]:
    from agents.reaching import reach

    await reach(settings.model)
    return [Finding("model answers", True, settings.model)]
