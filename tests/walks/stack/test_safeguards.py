"""Each safeguard of the service with what befalls it that needs the safeguard: with it all is well, without it not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.walks.stack.driver import Plan, walk
from tests.walks.stack.labour import LATEST_S
from tests.walks.stack.servers import Stack
from tests.walks.stack.test_stack import SEED

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
SMALL = Plan(SEED, 4, strange=False, change=0, patience_s=15)
PLANS = {
    # Each message twice, two workers.
    "doubled": SMALL,
    # The same, and documents take longer than the second message may take to come.
    "doubled, documents slow": replace(SMALL, render_s=LATEST_S + 1),
    # Each message once: what a click promises is sent by no other message of the job.
    "once": replace(SMALL, copies=1),
    # A worker is away between its work and its record, until its lease has run out and another has gone on.
    "frozen": replace(SMALL, faults=("freeze before record@presentation",)),
    # A worker dies just before it would have written down an upload; the notification comes once.
    "unwritten": replace(SMALL, copies=1, faults=("die open job: before commit",)),
    # A worker dies between sending a result and noting it as sent, or the other way round.
    "unsent": replace(SMALL, copies=1, faults=("die published", "die noted results")),
    # The messages that are on their way are lost.
    "lost": replace(SMALL, jobs=12, spread_s=5, pubsub_restarts=1, restart_s=5, copies=1),
    # A worker dies when the approved files are where they belong, before that is written down.
    "delivered": replace(SMALL, faults=("die after delivery@delivery",)),
    # A worker dies when a document is kept, before that is written down.
    "kept": replace(SMALL, faults=("die kept draft of deck",)),
    # The database is away for a while. Several safeguards wait for it, none of which is alone between it and a loss.
    "outage": replace(SMALL, jobs=12, spread_s=8, postgres_restarts=1, restart_s=3, down_s=8),
}
SAFEGUARDS = [
    ("derived_job_id", "doubled", "two jobs for one upload"),
    ("insert_if_absent", "doubled", "message never settled"),
    ("derived_ticket_id", "doubled, documents slow", "two tickets for one document"),
    ("lease", "doubled, documents slow", "attempt left open"),
    ("relay", "once", "job not at its end"),
    ("fence", "frozen", "turn counted twice"),
    ("ack_after_commit", "unwritten", "upload without a job"),
    ("send_before_note", "unsent", "result never heard"),
    ("sweep", "lost", "job not at its end"),
    ("delivery_compare", "delivered", "delivered file written over"),
    ("kept_once", "kept", "artifact kept twice"),
]
"""Safeguard, what befalls, and what must not be and then is."""


@pytest.mark.parametrize("plan", PLANS)
def test_it_holds(stack: Stack, plan: str) -> None:
    """Whatever befalls."""
    assert walk(PLANS[plan], stack).faults == []


@pytest.mark.parametrize(("safeguard", "plan", "fault"), SAFEGUARDS, ids=[name for name, *_ in SAFEGUARDS])
def test_without_its_safeguard_it_does_not_hold(stack: Stack, safeguard: str, plan: str, fault: str) -> None:
    """The same, without the safeguard, ends in the fault that it is there against."""
    ended = walk(replace(PLANS[plan], removed=(safeguard,), once_more=False, listen_s=12), stack)
    assert fault in {found.name for found in ended.faults}
