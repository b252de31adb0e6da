"""How jobs stand just now, in figures: what is unfinished, what waits, what is late, what is down.

Each question is answered from a partial index that holds only what is unfinished, unsent or set aside; none looks
through the jobs that are over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Column, ColumnElement, func, literal_column, select

from worker.app import App
from worker.breaker import State
from worker.ledger.ledger import Query, Row
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


async def read_standing(app: App) -> Standing:
    """How things stand now; raises what the ledger raises."""
    now = app.clock()
    found = await app.ledger.rows(_by_state())
    reasons = await app.ledger.rows(_by_code())
    unsent = await app.ledger.rows(_count(outbox.c.created_at, outbox.c.sent_at.is_(None)))
    owed = await app.ledger.rows(_count(webhook.c.created_at, webhook.c.state == literal_column("'owed'")))
    return {
        "jobs": {(row["state"],): row["number"] for row in found},
        "oldest_job_age_seconds": {(row["state"],): _age_s(now, row["oldest"]) for row in found},
        "jobs_in_quarantine": {(row["code"] or "none",): row["number"] for row in reasons},
        **_queue("messages_unsent", "oldest_unsent_message_age_seconds", unsent, now),
        **_queue("webhook_owed", "oldest_webhook_owed_age_seconds", owed, now),
        "breaker": dict(_breaker(app)),
    }


def _by_state() -> Query:
    query = select(job.c.state, func.count().label("number"), func.min(job.c.updated_at).label("oldest"))
    return query.where(job.c.finished_at.is_(None)).group_by(job.c.state)


def _by_code() -> Query:
    # The state is written out, for a database can't tell that a parameter's value is the one that an index is of.
    code = job.c.reason["code"].as_string().label("code")
    set_aside = job.c.state == literal_column("'quarantined'")
    return select(code, func.count().label("number")).where(set_aside).group_by(code)


def _count(since: Column[datetime], *which: ColumnElement[bool]) -> Query:
    return select(func.count().label("number"), func.min(since).label("oldest")).where(*which)


def _queue(number: str, age: str, rows: list[Row], now: datetime) -> dict[str, dict[tuple[str, ...], float]]:
    return {number: {(): rows[0]["number"]}, age: {(): _age_s(now, rows[0]["oldest"])}}


def _age_s(now: datetime, since: datetime | None) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0


def _breaker(app: App) -> Iterable[tuple[tuple[str, str], float]]:
    states = app.breaker.states() if app.breaker else {}
    for service, state in states.items():
        for each in BREAKER_STATES:
            yield (service, each), float(each == state)
