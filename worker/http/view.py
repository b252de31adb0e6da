"""What the pages show, as plain words and numbers; the templates put them in place, and escape them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from schemas.deal import Extraction, Issue
from schemas.documents import FILE_NAMES
from schemas.job import AuditLine, JobDetail, JobSummary
from schemas.ticket import DecisionDetail
from worker.decisions import in_currencies
from worker.export import newest

if TYPE_CHECKING:
    # Measuring deals takes libraries that a process that only takes pushed messages needs not.
    from tools.figures.columns import TableColumn
    from tools.figures.measures import Portfolio

ROWS = 100
"""Deals on one page."""
MOST_ISSUES = 200
NAMED_CELLS = 3
"""As many cells of a value are named; of more, the first and how many others."""
STATES = {
    "received": "received",
    "extracting": "being read",
    "presenting": "documents being made",
    "waiting": "waits for a decision",
    "delivering": "being delivered",
    "completed": "delivered",
    "rejected": "rejected",
    "cancelled": "cancelled",
    "quarantined": "set aside",
}
AFTER = {"approved": "approved, being delivered", "rejected": "being rejected", "expired": "being closed, out of time"}
"""What `presenting` is called once somebody's decision, or nobody's in time, ended the making of documents."""
VERDICTS = {"approved": "approved", "changes_requested": "changes asked for", "rejected": "rejected"}
ACTIONS = {"submitted": "file received", "extracted": "deals read", "decided": "decided", "delivered": "delivered"}


def moment(at: datetime | None) -> str:
    """`30 Nov 2026, 10:31 UTC`, or nothing."""
    return f"{at.day} {at:%b %Y, %H:%M} UTC" if at else ""


def line(summary: JobSummary) -> Mapping[str, str]:
    """A job in the list."""
    told = {"id": summary.job_id, "filename": summary.filename, "by": summary.submitted_by, "code": summary.state}
    why = summary.reason.message if summary.reason else ""
    return {**told, "state": STATES[summary.state], "since": moment(summary.created_at), "why": why}


def job(detail: JobDetail) -> Mapping[str, Any]:
    """A job's head, documents, decisions and course."""
    summary = detail.deals_summary or {}
    verdict = detail.decisions[-1].verdict if detail.decisions and detail.state == "presenting" else ""
    return {
        **line(detail),
        "state": AFTER.get(verdict, STATES[detail.state]),
        "count": summary.get("deals"),
        "delivered": detail.delivered.place if detail.delivered else "",
        "rounds": detail.rounds,
        "edition": "final" if detail.state == "completed" else "draft",
        "documents": [_document(each) for each in newest(detail)],
        "decisions": [_decision(each) for each in detail.decisions],
        "course": [_course(each) for each in detail.audit],
    }


def _document(document: Any) -> Mapping[str, Any]:
    unit = "slides" if document.kind == "deck" else "pages"
    name = FILE_NAMES[document.kind]
    return {"name": name, "title": document.title, "extent": f"{document.pages} {unit}"}


def _decision(decision: DecisionDetail) -> Mapping[str, Any]:
    pins = [_pin(pin) for pin in decision.pins]
    verdict = VERDICTS.get(decision.verdict, decision.verdict)
    told = {"verdict": verdict, "by": decision.by, "at": moment(decision.decided_at)}
    return {**told, "comment": decision.comment, "pins": pins}


def _pin(pin: Mapping[str, Any]) -> str:
    """A corrected value: whose, what was in force until then and what is."""
    before, value = (pin.get("before", pin.get("was")) or "(none)"), (pin.get("value") or "(none)")
    before, value = in_currencies(pin, str(before), str(value))
    return f"{pin.get('deal') or pin['deal_id']}: {pin['field']} {before} → {value}"


def first_decision(decision: DecisionDetail) -> str:
    """What to tell whoever comes after the first decision, or too late for any."""
    if decision.verdict == "expired":
        return f"Nobody decided in time: this expired on {moment(decision.decided_at)}, and nothing was delivered."
    verdict = VERDICTS.get(decision.verdict, decision.verdict)
    return f"This is decided: {decision.by} was first, on {moment(decision.decided_at)}: {verdict}."


def _course(audit: AuditLine) -> Mapping[str, str]:
    what = ACTIONS.get(audit.action, audit.action.replace("_", " "))
    verdict = audit.facts.get("verdict")
    words = f"{what}: {VERDICTS.get(str(verdict), verdict)}" if verdict else what
    return {"at": moment(audit.at), "who": audit.who, "what": words}


def bound(subject: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a decision binds, by the first digits of the hashes."""
    names = {"deals_sha256": "deals", "deck_final_sha256": "deck", "memo_final_sha256": "memorandum"}
    return [(name, str(subject[key])[:12]) for key, name in names.items() if key in subject]


def deals(extraction: Extraction, start: int) -> Mapping[str, Any]:
    """The tables, from the deal at `start` of each, and what was found wrong; severest first."""
    order = {"error": 0, "warning": 1}
    issues = sorted(extraction.issues, key=lambda each: order.get(each.severity, 2))
    tables = list(_tables(extraction, start)) if extraction.tables else []
    longest = max((table["of"] for table in tables), default=0)
    return {
        "tables": [table for table in tables if table["rows"]],
        "issues": [_issue(each) for each in issues[:MOST_ISSUES]],
        "issue_count": len(issues),
        "before": max(start - ROWS, 0) if start else None,
        "after": start + ROWS if start + ROWS < longest else None,
    }


def _issue(issue: Issue) -> Mapping[str, str]:
    return {"severity": issue.severity, "message": issue.message, "cells": _cells(issue.cells)}


def _tables(extraction: Extraction, start: int) -> Iterator[Mapping[str, Any]]:
    from tools.figures.columns import table_columns
    from tools.figures.measures import portfolio

    main = portfolio(extraction)
    for each in (main, *main.companions):
        columns = table_columns(each, "income")
        records = range(start, min(start + ROWS, each.count))
        yield {
            "sheet": each.table.sheet or extraction.source.filename,
            "range": each.table.range,
            "heads": [(column.head, column.align) for column in columns],
            "rows": [[_cell(each, column, record) for column in columns] for record in records],
            "of": each.count,
        }


def _cell(portfolio: Portfolio, column: TableColumn, record: int) -> Mapping[str, Any]:
    from tools.figures.columns import printed

    made = printed(portfolio, column, record)
    found = made.figure.cells if made.figure is not None and column.role != "number" else ()
    if made.figure is None:
        fields = column.fields or [name for name in portfolio.view.names if portfolio.view.text(name, record)][:1]
        found = tuple(cell for name in fields if (cell := portfolio.view.cell(name, record)) is not None)
    return {
        "text": made.text,
        "missing": made.missing,
        "note": made.note or "",
        "align": column.align,
        "cells": _cells(found, portfolio.table.sheet),
    }


def _cells(cells: tuple[str, ...], sheet: str | None = None) -> str:
    """Where a value comes from; the sheet is left out where the table's own is meant."""
    prefixes = (f"{sheet}!", f"'{sheet}'!") if sheet else ()
    short = [next((cell.removeprefix(each) for each in prefixes if cell.startswith(each)), cell) for cell in cells]
    told = ", ".join(short[:NAMED_CELLS])
    return f"{short[0]} and {len(short) - 1} more" if len(short) > NAMED_CELLS else told
