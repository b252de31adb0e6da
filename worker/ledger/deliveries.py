"""Deliveries: which messages were handed over, how often, and what came of the last time."""

from __future__ import annotations

from sqlalchemy import update

from schemas.event import Delivery
from worker.ledger.engine import insert_if_absent
from worker.ledger.ledger import Ledger
from worker.ledger.tables import delivery as table


async def note_delivery(ledger: Ledger, delivery: Delivery, outcome: str) -> None:
    """Keep that the message was handed over, and how it ended."""
    now, key = (
        ledger.clock(),
        (table.c.subscription == delivery.subscription, table.c.message_id == delivery.message_id),
    )
    row = {"subscription": delivery.subscription, "message_id": delivery.message_id}
    row |= {
        "kind": str(delivery.body.get("kind", ""))[:64],
        "job_id": str(delivery.body.get("job_id", ""))[:64] or None,
    }
    async with ledger.engine.begin() as connection:
        first = insert_if_absent(
            connection, table, {**row, "times": 1, "outcome": outcome, "first_at": now, "last_at": now}
        )
        if not (await connection.execute(first)).rowcount:
            again = update(table).where(*key).values(times=table.c.times + 1, outcome=outcome, last_at=now)
            await connection.execute(again)
