"""kill -9 at each point that a job passes; a new process, knowing only what is written, takes it to the same end."""

from __future__ import annotations

import os
import random

import pytest

from tests.walks.driver import Place, count, killed, same, undisturbed
from tests.walks.world import APPROVED, CHANGED, REJECTED, World

SEED = int(os.environ.get("WALK_SEED", random.SystemRandom().randrange(10**6)))
"""What the sample is drawn by; printed, and taken from WALK_SEED to walk the same points again."""
SAMPLE = 2
BATCHES = 8
WALKS = {"approved": (APPROVED, 1), "changed": (CHANGED, 1), "doubled": (CHANGED, 2), "rejected": (REJECTED, 1)}
AT_MOST_AGAIN = {"model": 1, "render deck": 1, "render memo": 1}
"""What a death may cost: the one thing that was under way when it came."""


def die_and_compare(place: Place, base: World, end: dict, points: list[tuple[int, ...]]) -> None:
    """Each walk, killed at its points, ends as the undisturbed one did, at the cost of what was under way."""
    differing: dict[str, object] = {}
    for numbers in points:
        died = killed(place, base, *numbers)
        where = [line["name"] for line in died["points"] if line["n"] in numbers]
        again = {what: count(died, what) - count(end, what) for what in AT_MOST_AGAIN}
        worse = {what: more for what, more in again.items() if more > AT_MOST_AGAIN[what] * len(numbers)}
        if same(died, end) or worse or died["failed"]:
            differing[f"{numbers} {where}"] = (same(died, end), worse, died["failed"])
    assert differing == {}


@pytest.mark.parametrize("walk", ["approved", "changed"])
def test_a_death_anywhere_changes_nothing(place: Place, walk: str) -> None:
    """A few points drawn anew each time; `--long` tries them all."""
    plan, copies = WALKS[walk]
    base, end = undisturbed(place, plan=plan, copies=copies)
    passed = len(end["points"])
    drawn = sorted(random.Random(f"{SEED} {walk} {place.url[:6]}").sample(range(1, passed + 1), SAMPLE))
    print(f"WALK_SEED={SEED}: points {drawn} of {passed}")
    die_and_compare(place, base, end, [(number,) for number in drawn])


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("walk", ["approved", "changed"])
def test_a_death_at_every_point_changes_nothing(place: Place, walk: str, batch: int) -> None:
    """All points; in batches, so that two processes share them."""
    plan, copies = WALKS[walk]
    base, end = undisturbed(place, plan=plan, copies=copies)
    every = range(1 + batch, len(end["points"]) + 1, BATCHES)
    die_and_compare(place, base, end, [(number,) for number in every])


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("walk", ["doubled", "rejected"])
def test_a_death_now_and_then_changes_nothing_in_other_walks(place: Place, walk: str) -> None:
    """Every fifth point of a walk whose messages and clicks all come twice, and of one that is rejected."""
    plan, copies = WALKS[walk]
    base, end = undisturbed(place, plan=plan, copies=copies)
    die_and_compare(place, base, end, [(number,) for number in range(1, len(end["points"]) + 1, 5)])


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_two_deaths_change_nothing(place: Place) -> None:
    """The process that goes on after a death dies too, at a point drawn from those that it passes soon."""
    base, end = undisturbed(place, plan=CHANGED)
    draw = random.Random(f"{SEED} twice {place.url[:6]}")
    print(f"WALK_SEED={SEED}")
    first = draw.sample(range(1, len(end["points"]) + 1), 25)
    die_and_compare(place, base, end, [(number, number + draw.randint(1, 25)) for number in first])
