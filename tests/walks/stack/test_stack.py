"""Uploads to delivered documents over Pub/Sub, Cloud Storage and PostgreSQL, with workers that die at any moment.

Whatever befalls workers and servers, each upload has one job, each job one delivery of just what was approved, and
nothing is left over; whatever came is handed over once more at the end, and changes nothing. The walks of many jobs
make no real documents: each would take a second of processor time, and is the same in every walk. The last one does.
"""

from __future__ import annotations

import os
import random

import pytest

from tests.walks.stack.driver import Plan, walk
from tests.walks.stack.servers import Stack

SEED = int(os.environ.get("WALK_SEED", random.SystemRandom().randrange(10**6)))
"""What kills, restarts and the order of messages are drawn by; printed, and taken from WALK_SEED to draw them again."""
pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
HARD = {"kill_s": (2.0, 6.0), "postgres_restarts": 1, "pubsub_restarts": 1}


def test_a_worker_is_killed_and_both_servers_restarted(stack: Stack) -> None:
    """Few jobs, and all of it."""
    ended = walk(Plan(SEED, 12, spread_s=6, **HARD), stack)
    assert ended.count["kills"] >= 2
    assert ended.faults == []


@pytest.mark.parametrize("part", range(3))
def test_many_jobs_walk_through_kills_and_restarts(stack: Stack, part: int) -> None:
    """150 jobs in each of three walks; servers restarted twice each."""
    told = {"kill_s": (4.0, 12.0), "postgres_restarts": 2, "pubsub_restarts": 2, "restart_s": 15.0}
    ended = walk(Plan(SEED + 1000 * part, 150, spread_s=40, patience_s=90, reissue_s=25, **told), stack)
    assert ended.count["kills"] >= 5
    assert ended.faults == []


def test_whole_workers_make_whole_documents(stack: Stack) -> None:
    """60 jobs by new interpreters, which read workbooks and make documents in child processes of theirs."""
    told = {"kill_s": (15.0, 30.0), "postgres_restarts": 1, "pubsub_restarts": 1, "restart_s": 30.0}
    ended = walk(Plan(SEED, 60, documents=True, spread_s=40, patience_s=120, reissue_s=60, **told), stack)
    assert ended.count["kills"] >= 2
    assert ended.faults == []
