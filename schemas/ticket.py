"""Tickets: what a job waits for from outside, and the decisions that answer those for people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

TicketKind = Literal["deck", "memo", "approval"]
TicketState = Literal["open", "done", "void"]
Verdict = Literal["approved", "changes_requested", "rejected", "expired"]

HANDOFFS: frozenset[TicketKind] = frozenset({"deck", "memo"})
"""Tickets for a machine; the other kind is a gate, for a person."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)


class TicketDetail(_Value):
    """A ticket: `subject` says what it asks for (an order, or the hashes that an approval binds)."""

    ticket_id: str
    kind: TicketKind
    state: TicketState
    subject: Mapping[str, Any]
    result: Mapping[str, Any] | None
    opened_at: datetime
    expires_at: datetime | None
    closed_at: datetime | None


class DecisionDetail(_Value):
    """A person's decision: who, when, about which hashes (`subject`), with which corrected values."""

    ticket_id: str
    verdict: Verdict
    comment: str
    emphasis: str | None
    pins: tuple[Mapping[str, Any], ...]
    by: str
    decided_at: datetime
    subject: Mapping[str, Any]
