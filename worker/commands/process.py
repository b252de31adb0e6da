"""`dealwright process`: files go all the way to documents that somebody approved."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import DealwrightError
from schemas.job import JobDetail
from worker.bootstrap import open_app
from worker.commands.decide import tell_corrections
from worker.commands.person import ask_for_decision, user_name
from worker.commands.reading import check_name
from worker.commands.results import Report, exit_code, fault_line, first_decision, tell_reports
from worker.commands.rounds import newest_gate
from worker.commands.terminal import is_interactive, print_json, say
from worker.commands.watching import watching
from worker.decisions import Said, decide
from worker.export import OURS, Exported, export, remember
from worker.jobs import SubmitOutcome, run_until_quiet, show_job, submit_file
from worker.placing import check_place, folders_for
from worker.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Errand:
    """One file to take all the way, where its results go, and who signs how."""

    settings: Settings
    path: str
    folder: Path
    fresh: bool
    approve: str
    by: str


def run(arguments: argparse.Namespace) -> int:
    """The worst exit code of the files: 1 before 2 before 3."""
    settings, by = load_settings(), user_name()
    approve = "later" if arguments.approve == "ask" and not is_interactive() else arguments.approve
    reports: list[Report] = []
    for path, folder in zip(arguments.files, folders_for(arguments.files, arguments.out), strict=True):
        errand = Errand(settings, path, folder, arguments.fresh, approve, by)
        try:
            reports.append(take_all_the_way(errand))
        except DealwrightError as error:
            say(error.message)
            reports.append(Report(path, error.exit_code, error=error))
    if arguments.json:
        documents = [report.document() for report in reports]
        print_json(documents[0] if len(arguments.files) == 1 else documents)
    else:
        tell_reports(reports)
    return next((code for code in (1, 2, 3) if code in {report.code for report in reports}), 0)


def take_all_the_way(errand: Errand) -> Report:
    """The report on one file, after as many rounds of decisions as the person at the terminal asks for."""
    check_name(errand.path)
    check_place(errand.folder, OURS)
    detail, was = asyncio.run(_start(errand))
    while detail.state == "waiting" and errand.approve == "ask":
        said = _ask(errand, detail)
        if said is None:
            break
        detail = asyncio.run(_answer(errand, detail, said))
    code = exit_code(detail)
    if code in (1, 2):
        say(fault_line(detail, errand.settings.log_file))
    return Report(errand.path, code, detail, was, asyncio.run(_lay_out(errand, detail)))


async def _start(errand: Errand) -> tuple[JobDetail, str]:
    async with open_app(errand.settings) as app:
        submitted = await submit_file(app, errand.path, fresh=errand.fresh, by=errand.by)
        job_id = submitted.job_id
        remember(app, job_id, errand.folder)
        if submitted.was != "new":
            _say_known(errand.path, job_id, submitted)
        if submitted.was != "finished":
            with watching(Path(errand.path).name) as watch:
                state = await run_until_quiet(app, job_id, watch)
                while state == "waiting" and errand.approve == "yes":
                    await decide(app, job_id, Said("approved", errand.by))
                    state = await run_until_quiet(app, job_id, watch)
        return await show_job(app, job_id), submitted.was


def _say_known(path: str, job_id: str, submitted: SubmitOutcome) -> None:
    if submitted.state == "quarantined":
        say(f"{path} was set aside before, as job {job_id[:12]} (--fresh starts anew):")
    elif submitted.was == "finished":
        say(f"{path} was processed before, as job {job_id[:12]}; its results are written again (--fresh starts anew).")
    else:
        say(f"{path} is job {job_id[:12]}, which goes on where it stopped.")


def _ask(errand: Errand, detail: JobDetail) -> Said | None:
    """What the person says to the drafts, which are laid out first; Ctrl-C means later."""
    report = Report(errand.path, 3, detail, exported=asyncio.run(_lay_out(errand, detail)))
    say(report.brief())
    try:
        return ask_for_decision(detail.job_id, errand.by)
    except KeyboardInterrupt:
        say("")
        return None


async def _answer(errand: Errand, detail: JobDetail, said: Said) -> JobDetail:
    """The job after the answer; one that can't be taken is told, and asked for again."""
    async with open_app(errand.settings) as app:
        try:
            await tell_corrections(app, detail.job_id, said)
            outcome = await decide(app, detail.job_id, said, newest_gate(detail))
        except DealwrightError as error:
            say(error.message)
            return await show_job(app, detail.job_id)
        if outcome.status == "conflict":
            say(first_decision(outcome))
        with watching(Path(errand.path).name) as watch:
            await run_until_quiet(app, detail.job_id, watch)
        return await show_job(app, detail.job_id)


async def _lay_out(errand: Errand, detail: JobDetail) -> Exported | None:
    """What was set aside or called off leaves nothing behind."""
    if detail.state not in ("completed", "waiting", "rejected"):
        return None
    async with open_app(errand.settings) as app:
        return await export(app, detail, errand.folder)
