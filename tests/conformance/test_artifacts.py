"""The shelf of artifacts, in a folder or a bucket: every version that is saved is kept, and numbered once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import pytest_asyncio
import requests
from google.adk.artifacts.base_artifact_service import BaseArtifactService
from google.api_core import exceptions

from schemas.errors import OutputError, TransientError
from tests.conformance.places import Bucket
from worker.adapters.adk import Shelf, open_artifacts

MEDIA_TYPE = "application/octet-stream"


@pytest_asyncio.fixture(params=["folder", "bucket"])
async def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Shelf]:
    """An empty shelf of either kind, and as many threads as a race needs."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(32))
    if request.param == "folder":
        yield Shelf(open_artifacts(str(tmp_path)))
        return
    bucket: Bucket = request.getfixturevalue("bucket")
    service = open_artifacts(f"gs://{bucket.bucket}", "p", bucket.url)
    yield Shelf(service)
    service.storage_client.close()


@pytest.mark.parametrize("name", ["deals/abc", "user:uploads/abc/Angebote Ü.xlsx"])
@pytest.mark.parametrize("racers", [8, 24])
async def test_every_save_of_a_race_is_a_version_of_its_own(shelf: Shelf, name: str, racers: int) -> None:
    """Numbered from 0 without a gap, and each number brings back what was saved under it."""
    saves = [shelf.save("anna", "s1", name, b"%d" % n, MEDIA_TYPE) for n in range(racers)]
    versions = await asyncio.gather(*saves)
    assert sorted(versions) == list(range(racers))
    loaded = await asyncio.gather(*(shelf.load("anna", "s1", name, version) for version in versions))
    assert loaded == [b"%d" % n for n in range(racers)]
    assert await shelf.newest("anna", "s1", name) == racers - 1


async def test_what_is_named_by_its_content_is_saved_once(shelf: Shelf) -> None:
    """A stage that is run again finds it; runs at the same moment get what they saved all the same."""
    first = await shelf.save_once("anna", "s1", "deals/abc", b"deals", MEDIA_TYPE)
    assert await shelf.save_once("anna", "s1", "deals/abc", b"deals", MEDIA_TYPE) == first == 0
    both = await asyncio.gather(*(shelf.save_once("anna", "s1", "deals/def", b"deals", MEDIA_TYPE) for _ in range(2)))
    assert [await shelf.load("anna", "s1", "deals/def", version) for version in both] == [b"deals", b"deals"]


async def test_names_that_begin_with_user_are_the_same_in_every_scope(shelf: Shelf) -> None:
    """And neither another user's, nor another scope's others."""
    await shelf.save("anna", "s1", "user:uploads/a", b"shared", MEDIA_TYPE)
    await shelf.save("anna", "s1", "deals/a", b"own", MEDIA_TYPE)
    assert await shelf.load("anna", "s2", "user:uploads/a") == b"shared"
    assert await shelf.load("anna", "s2", "deals/a") is None
    assert await shelf.load("berta", "s1", "user:uploads/a") is None
    assert await shelf.newest("berta", "s1", "deals/a") is None


async def test_an_artifact_whose_name_begins_anothers_is_not_it(shelf: Shelf) -> None:
    """In a bucket there are no folders, only names that begin alike."""
    await shelf.save("anna", "s1", "deals/a/0/b", b"deep", MEDIA_TYPE)
    assert await shelf.newest("anna", "s1", "deals/a") is None
    assert await shelf.newest("anna", "s1", "deals/a/0") is None


async def test_what_is_gone_is_said_by_name_and_version(shelf: Shelf) -> None:
    """A job that names a version which nobody has must not go on with another."""
    await shelf.save("anna", "s1", "deals/a", b"deals", MEDIA_TYPE)
    assert await shelf.fetch("anna", "s1", "deals/a", 0) == b"deals"
    with pytest.raises(OutputError, match="deals/a version 1") as gone:
        await shelf.fetch("anna", "s1", "deals/a", 1)
    assert gone.value.code == "artifact.missing"


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (exceptions.ServiceUnavailable("down"), "store.unavailable"),
        (exceptions.TooManyRequests("slow down"), "store.unavailable"),
        (requests.ConnectionError("refused"), "store.unavailable"),
        (exceptions.Forbidden("no"), "store.refused"),
        (exceptions.NotFound("no such bucket"), "store.missing"),
    ],
)
async def test_failures_of_a_bucket_are_ours_with_their_codes(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch, failure: Exception, code: str
) -> None:
    """Whoever is to act is told so, and the attempt is made again."""
    service = open_artifacts(f"gs://{bucket.bucket}", "p", bucket.url)
    client = service.storage_client

    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(client, "list_blobs", fail)
    for attempt in (shelf_save(service), Shelf(service).newest("anna", "s1", "deals/a")):
        with pytest.raises(TransientError) as refused:
            await attempt
        assert refused.value.code == code
    client.close()


async def shelf_save(service: BaseArtifactService) -> int:
    """A save."""
    return await Shelf(service).save("anna", "s1", "deals/a", b"deals", MEDIA_TYPE)


async def test_a_large_artifact_comes_back_whole(shelf: Shelf) -> None:
    """Beyond the size from which uploads to a bucket go in pieces."""
    data = bytes(range(256)) * 40_000
    await shelf.save("anna", "s1", "deals/a", data, MEDIA_TYPE)
    assert await shelf.load("anna", "s1", "deals/a") == data
