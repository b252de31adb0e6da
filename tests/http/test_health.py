"""Health: alive is whoever answers; ready is who has a database that is up to date, and gets its messages out."""

from __future__ import annotations

import httpx
import pytest
from sqlalchemy import delete

from tests.worker.conftest import Ahead
from worker import jobs
from worker.http import health
from worker.http.site import Site
from worker.ledger.migrate import migration


async def ready(browser: httpx.AsyncClient) -> tuple[int, str]:
    """The status, and why not."""
    answer = await browser.get("/readyz")
    assert answer.json()["ready"] == (answer.status_code == 200)
    return answer.status_code, answer.json()["why"]


async def test_a_site_that_can_work_says_so(browser: httpx.AsyncClient) -> None:
    """Without asking who wants to know."""
    assert (await browser.get("/healthz")).text == "ok\n"
    assert await ready(browser) == (200, "")


async def test_messages_that_do_not_get_out_are_trouble(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """Those that were promised a while ago; it is over when they are out."""
    await jobs.decide(site.app, waiting, jobs.Said("approved", "ann"))
    assert await ready(browser) == (200, "")
    clock.jump(health.LATE_S + 1)
    assert await ready(browser) == (503, "promised messages can't be published")
    await site.publish(waiting)
    assert await ready(browser) == (200, "")


async def test_a_database_of_an_older_version_is_trouble(browser: httpx.AsyncClient, site: Site) -> None:
    """Somebody runs `migrate`, and it is over."""
    async with site.app.ledger.engine.begin() as connection:
        await connection.execute(delete(migration).where(migration.c.number == 1))
    assert await ready(browser) == (503, "the database lacks this version's tables")


async def test_a_database_that_does_not_answer_is_trouble(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it refuses or is silent; the process lives all the same."""

    async def refuse(*_: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(health, "pending", refuse)
    assert await ready(browser) == (503, "the database does not answer (ConnectionRefusedError)")
    assert (await browser.get("/healthz")).status_code == 200


async def test_a_site_that_is_about_to_end_is_not_ready(browser: httpx.AsyncClient, site: Site) -> None:
    """Nothing new should be sent to it."""
    site.worker.stop.set()
    assert await ready(browser) == (503, "stopping")
