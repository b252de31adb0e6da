"""`dealwright quarantine list`, `show`, `release`: jobs that were set aside, why, and the way back."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from typing import Any

from schemas.errors import DealwrightError
from schemas.job import JobSummary
from worker.bootstrap import open_app
from worker.commands.jobs import clipped, run_show
from worker.commands.person import user_name
from worker.commands.sweep import sending
from worker.commands.terminal import error_document, print_json, say, tell, tell_table
from worker.jobs import list_quarantined, replay, show_job
from worker.outbox import publish_promised
from worker.settings import Settings, load_settings

__all__ = ["run_list", "run_release", "run_show"]


def run_list(arguments: argparse.Namespace) -> int:
    """Prints a line a job, newest first, and how many there are of each code."""
    found = asyncio.run(_list(load_settings()))
    if arguments.json:
        print_json([summary.model_dump(mode="json") for summary in found])
        return 0
    if not found:
        tell("No job is set aside.")
        return 0
    rows = [
        (each.job_id[:12], *_why(each), clipped(each.filename), f"{each.updated_at:%Y-%m-%d %H:%M}") for each in found
    ]
    tell_table(("job", "stage", "code", "file", "since"), rows)
    counts = Counter(_why(each)[1] for each in found)
    jobs = "1 job" if len(found) == 1 else f"{len(found)} jobs"
    tell(f"{jobs}: " + ", ".join(f"{count} {code}" for code, count in counts.most_common()) + ".")
    return 0


def _why(summary: JobSummary) -> tuple[str, str]:
    return summary.stage, summary.reason.code if summary.reason else ""


async def _list(settings: Settings) -> list[JobSummary]:
    async with open_app(settings) as app:
        return await list_quarantined(app)


def run_release(arguments: argparse.Namespace) -> int:
    """Takes each job up again where it stopped; 2 if any can't be, after all others were."""
    settings = load_settings()
    told = asyncio.run(_release(settings, arguments.jobs))
    if arguments.json:
        print_json(told)
    for each in told:
        if "error" in each:
            say(each["error"]["message"])
        elif not arguments.json:
            tell(f"Job {each['job_id'][:12]} is {each['state']} again.")
    if not arguments.json and settings.transport == "inprocess" and any("state" in each for each in told):
        tell("A running worker takes them up; without one, dealwright work does.")
    return 2 if any("error" in each for each in told) else 0


async def _release(settings: Settings, wanted: list[str]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    async with sending(settings) as app:
        for prefix in wanted:
            try:
                job_id = (await show_job(app, prefix)).job_id
                told.append({"job_id": job_id, "state": await replay(app, job_id, user_name())})
            except DealwrightError as error:
                told.append({"job_id": prefix} | error_document(error.code, error.message))
                continue
            if settings.transport == "pubsub":
                await publish_promised(app, job_id)
    return told
