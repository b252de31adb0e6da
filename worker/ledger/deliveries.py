"""Deliveries: which messages were handed over, how often, and what came of the last time."""

from __future__ import annotations

from schemas.event import Delivery
from worker.ledger.engine import insert_or_update
from worker.ledger.ledger import Ledger
from worker.ledger.tables import delivery as table


async def note_delivery(ledger: Ledger, delivery: Delivery, outcome: str) -> None:
    """Keep that the message was handed over, and how it ended."""
    now = ledger.clock()
    row = {"subscription": delivery.subscription, "message_id": delivery.message_id, "times": 1, "outcome": outcome}
    row |= {
        "kind": str(delivery.body.get("kind", ""))[:64],
        "job_id": str(delivery.body.get("job_id", ""))[:64] or None,
    }
    row |= {"first_at": now, "last_at": now}
    async with ledger.singly.begin() as connection:
        again = {"times": table.c.times + 1, "outcome": outcome, "last_at": now}
        await connection.execute(insert_or_update(connection, table, row, **again))
