"""What must hold whatever befalls a job; and for each safeguard, that what it guards is lost without it."""

from __future__ import annotations

import pytest

from tests.walks import scenarios
from tests.walks.driver import Place, begin, count, end_of, finished, same, undisturbed
from tests.walks.scenarios import Scenario
from tests.walks.world import CHANGED

ANYWHERE: list[Scenario] = [
    scenarios.same_documents_again,
    scenarios.same_documents_unswept,
    scenarios.unasked_approval,
    scenarios.other_documents,
    scenarios.changed_bytes,
    scenarios.opposite_decisions,
    scenarios.opposite_decisions_at_once,
    scenarios.message_lost,
    scenarios.message_unsent,
    scenarios.stage_again,
    scenarios.one_render_of_two,
    scenarios.busy,
    scenarios.word_left,
    scenarios.cancelled_meanwhile,
]
#: Two transactions or two whole workers at once, which SQLite doesn't allow.
ON_POSTGRESQL: list[Scenario] = [scenarios.renders_at_once, scenarios.away_too_long]

#: Each safeguard with the scenario that it is there for.
SAFEGUARDS: list[tuple[str, Scenario]] = [
    ("insert_if_absent", scenarios.stage_again),
    ("wait_for_any", scenarios.plain),
    ("approval_round", scenarios.same_documents_again),
    ("answered_at_once", scenarios.same_documents_unswept),
    ("approval_match", scenarios.other_documents),
    ("byte_check", scenarios.changed_bytes),
    ("first_decision", scenarios.opposite_decisions),
    ("sweep", scenarios.message_lost),
    ("send_before_note", scenarios.message_unsent),
    ("barrier", scenarios.one_render_of_two),
    ("lease", scenarios.busy),
    ("word_left", scenarios.word_left),
    ("revocation", scenarios.cancelled_meanwhile),
    ("row_lock", scenarios.renders_at_once),
    ("fence", scenarios.away_too_long),
]


def name_of(value: object) -> str:
    """A parameter's name in a test's."""
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize("place", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"], indirect=True)
@pytest.mark.parametrize("scenario", ANYWHERE, ids=name_of)
def test_it_holds(place: Place, scenario: Scenario) -> None:
    """On SQLite and PostgreSQL alike."""
    scenario(place, ())


@pytest.mark.parametrize("scenario", ON_POSTGRESQL, ids=name_of)
def test_it_holds_between_two_workers(postgres_place: Place, scenario: Scenario) -> None:
    """Where two workers may be at work at once."""
    scenario(postgres_place, ())


@pytest.mark.parametrize(("safeguard", "scenario"), SAFEGUARDS, ids=name_of)
def test_without_its_safeguard_it_does_not_hold(postgres_place: Place, safeguard: str, scenario: Scenario) -> None:
    """The same scenario fails once the safeguard is taken out, so the scenario would notice if it went missing."""
    with pytest.raises(AssertionError):
        scenario(postgres_place, (safeguard,))


def test_two_workers_on_one_job_make_what_one_makes(place: Place) -> None:
    """Both submit, run and decide the same job at the same time; SQLite has the second wait for the first."""
    _, alone = undisturbed(place, plan=CHANGED)
    world = place.world("together", plan=CHANGED)
    processes = [begin(world), begin(world)]
    assert [end_of(process) for process in processes] == [0, 0]
    together = finished(world)
    assert same(together, alone) == {}
    for what in ("model", "render deck", "render memo"):
        assert count(together, what) == count(alone, what)
