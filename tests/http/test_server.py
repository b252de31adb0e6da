"""Listening and stopping: a port that is free, requests that were begun, files for a bucket."""

from __future__ import annotations

import asyncio
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from schemas.errors import InputError
from worker.adapters.drops import BucketDrop
from worker.adapters.google_clients import open_storage
from worker.adapters.secret_file import kept_secret
from worker.http.server import listen, serve_site


def test_the_next_free_port_is_taken_only_where_any_will_do() -> None:
    """A named port that is taken is an error; the default one isn't."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(InputError) as refused:
            listen("127.0.0.1", port)
        assert refused.value.code == "port.taken"
        with listen("127.0.0.1", port, or_next=True) as second:
            assert port < second.getsockname()[1] < port + 50


async def test_what_was_begun_is_answered_before_the_end() -> None:
    """And nothing new is taken after it was told to stop."""
    begun, go_on, stop = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(_: Request) -> Response:
        begun.set()
        await go_on.wait()
        return PlainTextResponse("done")

    bound = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{bound.getsockname()[1]}/"
    serving = asyncio.create_task(serve_site(Starlette(routes=[Route("/", slow)]), bound, stop, 30))
    async with httpx.AsyncClient(trust_env=False) as client:
        asked = asyncio.create_task(client.get(address))
        await begun.wait()
        stop.set()
        async with httpx.AsyncClient(trust_env=False) as late:
            while True:
                try:
                    await late.get(address, timeout=0.05)
                except httpx.ConnectError:
                    break
                except httpx.TimeoutException:
                    continue
        go_on.set()
        assert (await asked).text == "done"
    await serving


async def test_what_takes_too_long_is_cut_off() -> None:
    """The grace is over, and the process is to end."""
    begun, stop = asyncio.Event(), asyncio.Event()

    async def never(_: Request) -> Response:
        begun.set()
        await asyncio.Event().wait()
        return PlainTextResponse("never")

    bound = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{bound.getsockname()[1]}/"
    serving = asyncio.create_task(serve_site(Starlette(routes=[Route("/", never)]), bound, stop, 0))
    async with httpx.AsyncClient(trust_env=False) as client:
        asked = asyncio.create_task(client.get(address, timeout=30))
        await begun.wait()
        stop.set()
        await serving
        answer = (await asyncio.gather(asked, return_exceptions=True))[0]
    assert isinstance(answer, httpx.HTTPError) or answer.status_code == 500


def test_a_file_for_a_bucket_lies_below_its_prefix(gcs_url: str, project: str) -> None:
    """Under a safe name, whole; sent again, it is the object's next generation."""
    client = open_storage(project, gcs_url)
    bucket = client.bucket(f"{project}-inbox")
    bucket.create()
    drop = BucketDrop(client, bucket.name, "inbox/")
    assert drop.put("../a b.xlsx", b"one") == "a b.xlsx"
    first = bucket.get_blob("inbox/a b.xlsx")
    assert first.download_as_bytes() == b"one"
    drop.put("a b.xlsx", b"two")
    second = bucket.get_blob("inbox/a b.xlsx")
    assert second.download_as_bytes() == b"two"
    assert second.generation > first.generation


def test_a_secret_is_drawn_once_and_kept_from_others(tmp_path: Path) -> None:
    """Whoever starts at the same moment gets the same one; links outlive a restart."""
    place = tmp_path / "state" / "link.secret"
    with ThreadPoolExecutor(8) as pool:
        drawn = set(pool.map(lambda _: kept_secret(place), range(8)))
    assert drawn == {kept_secret(place)}
    assert len(next(iter(drawn))) == 64
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [path.name for path in place.parent.iterdir()] == ["link.secret"]
