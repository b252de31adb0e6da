"""The ledger's tables as SQLAlchemy sees them; the migrations make them, and a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()


class Json(TypeDecorator[object]):
    """A JSON document; PostgreSQL keeps it parsed."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[object]:
        """The database's own type; PostgreSQL's is loaded where that is the database."""
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON())
        from sqlalchemy.dialects.postgresql import JSONB

        return dialect.type_descriptor(JSONB())


class Instant(TypeDecorator[datetime]):
    """A moment in UTC, aware on the way in and out; SQLite stores it as text that sorts by time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 as SQLAlchemy calls it
        """The moment in UTC; a moment without a zone is refused, for nobody could say when it was."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 as SQLAlchemy calls it
        """The moment with its zone, which SQLite doesn't keep."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _lease_columns() -> tuple[Column[object], ...]:
    """The columns of what can be leased: `has_work` is set by whoever found the lease taken."""
    return (
        Column("fence", BigInteger, nullable=False),
        Column("lease_holder", Text),
        Column("lease_expires_at", Instant),
        Column("has_work", Boolean, nullable=False),
        Column("failures", Integer, nullable=False),
        Column("lost_leases", Integer, nullable=False),
    )


job = Table(
    "job",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("filename", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("generation", BigInteger),
    Column("upload", Json, nullable=False),
    Column("deals", Json),
    Column("deals_summary", Json),
    Column("submitted_by", Text, nullable=False),
    Column("prompts", Json),
    Column("rounds", Integer, nullable=False),
    Column("reason", Json),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("trace", Text),
    *_lease_columns(),
)

stage = Table(
    "stage",
    metadata,
    Column("job_id", Text, ForeignKey("job.id"), primary_key=True),
    Column("stage", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("model_calls", Integer, nullable=False),
    Column("tokens", BigInteger),
    Column("answer", Json),
    Column("stamps", Json, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("ended_at", Instant),
)

attempt = Table(
    "attempt",
    metadata,
    Column("job_id", Text, ForeignKey("job.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("stage", Text, nullable=False),
    Column("ticket_id", Text),
    Column("fence", BigInteger, nullable=False),
    Column("holder", Text, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("outcome", Text),
    Column("code", Text),
    Column("message", Text),
)

ticket = Table(
    "ticket",
    metadata,
    Column("id", Text, primary_key=True),
    Column("job_id", Text, ForeignKey("job.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("subject", Json, nullable=False),
    Column("result", Json),
    Column("files", Json),
    Column("opened_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("closed_at", Instant),
    *_lease_columns(),
)

handoff = Table(
    "handoff",
    metadata,
    Column("session_id", Text, primary_key=True),
    Column("call_id", Text, primary_key=True),
    Column("job_id", Text, ForeignKey("job.id"), nullable=False),
    Column("pause_id", Text, nullable=False),
    Column("ticket_id", Text, ForeignKey("ticket.id"), nullable=False),
    Column("call_name", Text, nullable=False),
    Column("seq", Integer, nullable=False),
)

decision = Table(
    "decision",
    metadata,
    Column("ticket_id", Text, ForeignKey("ticket.id"), primary_key=True),
    Column("job_id", Text, ForeignKey("job.id"), nullable=False),
    Column("verdict", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("emphasis", Text),
    Column("pins", Json, nullable=False),
    Column("subject", Json, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("decided_at", Instant, nullable=False),
)

delivered = Table(
    "delivered",
    metadata,
    Column("job_id", Text, ForeignKey("job.id"), primary_key=True),
    Column("ticket_id", Text, ForeignKey("ticket.id"), nullable=False),
    Column("place", Text, nullable=False),
    Column("deck_sha256", Text, nullable=False),
    Column("memo_sha256", Text, nullable=False),
    Column("delivered_at", Instant, nullable=False),
)

delivery = Table(
    "delivery",
    metadata,
    Column("subscription", Text, primary_key=True),
    Column("message_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("job_id", Text),
    Column("times", Integer, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("first_at", Instant, nullable=False),
    Column("last_at", Instant, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Text, primary_key=True),
    Column("job_id", Text, ForeignKey("job.id"), nullable=False),
    Column("topic", Text, nullable=False),
    Column("body", Json, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("sent_at", Instant),
    Column("trace", Text),
)

webhook = Table(
    "webhook",
    metadata,
    Column("id", Text, ForeignKey("outbox.id"), primary_key=True),
    Column("job_id", Text, ForeignKey("job.id"), nullable=False),
    Column("state", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("next_at", Instant, nullable=False),
    Column("ended_at", Instant),
)

webhook_try = Table(
    "webhook_try",
    metadata,
    Column("webhook_id", Text, ForeignKey("webhook.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("duration_ms", Integer),
    Column("status", Integer),
    Column("error", Text),
)

audit = Table(
    "audit",
    metadata,
    Column("job_id", Text, ForeignKey("job.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("who", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("facts", Json, nullable=False),
)

LEASED = {"job": job, "ticket": ticket}
"""What can be leased, by the name of its table."""
