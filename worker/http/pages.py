"""Pages that show: the list of jobs and a job. They are asked with GET or HEAD, and change nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from schemas.deal import Extraction
from schemas.errors import DealwrightError, InputError
from schemas.job import AT_WORK, JobDetail
from schemas.ticket import TicketDetail
from worker.http import view
from worker.http.site import COOKIE, TEMPLATES, Site, page, sentence, site_of
from worker.jobs import list_jobs, read_artifact, show_job
from worker.links import DECISIONS, Pass, subject_of
from worker.shelves import check_hash

FORM_S = 12 * 3600.0
"""How long a form that was shown may be sent."""
MOST_DEALS = 50_000
"""More deals than that would take a page's process more memory than it should have."""
KEPT = 4
"""Deals of so many jobs are kept in memory for the next look."""
NO_PASS = "This link isn't good, or not any more; ask whoever sent it for a new one."  # noqa: S105 a sentence for people


async def enter(request: Request) -> Response:
    """To the list of jobs, with the pass of the address kept in a cookie from then on."""
    site, token = site_of(request), request.query_params.get("pass", "")
    granted = site.pass_of(token)
    if granted is None or granted.job_id:
        return sentence(403, NO_PASS)
    response = RedirectResponse("/", 303)
    seconds = int((granted.expires_at - site.app.clock()).total_seconds())
    secure = site.app.settings.public_url.startswith("https:")
    response.set_cookie(COOKIE, token, max_age=seconds, httponly=True, samesite="lax", secure=secure)
    return response


async def style(_: Request) -> Response:
    """The style sheet, which tells nobody anything."""
    return FileResponse(TEMPLATES / "style.css", media_type="text/css")


def pass_for(request: Request, job_id: str = "") -> Pass | None:
    """The pass by which a job, or without an id the list of all, may be seen: the address's, else the cookie's."""
    return shown_by(request, request.query_params.get("pass", ""), job_id) or shown_by(
        request, request.cookies.get(COOKIE, ""), job_id
    )


def shown_by(request: Request, token: str, job_id: str = "") -> Pass | None:
    """The pass that a text is, if the job, or without an id the list of all, may be seen by it."""
    granted = site_of(request).pass_of(token) if token else None
    return granted if granted is not None and granted.shows(job_id) else None


def cookie_pass(request: Request) -> Pass | None:
    """The pass that the cookie is."""
    token = request.cookies.get(COOKIE, "")
    return site_of(request).pass_of(token) if token else None


async def jobs(request: Request) -> Response:
    """The newest jobs, and where new files go."""
    site, granted = site_of(request), pass_for(request)
    if granted is None:
        return sentence(403, NO_PASS)
    found = await list_jobs(site.app)
    holder = cookie_pass(request) if site.drop else None
    form = form_pass(site, holder, actions=("upload",)) if holder and "upload" in holder.actions else None
    said = site.pass_of(request.query_params.get("note", ""), "note")
    at_work = any(each.state in AT_WORK for each in found)
    shown: dict[str, Any] = {"upload": form, "note": said.by if said else "", "refresh": at_work or said is not None}
    return page("jobs.html", jobs=[view.line(each) for each in found], **shown)


async def job(request: Request) -> Response:
    """A job: where it stands, its documents, what was checked, its deals with their cells, its course."""
    job_id = request.path_params["job_id"]
    granted = pass_for(request, job_id)
    if granted is None:
        return sentence(403, NO_PASS)
    return await show(request, job_id, granted, token=request.query_params.get("pass", ""))


async def show(
    request: Request, job_id: str, granted: Pass, status: int = 200, *, token: str = "", **said: Any
) -> Response:
    """The job's page; `token` is the pass that stood in its address, for its links to have it too.

    `said` holds a `note` to show on top, and what a form that was sent back held.
    """
    site = site_of(request)
    try:
        detail = await show_job(site.app, job_id)
    except InputError:
        return sentence(403, NO_PASS)
    if detail.job_id != job_id:
        return sentence(403, NO_PASS)
    shown: dict[str, Any] = {"note": "", "comment": "", "values": "", "own_name": "", **said}
    shown |= {"job": view.job(detail), "form": _form(site, detail, granted)}
    shown |= {"deals": await _deals(site, detail, request.query_params.get("from", ""))}
    shown |= {"refresh": detail.state in AT_WORK, "token": token}
    return page("job.html", status, **shown)


async def _deals(site: Site, detail: JobDetail, first: str) -> Mapping[str, Any] | None:
    """What the page shows of the deals; None if there are none yet."""
    try:
        extraction = await extraction_of(site, detail)
    except DealwrightError as error:
        return {"trouble": error.message}
    start = int(first) if first.isdecimal() and len(first) < 9 else 0
    return await asyncio.to_thread(view.deals, extraction, start) if extraction is not None else None


async def extraction_of(site: Site, detail: JobDetail) -> Extraction | None:
    """The job's deals, from memory if they were read lately; None if there are none yet.

    Raises what the store does, and InputError `page.too_many`.
    """
    if detail.deals is None:
        return None
    count = (detail.deals_summary or {}).get("deals", 0)
    if count > MOST_DEALS:
        told = f"These are {count:,} deals, more than the {MOST_DEALS:,} that a page opens"
        raise InputError("page.too_many", f"{told}; read them with dealwright extract, and the documents here.")
    found = site.kept.get(detail.deals.sha256)
    if found is None:
        data = await read_artifact(site.app, detail, detail.deals.artifact, detail.deals.version)
        check_hash(data, detail.deals.sha256)
        found = site.kept[detail.deals.sha256] = await asyncio.to_thread(_load, data)
        for sha256 in list(site.kept)[:-KEPT]:
            del site.kept[sha256]
    return found


def _load(data: bytes) -> Extraction:
    from tools.deals.document import load

    return load(data)


def _form(site: Site, detail: JobDetail, granted: Pass) -> Mapping[str, Any] | None:
    """What the form for a decision needs; None if there is nothing to decide, or not by this holder."""
    gate = open_gate(detail)
    if gate is None or not granted.shows(detail.job_id):
        return None
    bound = subject_of(gate.subject)
    if granted.job_id and (granted.ticket_id, granted.subject) != (gate.ticket_id, bound):
        return None
    actions = tuple(action for action in granted.actions if action in DECISIONS)
    told = {"job_id": detail.job_id, "ticket_id": gate.ticket_id, "subject": bound}
    return {
        "form": form_pass(site, granted, actions=actions, **told),
        "actions": actions,
        "by": granted.by,
        "until": view.moment(gate.expires_at),
        "bound": view.bound(gate.subject),
    }


def open_gate(detail: JobDetail) -> TicketDetail | None:
    """The gate that the job waits at."""
    gates = [each for each in detail.tickets if each.kind == "approval" and each.state == "open"]
    return gates[-1] if gates and detail.state == "waiting" else None


def form_pass(site: Site, granted: Pass, **bound: Any) -> str:
    """A pass for one form: nobody else can make one, so that no other site sends the form in its reader's name."""
    until = min(granted.expires_at, site.app.clock() + timedelta(seconds=FORM_S))
    return site.sign(granted, purpose="form", expires_at=until, **bound)


def job_address(job_id: str, token: str) -> str:
    """The address of a job's page, with the pass that it was reached by, if that was in the address."""
    return str(URL(f"/jobs/{job_id}").include_query_params(**{"pass": token} if token else {}))
