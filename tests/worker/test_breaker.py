"""The breaker: an outage opens it, a probe closes it, and a job's own failures stay its own."""

from __future__ import annotations

from tests.worker.conftest import Ahead
from worker.breaker import FAILURES_TO_OPEN, FIRST_WAIT_S, LONGEST_WAIT_S, Breaker

DOWN = "model.unavailable"


def broken(clock: Ahead) -> Breaker:
    """A breaker that has just opened."""
    breaker = Breaker(clock)
    for number in range(FAILURES_TO_OPEN):
        breaker.failed(f"j{number}", DOWN)
    return breaker


def test_several_failures_in_a_row_open_it(clock: Ahead) -> None:
    """And whoever waits for a change is woken."""
    breaker = broken(clock)
    assert breaker.states() == {"model": "open"}
    assert 0 < breaker.closed_for_s() <= FIRST_WAIT_S
    assert breaker.changed.is_set()


def test_an_outage_is_held_against_no_job(clock: Ahead) -> None:
    """It must not use up the attempts of a whole backlog, nor of one job alone in the night."""
    breaker = Breaker(clock)
    assert all(breaker.failed("j1", DOWN) for _ in range(10))
    assert all(breaker.failed(f"j{number}", DOWN) for number in range(10))


def test_a_job_that_fails_while_others_are_answered_is_at_fault_itself(clock: Ahead) -> None:
    """Its request may be what the service chokes on: its further failures count, and it is set aside in the end."""
    breaker = Breaker(clock)
    assert breaker.failed("j1", DOWN)
    breaker.answered("j2", "model")
    assert not breaker.failed("j1", DOWN)
    breaker.answered("j1", "model")
    assert breaker.failed("j1", DOWN)


def test_an_answer_in_between_starts_the_count_anew(clock: Ahead) -> None:
    """Two failed, one was answered: the service is up."""
    breaker = Breaker(clock)
    for number in range(FAILURES_TO_OPEN - 1):
        breaker.failed(f"j{number}", DOWN)
    breaker.answered("j8", "model")
    breaker.failed("j9", DOWN)
    assert breaker.closed_for_s() == 0


def test_faults_of_jobs_are_nothing_to_it(clock: Ahead) -> None:
    """A hundred bad files are no outage."""
    breaker = Breaker(clock)
    assert not any(breaker.failed(f"j{number}", "file.no_table") for number in range(100))
    assert breaker.states() == {}


def test_a_probe_that_fails_doubles_the_wait(clock: Ahead) -> None:
    """Up to the longest."""
    breaker = broken(clock)
    clock.jump(FIRST_WAIT_S + 1)
    assert breaker.states() == {"model": "probing"}
    assert breaker.closed_for_s() == 0
    assert breaker.failed("j0", DOWN)
    assert FIRST_WAIT_S < breaker.closed_for_s() <= 2 * FIRST_WAIT_S
    for _ in range(10):
        clock.jump(LONGEST_WAIT_S + 1)
        breaker.failed("j0", DOWN)
    assert breaker.closed_for_s() <= LONGEST_WAIT_S


def test_a_probe_that_succeeds_closes_it(clock: Ahead) -> None:
    """And work flows."""
    breaker = broken(clock)
    breaker.changed.clear()
    clock.jump(FIRST_WAIT_S + 1)
    breaker.answered("j0", "model")
    assert breaker.states() == {"model": "closed"}
    assert breaker.changed.is_set()
