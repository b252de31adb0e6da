"""`dealwright approve`, `changes`, `reject`, `cancel`, `replay`: a person says how a job goes on, and it does."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from schemas.errors import ConflictError, InputError
from schemas.job import JobDetail, JobState
from worker.app import App
from worker.bootstrap import open_app
from worker.commands.person import user_name
from worker.commands.results import Report, exit_code, fault_line, first_decision, job_plain, pin_line, tell_reports
from worker.commands.rounds import check_round, newest_gate
from worker.commands.terminal import print_json, say
from worker.commands.watching import watching
from worker.decisions import Correction, Said, decide, preview
from worker.export import OURS, Exported, export, remember, remembered
from worker.jobs import cancel, replay, run_until_quiet, show_job
from worker.placing import check_place
from worker.settings import load_settings

Act = Callable[[App, JobDetail, Path | None], Awaitable[None]]
"""What is done to a job; the path is the folder that its results were written to last, if that is known."""


def run_approve(arguments: argparse.Namespace) -> int:
    """0 once the documents are delivered."""
    said = Said("approved", user_name(), arguments.comment)

    async def act(app: App, detail: JobDetail, folder: Path | None) -> None:
        line = check_round(detail, arguments.sha256, folder)
        await _deciding(said)(app, detail, folder)
        if line:
            say(f"Approved: {line}.")

    return _carry_out(arguments, act, "completed")


def run_changes(arguments: argparse.Namespace) -> int:
    """3 once new documents wait for a decision: the job is not done."""
    corrections = tuple(_corrections(arguments.set, arguments.reason))
    said = Said("changes_requested", user_name(), arguments.comment, corrections, arguments.emphasis)
    return _carry_out(arguments, _deciding(said))


def run_reject(arguments: argparse.Namespace) -> int:
    """0 once the job has ended as rejected."""
    return _carry_out(arguments, _deciding(Said("rejected", user_name(), arguments.comment)), "rejected")


def run_cancel(arguments: argparse.Namespace) -> int:
    """0 once the job has ended as cancelled."""

    async def act(app: App, detail: JobDetail, _: Path | None) -> None:
        await cancel(app, detail.job_id, user_name())

    return _carry_out(arguments, act, "cancelled")


def run_replay(arguments: argparse.Namespace) -> int:
    """0 once the job is completed, 3 while it waits for a decision."""

    async def act(app: App, detail: JobDetail, _: Path | None) -> None:
        await replay(app, detail.job_id, user_name())

    return _carry_out(arguments, act, "completed")


def _corrections(assignments: list[str], reasons: list[str]) -> list[Correction]:
    if len(reasons) not in ({0} if not assignments else {1, len(assignments)}):
        counts = f"{len(assignments)} --set and {len(reasons)} --reason don't pair up"
        raise InputError("line.wrong", f"{counts}; give one --reason for each --set, or one for all.")
    return [Correction(each, reasons[number % len(reasons)]) for number, each in enumerate(assignments)]


async def tell_corrections(app: App, job_id: str, said: Said) -> None:
    """Says which deals' values are about to be set, before they are; raises InputError `pin.*`."""
    for pin in await preview(app, job_id, said):
        say(f"Correcting {pin_line(pin)}")


def _deciding(said: Said) -> Act:
    async def act(app: App, detail: JobDetail, _: Path | None) -> None:
        job_id = detail.job_id
        await tell_corrections(app, job_id, said)
        outcome = await decide(app, job_id, said, newest_gate(detail))
        if outcome.status == "conflict":
            raise ConflictError("decision.taken", f"Job {job_id[:12]} takes no decision now. {first_decision(outcome)}")
        if outcome.status == "repeat":
            say(first_decision(outcome))

    return act


def _carry_out(arguments: argparse.Namespace, act: Act, *wanted: JobState) -> int:
    """0 if the job comes to rest in a state that was wanted, else the code of the state that it is in."""
    detail, exported, made = asyncio.run(_act_and_run(arguments, act))
    code = 0 if detail.state in wanted else exit_code(detail)
    if code in (1, 2):
        say(fault_line(detail, load_settings().log_file))
    if arguments.json:
        print_json({"exit_code": code} | job_plain(detail, exported))
    elif code not in (1, 2):
        tell_reports([Report(detail.filename, code, detail, exported=exported)], decided=made)
    return code


async def _act_and_run(arguments: argparse.Namespace, act: Act) -> tuple[JobDetail, Exported | None, bool]:
    """The job as it came to rest, what was written of it, and whether documents were made on the way."""
    async with open_app(load_settings()) as app:
        known = await show_job(app, arguments.job)
        before = remembered(app, known.job_id)
        folder = Path(arguments.out) if arguments.out else before
        if folder:
            check_place(folder, OURS)
            remember(app, known.job_id, folder)
        await act(app, known, before)
        with watching(known.filename) as watch:
            await run_until_quiet(app, known.job_id, watch)
        detail = await show_job(app, known.job_id)
        shown = folder is not None and detail.state in ("completed", "waiting", "rejected")
        made = {each.ticket_id for each in detail.documents} > {each.ticket_id for each in known.documents}
        return detail, await export(app, detail, folder) if folder and shown else None, made
