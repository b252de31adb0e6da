"""All that the ledger knows of a job, as people are shown it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table, select

from schemas.job import (
    ArtifactDetail,
    AttemptDetail,
    AuditLine,
    DeliveredDetail,
    DocumentDetail,
    JobDetail,
    StageDetail,
    WebhookDetail,
)
from schemas.ticket import DecisionDetail, TicketDetail
from worker.ledger.jobs import stage_rows, summary_values
from worker.ledger.ledger import Ledger, Row
from worker.ledger.tables import attempt, audit, decision, delivered, ticket
from worker.ledger.webhooks import webhook_rows


async def job_detail(ledger: Ledger, row: Row) -> JobDetail:
    """The job of a row, with everything that belongs to it."""

    async def rows(table: Table, *order: Any) -> list[Row]:
        return await ledger.rows(select(table).where(table.c.job_id == row["id"]).order_by(*order))

    tickets = await rows(ticket, ticket.c.opened_at, ticket.c.kind, ticket.c.id)
    handed_over = await rows(delivered)
    attempts = await rows(attempt, attempt.c.number)
    names = ("user_id", "size_bytes", "finished_at", "rounds", "deals_summary")
    return JobDetail(
        **summary_values(row),
        **{name: row[name] for name in names},
        source=f"{row['source']}:{row['name']}",
        upload=ArtifactDetail.model_validate(row["upload"]) if row["upload"] else None,
        deals=ArtifactDetail.model_validate(row["deals"]) if row["deals"] else None,
        stages=tuple(_stage(found, attempts) for found in await stage_rows(ledger, row["id"])),
        attempts=tuple(AttemptDetail.model_validate(dict(found)) for found in attempts),
        tickets=tuple(_ticket(found) for found in tickets),
        decisions=tuple(_decision(found) for found in await rows(decision, decision.c.decided_at)),
        documents=_documents(tickets),
        delivered=DeliveredDetail.model_validate(dict(handed_over[0])) if handed_over else None,
        webhooks=tuple(WebhookDetail.model_validate(found) for found in await webhook_rows(ledger, row["id"])),
        audit=tuple(AuditLine.model_validate(dict(line)) for line in await rows(audit, audit.c.seq)),
    )


def _stage(row: Row, attempts: list[Row]) -> StageDetail:
    ended = [found["outcome"] for found in attempts if found["stage"] == row["stage"]]
    counts = {"failures": ended.count("failed"), "lost_leases": ended.count("lost")}
    return StageDetail.model_validate({**row, **counts})


def _ticket(row: Row) -> TicketDetail:
    return TicketDetail.model_validate({**row, "ticket_id": row["id"]})


def _decision(row: Row) -> DecisionDetail:
    return DecisionDetail.model_validate({**row, "by": row["decided_by"]})


def _documents(tickets: list[Row]) -> tuple[DocumentDetail, ...]:
    """The rendered documents, in the order in which they were first ordered."""
    done = [row for row in tickets if row["files"]]
    newest = _newest(tickets, done)
    return tuple(_document(row, newest=row["id"] in newest) for row in done)


def _newest(tickets: list[Row], done: list[Row]) -> set[str]:
    """Which are what was last put before a person, or while nothing was yet, the last of each kind.

    The last made need not be the last asked about: the same order about the same deals is the same document.
    """
    asked = [row["subject"] for row in tickets if row["kind"] == "approval"]
    if not asked:
        return set({row["kind"]: row["id"] for row in sorted(done, key=lambda row: row["closed_at"])}.values())
    wanted = {asked[-1][f"{kind}_final_sha256"] for kind in ("deck", "memo")}
    return {row["id"] for row in done if row["files"]["final"]["sha256"] in wanted}


def _document(row: Row, *, newest: bool) -> DocumentDetail:
    order = row["subject"]["order"]
    told = {"kind": row["kind"], "title": order["title"], "emphasis": order["emphasis"], "ticket_id": row["id"]}
    return DocumentDetail.model_validate({**row["files"], **told, "pages": row["result"]["pages"], "newest": newest})
