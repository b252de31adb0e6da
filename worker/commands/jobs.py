"""`dealwright jobs` and `dealwright show`: what the ledger knows, for people and for programs."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from datetime import datetime

from schemas.job import DocumentDetail, JobDetail, JobSummary, WebhookDetail
from schemas.ticket import DecisionDetail
from worker.bootstrap import open_app
from worker.commands.results import outcome_line, pin_line
from worker.commands.terminal import print_json, tell, tell_table
from worker.jobs import list_jobs, show_job
from worker.settings import load_settings

LONGEST_NAME = 48
"""Characters of a file's name in the list: one long name must not push all lines off the screen."""


def run_jobs(arguments: argparse.Namespace) -> int:
    """Prints a line a job, newest first."""
    found = asyncio.run(_list())
    if arguments.json:
        print_json([summary.model_dump(mode="json") for summary in found])
    elif found:
        rows = [
            (each.job_id[:12], each.state, clipped(each.filename), _moment(each.created_at), _why(each))
            for each in found
        ]
        tell_table(("job", "state", "file", "since", "why"), rows)
    else:
        tell("No jobs yet; dealwright process FILE starts one.")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Prints all about one job."""
    detail = asyncio.run(_show(arguments.job))
    if arguments.json:
        print_json(detail.model_dump(mode="json"))
    else:
        for line in show_lines(detail):
            tell(line)
    return 0


async def _list() -> list[JobSummary]:
    async with open_app(load_settings()) as app:
        return await list_jobs(app)


async def _show(job_id: str) -> JobDetail:
    async with open_app(load_settings()) as app:
        return await show_job(app, job_id)


def clipped(name: str) -> str:
    """A file's name short enough for a column: its beginning, and its end with what kind of file it is."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 13]}…{name[-12:]}"


def _moment(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}" if at else "-"


def _why(summary: JobSummary) -> str:
    return summary.reason.message if summary.reason else ""


def show_lines(detail: JobDetail) -> Iterator[str]:
    """The job for people, a line a thing: where it stands first, then its course in the order of time."""
    yield f"{detail.job_id}  {detail.filename}  {detail.state}"
    yield outcome_line(detail)
    yield f"  submitted by {detail.submitted_by}, {_moment(detail.created_at)} UTC; {detail.source}"
    yield f"  upload    {detail.upload.sha256 if detail.upload else 'not read yet'}"
    if detail.deals:
        yield f"  deals     {detail.deals.sha256}  {(detail.deals_summary or {}).get('deals', 0):,} deals"
    yield from (f"  {_document(each)}" for each in detail.documents)
    for stage in detail.stages:
        course = f"{stage.turns} turns, {stage.model_calls} model calls, {stage.failures} failures"
        yield f"  stage     {stage.stage}: {stage.state}, {course}"
    for use in detail.models:
        cost = f", {use.cost:,.4f} {use.currency}" if use.cost is not None else ""
        told = f"{use.calls} calls, {use.prompt_tokens:,} tokens in, {use.answer_tokens:,} out{cost}"
        yield f"  model     {use.model}: {told}"
    for ticket in detail.tickets:
        yield f"  ticket    {ticket.ticket_id[:12]} {ticket.kind}: {ticket.state}, opened {_moment(ticket.opened_at)}"
    for decision in detail.decisions:
        yield f"  {_decision(decision)}"
        yield from (f"  corrected {pin_line(pin)}; {pin['reason']}" for pin in decision.pins)
    if detail.delivered:
        yield f"  delivered {detail.delivered.place}, {_moment(detail.delivered.delivered_at)}"
    yield from (f"  webhook   {_told(each)}" for each in detail.webhooks)
    for attempt in detail.attempts:
        if attempt.code:
            what = f"{attempt.outcome}, {attempt.code}: {attempt.message}"
            yield f"  attempt   {attempt.number} of {attempt.stage}: {what}"


def _told(webhook: WebhookDetail) -> str:
    last = webhook.log[-1] if webhook.log else None
    came = f", last {last.status or last.error or 'cut off'}" if last else ""
    then = f", next {_moment(webhook.next_at)}" if webhook.state == "owed" else ""
    return f"{webhook.id}: {webhook.state.replace('_', ' ')} after {webhook.tries} tries{came}{then}"


def _document(document: DocumentDetail) -> str:
    course = f"{document.pages} pages, leads with {document.emphasis}" + ("" if document.newest else ", superseded")
    return f"{document.kind:<8}  {document.final.sha256}  {course}"


def _decision(decision: DecisionDetail) -> str:
    pins = f", {len(decision.pins)} corrected" if decision.pins else ""
    comment = f": {decision.comment}" if decision.comment else ""
    return f"decision  {decision.verdict} by {decision.by}, {_moment(decision.decided_at)}{pins}{comment}"
