"""Leases on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from schemas.errors import ConflictError
from tests.conformance.conftest import StillClock
from worker.ledger.leases import (
    Lease,
    LeaseTerms,
    break_leases,
    forgive,
    give_back,
    prolong_lease,
    revoke_lease,
    take_lease,
)
from worker.ledger.ledger import Ledger
from worker.ledger.tables import attempt
from worker.ledger.tables import job as jobs

ANN, BEN = LeaseTerms("ann", 60), LeaseTerms("ben", 60)


async def take(ledger: Ledger, job: str, terms: LeaseTerms) -> Lease | None:
    """The job's lease, if it is to be had."""
    async with ledger.change(job, "lease") as change:
        return await take_lease(change, change.job, terms, "extraction")


async def outcomes(ledger: Ledger) -> list[tuple[str, str | None]]:
    """Who tried, and what came of it, in order."""
    rows = await ledger.rows(select(attempt).order_by(attempt.c.number))
    return [(row["holder"], row["outcome"]) for row in rows]


async def test_a_lease_has_one_holder(ledger: Ledger, job: str) -> None:
    """Whoever comes second gets none, and leaves word that there is more to do."""
    mine = await take(ledger, job, ANN)
    assert mine is not None
    assert await take(ledger, job, BEN) is None
    async with ledger.change(job, "back") as change:
        assert (await give_back(change, mine, "done")).left_word
    assert (await ledger.job(job))["lease_holder"] is None


async def test_a_lease_that_ran_out_goes_to_the_next_with_a_higher_fence(
    ledger: Ledger, job: str, clock: StillClock
) -> None:
    """The loss is counted, and the first holder's attempt is told as lost."""
    mine = await take(ledger, job, ANN)
    clock.go_on(61)
    theirs = await take(ledger, job, BEN)
    assert mine is not None
    assert theirs is not None
    assert (theirs.fence, theirs.lost_leases) == (mine.fence + 1, 1)
    assert await outcomes(ledger) == [("ann", "lost"), ("ben", None)]


async def test_a_holder_that_was_away_too_long_writes_nothing(ledger: Ledger, job: str, clock: StillClock) -> None:
    """Its whole transaction is undone, whatever else was in it."""
    mine = await take(ledger, job, ANN)
    clock.go_on(61)
    await take(ledger, job, BEN)
    assert mine is not None

    async def write_late() -> None:
        async with ledger.change(job, "back") as change:
            await change.move("extracting", expects={"received"})
            await give_back(change, mine, "done")

    with pytest.raises(ConflictError) as refused:
        await write_late()
    assert refused.value.code == "lease.lost"
    assert (await ledger.job(job))["state"] == "received"


async def test_heartbeats_keep_a_lease(ledger: Ledger, job: str, clock: StillClock) -> None:
    """Each gives it its whole time again; after a loss they keep nothing."""
    mine = await take(ledger, job, ANN)
    assert mine is not None
    for _ in range(3):
        clock.go_on(50)
        assert await prolong_lease(ledger, mine, 60)
    assert await take(ledger, job, BEN) is None
    clock.go_on(61)
    assert await take(ledger, job, BEN) is not None
    assert not await prolong_lease(ledger, mine, 60)


async def test_progress_clears_the_counts_and_failures_add_up(ledger: Ledger, job: str) -> None:
    """Failures in a row are what is limited; handing a lease back counts for nothing."""
    counted: list[int] = []
    for count in ("failure", "failure", "neither", "progress", "failure"):
        mine = await take(ledger, job, ANN)
        assert mine is not None
        async with ledger.change(job, "back") as change:
            counted.append((await give_back(change, mine, "ended", count, code="x", message="y")).failures)
    assert counted == [1, 2, 2, 0, 1]


async def test_lost_leases_in_a_row_are_cleared_by_progress(ledger: Ledger, job: str, clock: StillClock) -> None:
    """Two deaths, then an attempt that gets somewhere, then a death again: one in a row."""
    for _ in range(2):
        await take(ledger, job, ANN)
        clock.go_on(61)
    mine = await take(ledger, job, BEN)
    assert mine is not None
    assert mine.lost_leases == 2
    async with ledger.change(job, "back") as change:
        await give_back(change, mine, "done")
    await take(ledger, job, ANN)
    clock.go_on(61)
    again = await take(ledger, job, BEN)
    assert again is not None
    assert again.lost_leases == 1


async def test_a_revoked_lease_is_lost_at_once(ledger: Ledger, job: str) -> None:
    """Whoever had it is refused, and its attempt is told as revoked."""
    mine = await take(ledger, job, ANN)
    async with ledger.change(job, "cancel") as change:
        await revoke_lease(change)
    assert mine is not None
    assert not await prolong_lease(ledger, mine, 60)
    assert await outcomes(ledger) == [("ann", "revoked")]


async def test_the_only_worker_breaks_the_leases_of_the_dead(ledger: Ledger, job: str) -> None:
    """It need not wait for them to run out; they count as lost all the same."""
    await take(ledger, job, ANN)
    await break_leases(ledger)
    theirs = await take(ledger, job, BEN)
    assert theirs is not None
    assert theirs.lost_leases == 1


async def test_a_replay_forgives(ledger: Ledger, job: str, clock: StillClock) -> None:
    """A person wants another try: the counts begin anew."""
    await take(ledger, job, ANN)
    clock.go_on(61)
    await take(ledger, job, BEN)
    async with ledger.change(job, "replay") as change:
        await forgive(change)
    row = (await ledger.rows(select(jobs.c.failures, jobs.c.lost_leases)))[0]
    assert dict(row) == {"failures": 0, "lost_leases": 0}
