"""How jobs stand just now, in figures: what is unfinished, what waits, what is late, what is down.

Each question is answered from a partial index that holds only what is unfinished, unsent or set aside; none looks
through the jobs that are over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import func, literal_column, select

from worker.breaker import Breaker, State
from worker.ledger.ledger import Ledger, Query, Row
from worker.ledger.tables import job, outbox, webhook

Standing = Mapping[str, Mapping[tuple[str, ...], float]]
"""Values by a gauge's name, and by its labels' values."""

BREAKER_STATES: tuple[State, ...] = ("closed", "open", "probing")
GAUGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "jobs": ("Jobs that are not over, by state", ("state",)),
    "oldest_job_age_seconds": ("How long ago the job that has been longest in its state came to it", ("state",)),
    "jobs_in_quarantine": ("Jobs that are set aside, by the code of the reason", ("code",)),
    "messages_unsent": ("Messages that are promised and not published", ()),
    "oldest_unsent_message_age_seconds": ("Age of the oldest of them", ()),
    "webhook_owed": ("Results that the webhook's listener has not taken yet", ()),
    "oldest_webhook_owed_age_seconds": ("Age of the oldest of them", ()),
    "breaker": ("1 for the state that a service's breaker is in", ("service", "state")),
}
"""Each gauge's text and labels."""


def by_state() -> Query:
    """The number of unfinished jobs in each state, and since when the oldest is."""
    query = select(job.c.state, func.count().label("number"), func.min(job.c.updated_at).label("oldest"))
    return query.where(job.c.finished_at.is_(None)).group_by(job.c.state)


def by_code() -> Query:
    """The number of jobs that are set aside for each reason.

    The state is written out here as below: of a parameter, a database can't tell that it is what an index is of.
    """
    code = job.c.reason["code"].as_string().label("code")
    return (
        select(code, func.count().label("number")).where(job.c.state == literal_column("'quarantined'")).group_by(code)
    )


def unsent() -> Query:
    """The number of messages that are not published, and since when the oldest is."""
    oldest = func.min(outbox.c.created_at).label("oldest")
    return select(func.count().label("number"), oldest).where(outbox.c.sent_at.is_(None))


def owed() -> Query:
    """The same of results for the webhook."""
    oldest = func.min(webhook.c.created_at).label("oldest")
    return select(func.count().label("number"), oldest).where(webhook.c.state == literal_column("'owed'"))


async def read_standing(ledger: Ledger, breaker: Breaker | None) -> Standing:
    """How things stand now; raises what the ledger raises."""
    now = ledger.clock()
    states, codes = await ledger.rows(by_state()), await ledger.rows(by_code())
    return {
        "jobs": {(row["state"],): row["number"] for row in states},
        "oldest_job_age_seconds": {(row["state"],): _age_s(now, row["oldest"]) for row in states},
        "jobs_in_quarantine": {(row["code"] or "none",): row["number"] for row in codes},
        **_queue("messages_unsent", "oldest_unsent_message_age_seconds", await ledger.rows(unsent()), now),
        **_queue("webhook_owed", "oldest_webhook_owed_age_seconds", await ledger.rows(owed()), now),
        "breaker": dict(_states(breaker)) if breaker else {},
    }


def _queue(number: str, age: str, rows: list[Row], now: datetime) -> dict[str, dict[tuple[str, ...], float]]:
    return {number: {(): rows[0]["number"]}, age: {(): _age_s(now, rows[0]["oldest"])}}


def _age_s(now: datetime, since: datetime | None) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0


def _states(breaker: Breaker) -> Iterable[tuple[tuple[str, str], float]]:
    for service, state in breaker.states().items():
        for each in BREAKER_STATES:
            yield (service, each), float(each == state)
