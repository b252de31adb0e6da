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
ON_POSTGRESQL: list[Scenario] = [
    scenarios.renders_at_once,
    scenarios.away_too_long,
    scenarios.away_in_the_model,
]

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


def database_of(scenario: Scenario) -> str:
    """Where a scenario is walked each time; SQLite is the quicker one."""
    return "postgresql" if scenario in ON_POSTGRESQL else "sqlite"


@pytest.mark.parametrize(
    ("scenario", "place"),
    [
        *((scenario, database_of(scenario)) for scenario in (*ANYWHERE, *ON_POSTGRESQL)),
        *(pytest.param(scenario, "postgresql", marks=pytest.mark.long) for scenario in ANYWHERE),
    ],
    ids=name_of,
    indirect=["place"],
)
def test_it_holds(scenario: Scenario, place: Place) -> None:
    """Whatever befalls the job."""
    scenario(place, ())


@pytest.mark.parametrize(
    ("safeguard", "scenario", "place"),
    [(safeguard, scenario, database_of(scenario)) for safeguard, scenario in SAFEGUARDS],
    ids=name_of,
    indirect=["place"],
)
def test_without_its_safeguard_it_does_not_hold(safeguard: str, scenario: Scenario, place: Place) -> None:
    """The same scenario fails once the safeguard is taken out, so the scenario would notice if it went missing."""
    with pytest.raises(AssertionError):
        scenario(place, (safeguard,))


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
