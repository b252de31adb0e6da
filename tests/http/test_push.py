"""Pushed messages: only the one account's are taken, each is written or queued before it is acked, none blocks."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from schemas import ids
from schemas.errors import TransientError
from schemas.event import Delivery, StageRequested
from schemas.outcome import Verdict
from tests.http.conftest import PUSHER, Keys, make_signer, token_of
from tests.walks.workbook import small_workbook
from worker import dispatch, jobs
from worker.adapters.oidc import PushGuard
from worker.http import push
from worker.http.site import Site, build_site
from worker.ledger.tables import delivery
from worker.settings import Settings


def notification(settings: Settings, **changes: Any) -> dict[str, Any]:
    """What Cloud Storage tells of an object, in Pub/Sub's envelope."""
    told = {"bucket": settings.inbox, "name": "inbox/harbor/a.xlsx", "generation": "7", "size": "10", **changes}
    attributes = {"eventType": "OBJECT_FINALIZE", "bucketId": told["bucket"], "payloadFormat": "JSON_API_V1"}
    return envelope(told, attributes)


def envelope(body: Any, attributes: dict[str, str] | None = None, message_id: str = "m1") -> dict[str, Any]:
    """A message as Pub/Sub pushes it."""
    data = base64.b64encode(json.dumps(body).encode()).decode()
    message = {"data": data, "attributes": attributes or {}, "messageId": message_id}
    return {"message": message, "subscription": "projects/p/subscriptions/dealwright-uploads-worker"}


async def send(browser: httpx.AsyncClient, body: Any, token: str | None, **headers: str) -> int:
    """The status of the answer."""
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (await browser.post("/push", content=content, headers=headers)).status_code


async def test_a_pushed_notification_is_a_job_once_it_is_acked(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings
) -> None:
    """And once more pushed, it is the same job; Google's keys are asked for once."""
    for _ in range(2):
        assert await send(browser, notification(settings), token_of(keys.signer)) == 204
    found = await jobs.list_jobs(site.app)
    assert [each.job_id for each in found] == [ids.job_id_of_object(settings.inbox, "inbox/harbor/a.xlsx", 7)]
    assert keys.asked == 1


