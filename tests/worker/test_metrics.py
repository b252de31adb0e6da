"""Metrics: what a job did is counted, how jobs stand is told, and nobody outside sees it or makes series of it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from starlette.applications import Starlette

from schemas.event import Delivery
from worker import jobs, metrics, standing
from worker.app import App
from worker.breaker import FAILURES_TO_OPEN, Breaker
from worker.decisions import Said
from worker.dispatch import handle
from worker.http.metrics import measured, metrics_route
from worker.ledger.leases import take_lease
from worker.metrics import KEPT_S, MOST_VALUES, Metrics
from worker.policy import Fault
from worker.quarantine import quarantine
from worker.tracing import listening

Values = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def values(told: Metrics) -> Values:
    """Each sample of the text, by its name and labels."""
    families = text_string_to_metric_families((await told.text()).decode())
    samples = [sample for family in families for sample in family.samples]
    return {(sample.name, frozenset(sample.labels.items())): sample.value for sample in samples}


def of(found: Values, name: str, **labels: str) -> float:
    """The sum of a metric over all samples that have those labels."""
    wanted = frozenset(labels.items())
    return sum(value for (each, told), value in found.items() if each == f"dealwright_{name}" and wanted <= told)


@pytest.fixture
def told(app: App) -> Generator[Metrics]:
    """What is counted of what a test does."""
    counting = Metrics(replace(app, breaker=Breaker(app.clock)))
    with listening(counting.take):
        yield counting


async def test_a_jobs_last_stretch_is_counted(app: App, waiting: str, told: Metrics) -> None:
    """Decision, messages, deliveries, attempts by stage, and the model's calls and tokens."""
    before = await values(told)
    assert of(before, "jobs", state="waiting") == 1
    await jobs.decide(app, waiting, Said("approved", "approver"))
    assert await jobs.run_until_quiet(app, waiting) == "completed"
    found = await values(told)
    assert of(found, "decisions_total", verdict="approved", outcome="applied") == 1
    assert of(found, "attempts_total", stage="presentation", outcome="Done", code="none") == 1
    assert of(found, "attempts_total", stage="delivery", outcome="Done") == 1
    assert of(found, "attempt_duration_seconds_count", stage="presentation") == 1
    assert of(found, "deliveries_total", subscription="work", outcome="Done") >= 2
    assert of(found, "messages_published_total", topic="work") >= 2
    assert of(found, "model_calls_total", model="offline-rules/1", stage="presentation", outcome="ok") >= 1
    assert of(found, "model_tokens_asked_total", model="offline-rules/1") > 100
    assert of(found, "delivery_duration_seconds_count") == 1


async def test_what_is_late_is_told_by_its_age(app: App, waiting: str, told: Metrics, clock: Any) -> None:
    """The job that waits longest, and the message that nobody sends."""
    await jobs.decide(app, waiting, Said("approved", "approver"))
    clock.jump(3600)
    found = await values(told)
    assert of(found, "jobs", state="presenting") == 1
    assert 3600 <= of(found, "oldest_job_age_seconds", state="presenting") < 3700
    assert of(found, "messages_unsent") == 1
    assert 3600 <= of(found, "oldest_unsent_message_age_seconds") < 3700


async def test_jobs_that_are_set_aside_are_told_by_their_code(app: App, waiting: str, told: Metrics) -> None:
    """As long as they are; they are no unfinished ones."""
    async with app.ledger.change(waiting, "test") as change:
        await quarantine(change, Fault("file.encrypted", "The file is encrypted.", "aside"))
    found = await values(told)
    assert of(found, "jobs_in_quarantine", code="file.encrypted") == 1
    assert of(found, "jobs") == 0


async def test_a_lease_that_ran_out_is_counted_when_another_worker_takes_it(
    app: App, waiting: str, told: Metrics, clock: Any
) -> None:
    """By what it was of."""
    for _ in range(2):
        async with app.ledger.change(waiting, "test") as change:
            assert await take_lease(change, change.job, app.terms, "presentation") is not None
        clock.jump(app.settings.lease_s + 1)
    assert of(await values(told), "leases_lost_total", of="job") == 1


