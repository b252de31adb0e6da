"""Where approved documents go, a folder or a bucket: each file is there once, and is never overwritten."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen

import pytest
from google.cloud.storage.bucket import Bucket as GcsBucket

from schemas.errors import ConflictError
from tests.conformance.places import Bucket, Store

FILES = {"deck.pptx": b"deck" * 1000, "memo.pdf": b"memo"}


def at_once(number: int, do: Callable[[int], str]) -> list[str | Exception]:
    """What so many threads got out of it, all at the same time."""

    def attempt(n: int) -> str | Exception:
        try:
            return do(n)
        except ConflictError as lost:
            return lost

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(attempt, range(number)))


def contents(store: Store, place: str) -> dict[str, bytes]:
    """What a place holds."""
    return {name: data for name, (data, _) in store.held(place).items()}


def test_documents_are_in_a_place_of_their_jobs(store: Store) -> None:
    """Each job has its own, and other jobs' documents stay."""
    places = [store.deliveries().deliver(job, FILES) for job in ("j1", "j2")]
    assert len(set(places)) == 2
    assert all(contents(store, place) == FILES for place in places)
    assert "j1" in places[0]


def test_the_same_delivery_again_changes_nothing(store: Store) -> None:
    """No new generation, though the worker died before it could say that it had delivered."""
    place = store.deliveries().deliver("j1", FILES)
    before = store.held(place)
    assert store.deliveries().deliver("j1", FILES) == place
    assert store.held(place) == before


def test_a_delivery_that_was_cut_short_is_completed(store: Store) -> None:
    """What is missing is added, what is there stays."""
    place = store.deliveries().deliver("j1", {"deck.pptx": FILES["deck.pptx"]})
    before = store.held(place)
    store.deliveries().deliver("j1", FILES)
    assert contents(store, place) == FILES
    assert store.held(place)["deck.pptx"] == before["deck.pptx"]


@pytest.mark.parametrize("other", [b"something else", b"memO", b""])
def test_other_bytes_under_a_name_are_a_conflict_and_stay(store: Store, other: bytes) -> None:
    """Of another size or the same: somebody may have put them there on purpose."""
    place = store.deliveries().deliver("j1", {"memo.pdf": other})
    with pytest.raises(ConflictError, match=r"memo\.pdf") as refused:
        store.deliveries().deliver("j1", FILES)
    assert refused.value.code == "delivery.changed"
    assert contents(store, place)["memo.pdf"] == other


def test_of_eight_that_deliver_the_same_all_find_it_done(store: Store) -> None:
    """As after a lease that was lost and taken."""
    places = at_once(8, lambda _: store.deliveries().deliver("j1", FILES))
    assert len(set(places)) == 1
    assert contents(store, str(places[0])) == FILES


def test_of_eight_that_deliver_different_bytes_one_wins_and_the_others_hear_of_it(store: Store) -> None:
    """No two of them are mixed, and none is lost without a word."""
    answers = at_once(8, lambda n: store.deliveries().deliver("j1", {"memo.pdf": b"%d" % n}))
    won = [n for n, answer in enumerate(answers) if isinstance(answer, str)]
    assert len(won) == 1
    assert contents(store, str(answers[won[0]])) == {"memo.pdf": b"%d" % won[0]}


def test_who_looked_too_early_overwrites_nothing(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two see that nothing is there; the second to write hears from the store that something is."""
    place = bucket.deliveries().deliver("j1", {"memo.pdf": b"first"})
    before = bucket.held(place)
    plain, looks = GcsBucket.get_blob, [0]

    def look(self: GcsBucket, *args: object, **kwargs: object) -> object:
        looks[0] += 1
        return None if looks[0] == 1 else plain(self, *args, **kwargs)

    monkeypatch.setattr(GcsBucket, "get_blob", look)
    with pytest.raises(ConflictError):
        bucket.deliveries().deliver("j1", {"memo.pdf": b"second"})
    looks[0] = 0
    assert bucket.deliveries().deliver("j1", {"memo.pdf": b"first"}) == place
    assert bucket.held(place) == before


def test_a_signed_link_downloads_a_delivered_file(bucket: Bucket) -> None:
    """Under its name, as a browser gets it; the stand-in doesn't look at the signature."""
    deliveries = bucket.deliveries()
    place = deliveries.deliver("j1", FILES)
    with urlopen(deliveries.signed_url(place, "memo.pdf", 60)) as answer:
        assert answer.read() == b"memo"
        assert answer.headers["Content-Type"] == "application/pdf"
