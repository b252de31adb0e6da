"""The webhook on both databases: every result gets to its listener, signed, and one worker at a time sends it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from schemas.job import WebhookDetail
from schemas.results import JobQuarantined
from schemas.webhooks import is_genuine, key_of
from tests.conformance.conftest import StillClock, upload
from tests.conformance.lines import eventually
from tests.servers.listener import Listener
from worker.adapters.webhook_sender import WebhookSender, retry_after_s
from worker.app import App
from worker.bootstrap import open_app
from worker.jobs import show_job
from worker.ledger.jobs import open_job
from worker.ledger.messages import announce
from worker.outbox import publish_promised
from worker.settings import Settings
from worker.webhooks import GIVE_UP_S, LEASE_S, deliver_due

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Who is told."""
    made = Listener()
    yield made
    made.close()


@pytest.fixture
def settings(url: str, tmp_path: Path, listener: Listener) -> Settings:
    """Settings that name the listener."""
    return Settings(state_dir=tmp_path / "state", database_url=url, webhook_url=listener.url, webhook_secret=SECRET)


@pytest_asyncio.fixture
async def app(settings: Settings, clock: StillClock) -> AsyncGenerator[App]:
    """An App with one job in it, whose messages are published to nobody."""
    async with open_app(settings, clock=clock) as opened:
        await open_job(opened.ledger, upload())
        yield replace(opened, publish=nowhere)


async def nowhere(topic: str, message_id: str, body: Mapping[str, Any]) -> None:
    """Take a message."""


async def tell(app: App, *fences: int) -> None:
    """Announce results, and publish them."""
    async with app.ledger.change("j1", "test") as change:
        for fence in fences:
            told = {"stage": "extraction", "code": "file.encrypted", "message": "Größe: unlock it.", "fence": fence}
            await announce(change, JobQuarantined, **told)
    await publish_promised(app)


async def owed(app: App) -> list[WebhookDetail]:
    """What the job shows of its webhooks."""
    return list((await show_job(app, "j1")).webhooks)


async def test_a_result_is_posted_once_and_its_signature_verifies(
    app: App, listener: Listener, clock: StillClock
) -> None:
    """The body is the CloudEvent as published; nothing is sent again after a 2xx."""
    await tell(app, 7)
    assert [await deliver_due(app), await deliver_due(app)] == [1, 0]
    (post,) = listener.posts
    assert is_genuine(key_of(SECRET), post.headers, post.body, clock())
    assert not is_genuine(key_of("whsec_" + "A" * 32), post.headers, post.body, clock())
    event = json.loads(post.body)
    assert (event["id"], event["type"], post.path) == (post.message_id, "dealwright.job.quarantined.v1", "/deals")
    assert post.headers["content-type"] == "application/cloudevents+json"
    (shown,) = await owed(app)
    assert (shown.state, shown.tries, [(each.status, each.error) for each in shown.log]) == ("done", 1, [(200, None)])


async def test_a_listener_that_fails_is_told_again_later_under_the_same_id(
    app: App, listener: Listener, clock: StillClock
) -> None:
    """Not before the wait is over, which grows; each try is signed anew and in the log."""
    listener.statuses = [500, 429, 204]
    await tell(app, 7)
    waits: list[float] = []
    for _ in range(2):
        assert await deliver_due(app) == 1
        assert await deliver_due(app) == 0
        waits.append(((await owed(app))[0].next_at - clock()).total_seconds())
        clock.go_on(waits[-1])
    assert await deliver_due(app) == 1
    assert 4 <= waits[0] <= 6
    assert 16 <= waits[1] <= 24
    assert len({post.message_id for post in listener.posts}) == 1
    assert len({post.headers["webhook-signature"] for post in listener.posts}) == 3
    (shown,) = await owed(app)
    assert (shown.state, [each.status for each in shown.log]) == ("done", [500, 429, 204])


async def test_a_busy_listener_is_left_alone_as_long_as_it_asks(
    app: App, listener: Listener, clock: StillClock
) -> None:
    """At most six hours, and never less than others are; one that fails otherwise has nothing to ask."""
    listener.statuses = [429, 503, 429, 500, 200]
    await tell(app, 1)
    waits: list[float] = []
    for asked in ("120", "1", "999999999", "86400"):
        listener.retry_after = asked
        assert await deliver_due(app) == 1
        waits.append(((await owed(app))[0].next_at - clock()).total_seconds())
        clock.go_on(waits[-1])
    assert await deliver_due(app) == 1
    assert (waits[0], waits[2]) == (120, 6 * 3600)
    assert 16 <= waits[1] <= 24
    assert 256 <= waits[3] <= 384
    assert (await owed(app))[0].state == "done"


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("120", 120),
        ("0", 0),
        ("-5", 0),
        ("1.5", 0),
        ("9" * 5000, 0),
        ("soon", 0),
        ("Sun, 01 Mar 2026 12:40:00 GMT", 600),
        ("Sun, 01 Mar 2026 12:40:00 -0000", 600),
        ("Sun, 01 Mar 2026 12:00:00 GMT", 0),
        ("Sun, 99 Mar 2026 12:00:00 GMT", 0),
        ("", 0),
    ],
)
def test_what_a_listener_asks_is_read_as_seconds_or_as_a_date(asked: str, seconds: float) -> None:
    """Of what is neither, nothing is taken."""
    now = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    assert retry_after_s({"retry-after": asked} if asked else {}, now) == seconds


