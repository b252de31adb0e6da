"""Listening and stopping: a port that is free, requests that were begun, files for a bucket."""

from __future__ import annotations

import asyncio
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from google.api_core.exceptions import ClientError, Forbidden, PreconditionFailed
from google.cloud.storage import Blob, Bucket
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from schemas.errors import InputError, TransientError
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


def test_a_file_for_a_bucket_is_never_written_over_another(gcs_url: str, project: str) -> None:
    """Below the prefix, under a safe name or the next that is free; the same bytes again stay the one object."""
    client = open_storage(project, gcs_url)
    bucket = client.bucket(f"{project}-inbox")
    bucket.create()
    drop = BucketDrop(client, bucket.name, "inbox/")
    assert drop.put("../a b.xlsx", b"one") == "a b.xlsx"
    assert [drop.put("a b.xlsx", data) for data in (b"two", b"one", b"two")] == [
        "a b (2).xlsx",
        "a b.xlsx",
        "a b (2).xlsx",
    ]
    data = [f"{number}".encode() for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        names = list(pool.map(lambda each: drop.put("same.csv", each), data))
    kept = {name: bucket.get_blob(f"inbox/{name}").download_as_bytes() for name in names}
    assert kept == dict(zip(names, data, strict=True))
    assert set(names) == {"same.csv", "same (2).csv", "same (3).csv", "same (4).csv"}
    assert len(list(client.list_blobs(bucket.name, versions=True))) == 6


@pytest.mark.parametrize("said", [PreconditionFailed, Forbidden])
def test_who_may_only_create_objects_writes_over_none_either(
    gcs_url: str, project: str, monkeypatch: pytest.MonkeyPatch, said: type[ClientError]
) -> None:
    """The store says of a name that is taken that it is, or that we may not: the file gets another name, or none."""
    client = open_storage(project, gcs_url)
    bucket = client.bucket(f"{project}-inbox")
    bucket.create()
    create = Blob.upload_from_string

    def refuse(*_: object, **__: object) -> NoReturn:
        raise Forbidden("no right to read")

    def upload(blob: Blob, data: bytes, **how: Any) -> None:
        try:
            create(blob, data, **how)
        except PreconditionFailed:
            raise said("no") from None

    drop = BucketDrop(client, bucket.name, "inbox/")
    with monkeypatch.context() as limited:
        limited.setattr(Bucket, "get_blob", refuse)
        limited.setattr(Blob, "upload_from_string", upload)
        names = [drop.put("same.csv", data) for data in (b"one", b"two", b"three")]
        limited.setattr(Blob, "upload_from_string", refuse)
        with pytest.raises(TransientError, match="refused us"):
            drop.put("same.csv", b"four")
    assert [bucket.get_blob(f"inbox/{name}").download_as_bytes() for name in names] == [b"one", b"two", b"three"]
    assert all(re.fullmatch(r"same( \([0-9a-f]+\))?\.csv", name) for name in names)


def test_a_secret_is_drawn_once_and_kept_from_others(tmp_path: Path) -> None:
    """Whoever starts at the same moment gets the same one; links outlive a restart."""
    place = tmp_path / "state" / "link.secret"
    with ThreadPoolExecutor(8) as pool:
        drawn = set(pool.map(lambda _: kept_secret(place), range(8)))
    assert drawn == {kept_secret(place)}
    assert len(next(iter(drawn))) == 64
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [path.name for path in place.parent.iterdir()] == ["link.secret"]