WRONG: dict[str, tuple[dict[str, Any], int]] = {
    "for another audience": ({"aud": "https://elsewhere.example"}, 401),
    "for nobody": ({"aud": None}, 401),
    "from another issuer": ({"iss": "https://login.example"}, 401),
    "from no issuer": ({"iss": None}, 401),
    "of another account": ({"email": "other@project.iam.gserviceaccount.com"}, 403),
    "of no account": ({"email": None}, 403),
    "of an address that isn't verified": ({"email_verified": False}, 403),
    "of an address of which nothing is said": ({"email_verified": None}, 403),
    "of an address that is verified in words": ({"email_verified": "true"}, 403),
    "that has run out": ({"iat": 1_000_000_000, "exp": 1_000_003_600}, 401),
    "that never runs out": ({"exp": None}, 401),
    "of tomorrow": ({"iat": 4_000_000_000, "exp": 4_000_003_600}, 401),
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_a_token_with_one_thing_wrong_lets_nothing_in(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings, wrong: str
) -> None:
    """Each claim by itself."""
    changes, status = WRONG[wrong]
    assert await send(browser, notification(settings), token_of(keys.signer, **changes)) == status
    assert await jobs.list_jobs(site.app) == []


def unsigned(token: str, **header: str) -> str:
    """The token's claims under another header, with no signature."""
    head = base64.urlsafe_b64encode(json.dumps({"typ": "JWT", "kid": "k1", **header}).encode()).rstrip(b"=").decode()
    return f"{head}.{token.split('.')[1]}."


async def test_a_token_that_google_did_not_sign_lets_nothing_in(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings
) -> None:
    """Another key under the same name, none, another algorithm, changed claims, garbage, another scheme."""
    good = token_of(keys.signer)
    other, _ = make_signer("k1")
    unknown, _ = make_signer("k2")
    head, _, tail = good.split(".")
    swapped = f"{head}.{token_of(keys.signer, email='x@y.example').split('.')[1]}.{tail}"
    forged = [token_of(other), token_of(unknown), unsigned(good, alg="none"), unsigned(good, alg="HS256"), swapped]
    for token in [*forged, "garbage", "W10.W10.W10", "", "a.b"]:
        assert await send(browser, notification(settings), token) == 401, token
    assert await send(browser, notification(settings), None) == 401
    assert await send(browser, notification(settings), None, authorization=f"Basic {good}") == 401
    assert await jobs.list_jobs(site.app) == []


def headed(header: str) -> str:
    """A token with that header, which nobody signed."""
    parts = [header.encode(), b"{}", b"x"]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


JUNK = {
    "a letter": "x",
    "three of them": "x.y.z",
    "not signed": headed('{"alg": "none", "kid": "k1"}'),
    "signed with a secret": headed('{"alg": "HS256", "kid": "k1"}'),
    "of no key": headed('{"alg": "RS256"}'),
    "no header": headed("[]"),
    "very long": headed('{"alg": "RS256", "kid": "k1", "x": "' + "a" * 60_000 + '"}'),
}


@pytest.mark.parametrize("kind", JUNK)
async def test_what_is_no_token_of_googles_is_refused_without_its_keys(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings, kind: str
) -> None:
    """A stranger's garbage makes no request of ours, and no failure that anybody is woken for."""
    keys.status = 500
    assert await send(browser, notification(settings), JUNK[kind]) == 401
    assert keys.asked == 0
    assert await jobs.list_jobs(site.app) == []


@pytest.mark.parametrize("given", [("", ""), ("dealwright-push", ""), ("", PUSHER)])
async def test_without_both_settings_nothing_is_let_in(
    site: Site, keys: Keys, settings: Settings, given: tuple[str, str]
) -> None:
    """Not even with a token that would be good."""
    closed = build_site(replace(site, guard=PushGuard(*given, keys)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(closed), base_url="http://site") as browser:
        assert await send(browser, notification(settings), token_of(keys.signer)) == 403
        assert await send(browser, notification(settings), token_of(keys.signer, aud="", email="")) == 403
    assert await jobs.list_jobs(site.app) == []


async def test_googles_keys_are_kept_as_long_as_they_say(
    browser: httpx.AsyncClient, keys: Keys, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And asked for anew after that: they change every few weeks."""
    monkeypatch.setattr(keys, "headers", {"cache-control": "public, max-age=0"})
    for _ in range(3):
        assert await send(browser, notification(settings), token_of(keys.signer)) == 204
    assert keys.asked == 3


async def test_while_googles_keys_cannot_be_had_messages_come_again(
    browser: httpx.AsyncClient, keys: Keys, settings: Settings
) -> None:
    """And an answer that is no good isn't kept."""
    keys.status = 500
    assert await send(browser, notification(settings), token_of(keys.signer)) == 503
    keys.status = 200
    assert await send(browser, notification(settings), token_of(keys.signer)) == 204


GARBAGE: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"\xff{",
    "no envelope": b"[1, 2]",
    "an empty envelope": b"{}",
    "a message that is none": b'{"message": 7}',
    "data that is no base64": b'{"message": {"data": "%%%", "messageId": "g"}, "subscription": "s"}',
    "an event of nobody's": json.dumps(envelope({"kind": "Nonsense"})).encode(),
    "deep nesting": b"[" * 100_000,
    "three megabytes": json.dumps(envelope("x" * 3_000_000)).encode(),
}


@pytest.mark.parametrize("kind", GARBAGE)
async def test_garbage_is_noted_and_acked(browser: httpx.AsyncClient, site: Site, keys: Keys, kind: str) -> None:
    """It would come again for ever, and nothing would ever become of it."""
    assert await send(browser, GARBAGE[kind], token_of(keys.signer)) == 204
    assert [row["outcome"] for row in await site.app.ledger.rows(select(delivery))] == ["Ignored"]


async def test_what_no_message_can_be_is_not_read_to_its_end(
    browser: httpx.AsyncClient, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of a stranger's, nothing at all."""
    monkeypatch.setattr(push, "LARGEST_BYTES", 1000)
    assert await send(browser, b"x" * 1001, token_of(keys.signer)) == 413
    sent = 0

    async def body() -> Any:
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b"x"

    assert (await browser.post("/push", content=body())).status_code == 401


@pytest.mark.parametrize("form", ["binary", "structured"])
async def test_cloud_events_are_taken_as_notifications_are(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings, form: str
) -> None:
    """Eventarc sends either."""
    told = {"bucket": settings.inbox, "name": "inbox/a.xlsx", "generation": "7", "size": "10"}
    event = {"specversion": "1.0", "type": "google.cloud.storage.object.v1.finalized", "source": "//s", "id": "1"}
    if form == "binary":
        headers = {f"ce-{name}": value for name, value in event.items()}
        status = await send(browser, told, token_of(keys.signer), **headers)
    else:
        kind = "application/cloudevents+json; charset=utf-8"
        status = await send(browser, {**event, "data": told}, token_of(keys.signer), **{"content-type": kind})
    assert status == 204
    assert len(await jobs.list_jobs(site.app)) == 1


def stage(number: int) -> dict[str, Any]:
    """A message that asks for long work."""
    event = StageRequested(job_id=f"job{number}", stage="extraction")
    return envelope(event.model_dump(mode="json"), {"message_id": event.key}, str(number))


class Stuck:
    """A handler that never comes to an end."""

    async def take(self, delivery: Delivery) -> Verdict:
        """Nothing."""
        await asyncio.Event().wait()
        return "ack"


async def test_long_work_waits_for_slots_and_no_more_of_it_than_can_be_done(
    browser: httpx.AsyncClient, site: Site, keys: Keys
) -> None:
    """429 has Pub/Sub send less, to this process or to another; what is queued already is acked again."""
    site.queue.subscribe(Stuck().take)
    statuses = [await send(browser, stage(number), token_of(keys.signer)) for number in range(push.PER_SLOT + 1)]
    assert statuses == [204] * push.PER_SLOT + [429]
    assert await send(browser, stage(0), token_of(keys.signer)) == 204
    assert await site.queue.close() == {f"StageRequested:job{number}:extraction" for number in range(push.PER_SLOT)}


async def test_while_a_service_is_down_messages_are_acked_without_a_place_to_wait(
    browser: httpx.AsyncClient, site: Site, keys: Keys
) -> None:
    """The ledger has what they say, and an outage must not bring the backlog to the dead letters."""
    assert site.app.breaker is not None
    site.queue.subscribe(Stuck().take)
    for number in range(3):
        site.app.breaker.failed(f"job{number}", "model.unavailable")
    statuses = [await send(browser, stage(number), token_of(keys.signer)) for number in range(push.PER_SLOT + 3)]
    assert set(statuses) == {204}
    assert len(site.queue.held()) == push.PER_SLOT
    assert await send(browser, notification(site.app.settings), token_of(keys.signer)) == 204
    assert [each.state for each in await jobs.list_jobs(site.app)] == ["received"]


async def test_long_work_is_done_after_the_answer(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings
) -> None:
    """The notification makes the job; its first stage, pushed, is queued, and the job goes on to its approval."""
    assert site.drop is not None
    path = Path(settings.inbox) / "inbox" / site.drop.put("a.xlsx", small_workbook())
    told = {"name": "inbox/a.xlsx", "generation": str(path.stat().st_mtime_ns), "size": str(path.stat().st_size)}
    assert await send(browser, notification(settings, **told), token_of(keys.signer)) == 204
    job_id = (await jobs.list_jobs(site.app))[0].job_id
    event = StageRequested(job_id=job_id, stage="extraction")
    assert await send(browser, envelope(event.model_dump(mode="json")), token_of(keys.signer)) == 204
    assert (await jobs.show_job(site.app, job_id)).state == "received"
    site.queue.resume()
    while site.queue.held():
        await site.queue.settle(10)
    assert (await jobs.show_job(site.app, job_id)).state == "waiting"


async def test_what_may_pass_comes_again(
    browser: httpx.AsyncClient, site: Site, keys: Keys, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is away, or so slow that the answer would be late; or a process that is about to end."""

    async def away(*_: object) -> None:
        raise TransientError("store.unavailable", "away")

    async def slow(*_: object) -> None:
        await asyncio.Event().wait()

    for broken in (away, slow):
        monkeypatch.setattr(push, "ANSWER_S", 0.05)
        monkeypatch.setattr(dispatch, "_handle", broken)
        assert await send(browser, notification(settings), token_of(keys.signer)) == 503
    monkeypatch.undo()
    site.worker.stop.set()
    assert await send(browser, notification(settings), token_of(keys.signer)) == 503


async def test_push_is_asked_by_post_alone(browser: httpx.AsyncClient, keys: Keys) -> None:
    """Whatever the token."""
    headers = {"authorization": f"Bearer {token_of(keys.signer)}"}
    assert {(await browser.request(method, "/push", headers=headers)).status_code for method in ("GET", "PUT")} == {405}
