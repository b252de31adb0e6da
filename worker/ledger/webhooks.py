"""What is owed to the webhook: claimed by one worker at a time, and kept through restarts with a log of every try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import RowMapping, insert, select, update

from worker.ledger.engine import insert_if_absent
from worker.ledger.ledger import Ledger, Row
from worker.ledger.tables import outbox, webhook, webhook_try

WebhookState = Literal["owed", "done", "given_up"]


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to make one try, `number` of the result `message_id`; it fences what is written about it."""

    message_id: str
    job_id: str
    number: int
    body: Mapping[str, Any]
    created_at: datetime
    trace: str | None = None


async def owe(ledger: Ledger, messages: Sequence[Row]) -> None:
    """Keep that results, rows of the outbox, are to be posted; those that were kept before stay as they are."""
    now = ledger.clock()
    async with ledger.writing("owe") as connection:
        for message in messages:
            row = {"id": message["id"], "job_id": message["job_id"], "state": "owed", "tries": 0}
            await connection.execute(insert_if_absent(connection, webhook, {**row, "created_at": now, "next_at": now}))


async def claim_due(ledger: Ledger, lease_s: float, limit: int) -> list[Claim]:
    """Tries that are due, nobody else's for so many seconds; after that whoever died over one has lost it."""
    due = select(webhook).where(webhook.c.state == "owed", webhook.c.next_at <= ledger.clock())
    due = due.order_by(webhook.c.next_at, webhook.c.id).limit(limit)
    if not await ledger.rows(due):
        return []
    async with ledger.writing("claim webhooks") as connection:
        now = ledger.clock()
        found = (await connection.execute(due.with_for_update(skip_locked=True))).mappings().all()
        for row in found:
            taken = {"tries": row["tries"] + 1, "next_at": now + timedelta(seconds=lease_s)}
            await connection.execute(update(webhook).where(webhook.c.id == row["id"]).values(taken))
            begun = {"webhook_id": row["id"], "number": row["tries"] + 1, "at": now}
            await connection.execute(insert(webhook_try).values(begun))
        told = select(outbox.c.id, outbox.c.body, outbox.c.trace).where(outbox.c.id.in_([row["id"] for row in found]))
        of = {row["id"]: row for row in (await connection.execute(told)).mappings()}
    return [_claim(row, of[row["id"]]) for row in found]


def _claim(row: RowMapping, message: RowMapping) -> Claim:
    number, told = row["tries"] + 1, (message["body"], row["created_at"], message["trace"])
    return Claim(row["id"], row["job_id"], number, *told)


async def note_try(
    ledger: Ledger, claim: Claim, told: Mapping[str, Any], state: WebhookState, next_at: datetime | None = None
) -> None:
    """Keep how a try ended, and what is to become of the result, unless somebody else has begun another try of it."""
    async with ledger.writing("note webhook") as connection:
        its_own = (webhook_try.c.webhook_id == claim.message_id, webhook_try.c.number == claim.number)
        await connection.execute(update(webhook_try).where(*its_own).values(**told))
        mine = (webhook.c.id == claim.message_id, webhook.c.tries == claim.number, webhook.c.state == "owed")
        after = {"next_at": next_at} if next_at else {"ended_at": ledger.clock()}
        await connection.execute(update(webhook).where(*mine).values(state=state, **after))


async def webhook_rows(ledger: Ledger, job_id: str) -> list[dict[str, Any]]:
    """What was owed about a job, oldest first, each with its `log`."""
    owed = select(webhook).where(webhook.c.job_id == job_id).order_by(webhook.c.created_at, webhook.c.id)
    found = await ledger.rows(owed)
    made = select(webhook_try).join(webhook).where(webhook.c.job_id == job_id).order_by(webhook_try.c.number)
    tries = await ledger.rows(made) if found else []
    return [{**row, "log": [each for each in tries if each["webhook_id"] == row["id"]]} for row in found]
