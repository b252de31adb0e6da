"""Where uploads lie, a folder or a bucket: each is read at just the generation that a message told of."""

from __future__ import annotations

import pytest
from google.cloud.storage.blob import Blob

from schemas.errors import InputError, TransientError
from tests.conformance.places import Bucket, Store
from tests.servers.process import free_port
from worker.adapters import gcs
from worker.adapters.gcs import GcsObjects
from worker.adapters.google_clients import STORAGE_RETRY, open_storage

NAMES = ["inbox/a.xlsx", "inbox/anna/Angebote Ü 2026 #1 (50 %).xlsx", "inbox/+x/?=&.csv", "inbox/日本/表.xlsx"]


def refusal(store: Store, name: str, generation: int, limit_bytes: int = 100) -> InputError:
    """What is said to somebody who reads it."""
    with pytest.raises(InputError) as refused:
        store.objects.read(store.bucket, name, generation, limit_bytes)
    assert name in refused.value.message
    return refused.value


@pytest.mark.parametrize("name", NAMES)
def test_an_object_is_read_whole_whatever_its_name(store: Store, name: str) -> None:
    """Spaces, signs that mean something in an address, any script."""
    generation = store.put(name, b"\0bytes\xff")
    assert store.objects.read(store.bucket, name, generation, 100) == b"\0bytes\xff"


def test_an_object_that_was_written_over_is_gone_and_the_newer_one_is_read_as_itself(store: Store) -> None:
    """A job never reads another upload than its own."""
    old = store.put("inbox/a.xlsx", b"old")
    new = store.put("inbox/a.xlsx", b"new")
    assert old != new
    assert refusal(store, "inbox/a.xlsx", old).code == "object.superseded"
    assert store.objects.read(store.bucket, "inbox/a.xlsx", new, 100) == b"new"


def test_an_object_that_was_deleted_is_gone(store: Store) -> None:
    """And one that never was, too."""
    generation = store.put("inbox/a.xlsx", b"a")
    store.delete("inbox/a.xlsx")
    assert refusal(store, "inbox/a.xlsx", generation).code == "object.gone"
    assert refusal(store, "inbox/never.xlsx", 1).code == "object.gone"


def test_an_object_over_the_limit_is_refused_with_both_numbers(store: Store) -> None:
    """One byte more is too much, the limit itself is not."""
    generation = store.put("inbox/a.xlsx", b"x" * 1001)
    refused = refusal(store, "inbox/a.xlsx", generation, 1000)
    assert refused.code == "file.too_large"
    assert "1,001" in refused.message
    assert "1,000" in refused.message
    assert len(store.objects.read(store.bucket, "inbox/a.xlsx", generation, 1001)) == 1001


def test_an_empty_object_is_refused(store: Store) -> None:
    """There is nothing in it to read."""
    assert refusal(store, "inbox/a.xlsx", store.put("inbox/a.xlsx", b"")).code == "file.empty"


def test_not_a_byte_is_fetched_of_what_is_too_large(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store says how big it is before anything is moved."""
    generation = bucket.put("inbox/a.xlsx", b"x" * 1001)
    monkeypatch.delattr(Blob, "download_as_bytes")
    assert refusal(bucket, "inbox/a.xlsx", generation, 1000).code == "file.too_large"


def test_an_object_that_is_stored_compressed_is_made_whole_within_the_limit(bucket: Bucket) -> None:
    """What its store counts is small then; what comes out of it is counted too."""
    generation = bucket.put_compressed("inbox/a.csv", b"x" * 100_000)
    assert bucket.objects.read(bucket.bucket, "inbox/a.csv", generation, 100_000) == b"x" * 100_000
    assert refusal(bucket, "inbox/a.csv", generation, 99_999).code == "file.too_large"


def test_a_store_that_is_away_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody need act; the attempt is made again."""
    monkeypatch.setattr(gcs, "_PATIENCE", {"timeout": 1, "retry": STORAGE_RETRY.with_timeout(0.3)})
    client = open_storage("p", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(TransientError) as refused:
        GcsObjects(client).read("b", "inbox/a.xlsx", 1, 100)
    assert refused.value.code == "store.unavailable"
    client.close()