async def test_an_open_breaker_is_told(told: Metrics) -> None:
    """One of its three states is 1."""
    breaker = told._app.breaker
    assert breaker is not None
    for number in range(FAILURES_TO_OPEN):
        breaker.failed(f"job {number}", "model.unavailable")
    found = await values(told)
    assert [of(found, "breaker", service="model", state=state) for state in ("closed", "open", "probing")] == [0, 1, 0]


async def test_strangers_messages_make_no_series_without_end(app: App, told: Metrics) -> None:
    """Kinds that are none of ours are one; of subscriptions there are so many, and then `other`."""
    for number in range(MOST_VALUES + 10):
        body = {"kind": f"strange {number}", "job_id": f"<{number}>"}
        await handle(app, Delivery(subscription=f"s{number}", message_id="m", body=body))
    found = await values(told)
    assert of(found, "deliveries_total", kind="unknown", outcome="Ignored") == MOST_VALUES + 10
    assert of(found, "deliveries_total", subscription="other") == 10
    assert len([name for name, _ in found if name == "dealwright_deliveries_total"]) == MOST_VALUES + 1


async def test_the_ledger_is_asked_once_however_many_ask(told: Metrics, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer serves for some seconds."""
    asked = 0
    read = standing.read_standing

    async def counted(*given: Any) -> Any:
        nonlocal asked
        asked += 1
        return await read(*given)

    monkeypatch.setattr(metrics, "read_standing", counted)
    for _ in range(5):
        await told.text()
    assert asked == 1
    told._read_at = (told._read_at or 0) - KEPT_S - 1
    await told.text()
    assert asked == 2


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("10.1.2.3", {}, 200),
        ("169.254.1.1", {"x-forwarded-for": "8.8.8.8"}, 404),
        ("127.0.0.1", {"forwarded": "for=8.8.8.8"}, 404),
        ("8.8.8.8", {}, 404),
    ],
)
async def test_metrics_are_for_scrapers_in_the_same_network(
    told: Metrics, address: str, headers: dict[str, str], status: int
) -> None:
    """What comes through a front end or from afar finds no such page."""
    transport = httpx.ASGITransport(Starlette(routes=[metrics_route(told)]), client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://worker") as client:
        answer = await client.get("/metrics", headers=headers)
    assert answer.status_code == status
    assert ("dealwright_jobs" in answer.text) == (status == 200)


async def test_a_scraper_is_told_when_the_ledger_does_not_answer(app: App, told: Metrics) -> None:
    """503 and a line in the log, and the next time it is asked again."""
    async with app.ledger.engine.begin() as connection:
        await connection.execute(text("alter table outbox rename to elsewhere"))
    transport = httpx.ASGITransport(Starlette(routes=[metrics_route(told)]), client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://worker") as client:
        assert (await client.get("/metrics")).status_code == 503
        async with app.ledger.engine.begin() as connection:
            await connection.execute(text("alter table elsewhere rename to outbox"))
        assert (await client.get("/metrics")).status_code == 200


async def test_a_worker_without_pages_answers_on_a_port_of_its_own(app: App, unused_tcp_port: int) -> None:
    """Until it stops; what else it is asked for isn't there."""
    settings = app.settings.model_copy(update={"metrics_port": unused_tcp_port})
    stop = asyncio.Event()
    async with measured(replace(app, settings=settings), stop):
        await handle(app, Delivery(subscription="work", message_id="m1", body={}))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{unused_tcp_port}", trust_env=False) as client:
            text_of = (await client.get("/metrics")).text
            assert (await client.get("/")).status_code == 404
    assert 'dealwright_deliveries_total{kind="unknown",outcome="Ignored",subscription="work"} 1.0' in text_of
    assert stop.is_set()