async def test_a_listener_that_is_busy_all_day_is_given_up_with_the_day(
    app: App, listener: Listener, clock: StillClock
) -> None:
    """However long it asks to wait, the last try is made when the day is over."""
    began = clock()
    listener.statuses, listener.retry_after = [503], "86400"
    await tell(app, 1)
    while await deliver_due(app):
        (shown,) = await owed(app)
        clock.now = max(clock.now, shown.next_at)
    assert (shown.state, shown.tries) == ("given_up", 5)
    assert (shown.log[-1].at - began).total_seconds() == pytest.approx(GIVE_UP_S, abs=LEASE_S)


async def test_a_worker_killed_between_the_post_and_its_note_has_it_sent_again(
    app: App, listener: Listener, clock: StillClock
) -> None:
    """Once its lease ran out, by another worker, under the same id; the log shows the try that was cut off."""

    def die(name: str) -> None:
        if name == "webhook posted":
            raise Killed

    await tell(app, 7)
    with pytest.raises(Killed):
        await deliver_due(replace(app, checkpoint=die))
    assert await deliver_due(app) == 0
    clock.go_on(LEASE_S)
    assert await deliver_due(app) == 1
    assert [post.message_id for post in listener.posts] == ["JobQuarantined:j1:7"] * 2
    (shown,) = await owed(app)
    assert [(each.status, each.error, each.duration_ms is None) for each in shown.log] == [
        (None, None, True),
        (200, None, False),
    ]


async def test_whoever_was_away_too_long_writes_nothing_over_the_one_who_took_over(
    app: App, listener: Listener, clock: StillClock
) -> None:
    """The first try's answer comes late, a failure; the second one's, a success, stays."""
    listener.statuses = [500, 200]
    await tell(app, 7)
    listener.free.clear()
    first = asyncio.create_task(deliver_due(app))
    await eventually(lambda: len(listener.posts) == 1)
    clock.go_on(LEASE_S)
    second = asyncio.create_task(deliver_due(app))
    await eventually(lambda: len(listener.posts) == 2)
    listener.free.set()
    await asyncio.gather(first, second)
    (shown,) = await owed(app)
    assert sorted(each.status or 0 for each in shown.log) == [200, 500]
    assert shown.state == ("done" if shown.log[1].status == 200 else "owed")


async def test_two_workers_at_once_send_each_result_once(settings: Settings, app: App, listener: Listener) -> None:
    """Whatever one has claimed the other passes over."""
    await tell(app, *range(30))
    async with AsyncExitStack() as stack:
        other = await stack.enter_async_context(open_app(settings, clock=app.clock))
        made = await asyncio.gather(*(deliver_due(each) for each in (app, other, app, other)))
    assert sum(made) == 30
    assert sorted(post.message_id for post in listener.posts) == sorted(f"JobQuarantined:j1:{n}" for n in range(30))


async def test_a_dead_listener_and_a_silent_one_are_noted_by_name(app: App, listener: Listener) -> None:
    """Nobody there, and somebody who never answers."""
    await tell(app, 1)
    nobody = WebhookSender("http://127.0.0.1:1/", SECRET, app.clock)
    assert await deliver_due(replace(app, webhook=nobody)) == 1
    await tell(app, 2)
    listener.free.clear()
    silent = WebhookSender(listener.url, SECRET, app.clock, time_limit_s=0.2)
    assert await deliver_due(replace(app, webhook=silent)) == 1
    shown = {each.id: (each.state, each.log[0].status, each.log[0].error) for each in await owed(app)}
    assert shown == {
        "JobQuarantined:j1:1": ("owed", None, "ConnectError"),
        "JobQuarantined:j1:2": ("owed", None, "TimeoutError"),
    }


@pytest.mark.parametrize(("status", "state"), [(307, "owed"), (410, "given_up"), (404, "owed")])
async def test_what_an_answer_means(app: App, listener: Listener, status: int, state: str) -> None:
    """A redirect is not followed; only Gone ends it at once."""
    listener.statuses = [status]
    await tell(app, 1)
    await deliver_due(app)
    (shown,) = await owed(app)
    assert (shown.state, len(listener.posts), listener.posts[0].path) == (state, 1, "/deals")


async def test_after_a_day_a_result_is_given_up(app: App, clock: StillClock) -> None:
    """A dozen tries, the last one when the day is over."""
    began = clock()
    await tell(app, 1)
    dead = replace(app, webhook=WebhookSender("http://127.0.0.1:1/", SECRET, app.clock))
    while await deliver_due(dead):
        (shown,) = await owed(app)
        clock.now = max(clock.now, shown.next_at)
    assert shown.state == "given_up"
    assert (shown.log[-1].at - began).total_seconds() == pytest.approx(GIVE_UP_S, abs=LEASE_S)
    assert 10 <= shown.tries <= 14


async def test_without_a_listener_nothing_is_owed(app: App, listener: Listener) -> None:
    """And what was told before there was one is not told afterwards."""
    await tell(replace(app, webhook=None), 1)
    await tell(app, 2)
    assert await deliver_due(app) == 1
    assert [each.id for each in await owed(app)] == ["JobQuarantined:j1:2"]
    assert await deliver_due(replace(app, webhook=None)) == 0
