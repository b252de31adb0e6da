"""Decisions over HTTP: by POST alone, bound to what the sender was shown, and once."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from schemas.errors import ConflictError, InputError
from schemas.job import JobDetail
from schemas.ticket import Verdict
from worker.decisions import Correction, DecisionOutcome, Said, decide
from worker.http import view
from worker.http.pages import NO_PASS, job_address, show, shown_by
from worker.http.site import COOKIE, Site, sentence, site_of
from worker.jobs import show_job
from worker.links import Pass, subject_of

VERDICTS: dict[str, Verdict] = {"approve": "approved", "changes": "changes_requested", "reject": "rejected"}
LARGEST_BYTES = 64_000
CHANGED = "What this page showed is not what the job waits with any more; look at it as it is now, then decide."
DROPPED = (
    "Nothing was decided: the values to correct would be dropped. "
    "Ask for changes to have new documents made with them, or empty their field first."
)


async def decide_gate(request: Request) -> Response:
    """To the job's page once the decision holds; with 409 and the first decision for whoever comes later.

    400 with a sentence for a decision that can't be meant, 403 for a form that isn't ours or is too old.
    """
    site, job_id = site_of(request), request.path_params["job_id"]
    form = await read_form(request)
    sent = _sent(request, job_id, form) if form else None
    if form is None or sent is None:
        return sentence(403, NO_PASS)
    kept: dict[str, str] = {"token": sent.token, "own_name": _text(form, "by")}
    kept |= {name: _text(form, name) for name in ("comment", "values")}
    try:
        outcome = await _decide(site, sent.form, _said(form, sent))
    except (InputError, ConflictError) as wrong:
        status = 400 if isinstance(wrong, InputError) else 409
        return await show(request, job_id, sent.seen, status, note=wrong.message, **kept)
    if outcome.status != "applied":
        status = 409 if outcome.status == "conflict" else 200
        return await show(request, job_id, sent.seen, status, note=view.first_decision(outcome.decision), **kept)
    await site.publish(job_id)
    return RedirectResponse(job_address(job_id, sent.token), 303)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A form whose passes are good: its own, and the one that its page was seen by; `token` if an address held that."""

    form: Pass
    seen: Pass
    token: str
    action: str


def _sent(request: Request, job_id: str, form: FormData) -> _Sent | None:
    """None unless the form's pass allows the action, and its sender may see afterwards what came of it."""
    granted, action = site_of(request).pass_of(_text(form, "form"), "form"), _text(form, "action")
    if granted is None or granted.job_id != job_id or (action and action not in granted.actions):
        return None
    token = _text(form, "from")
    by_address = shown_by(request, token, job_id)
    seen = by_address or shown_by(request, request.cookies.get(COOKIE, ""), job_id)
    return _Sent(granted, seen, token if by_address else "", action) if seen and granted.actions else None


async def _decide(site: Site, granted: Pass, said: Said) -> DecisionOutcome:
    """What became of it; raises ConflictError `decision.changed` if the gate binds other things than were shown."""
    detail = await show_job(site.app, granted.job_id)
    if _bound(detail, granted.ticket_id) != granted.subject:
        raise ConflictError("decision.changed", CHANGED)
    return await decide(site.app, granted.job_id, said, granted.ticket_id)


def _bound(detail: JobDetail, ticket_id: str) -> str | None:
    found = [each for each in detail.tickets if each.ticket_id == ticket_id and each.kind == "approval"]
    return subject_of(found[0].subject) if found and found[0].state != "void" else None


async def read_form(request: Request) -> FormData | None:
    """The fields that were sent, as forms send them; None if that is too much, or no such form."""
    size = request.headers.get("content-length", "")
    if not size.isdecimal() or int(size) > LARGEST_BYTES:
        return None
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return None
    return await request.form(max_fields=12)


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""


def _name(form: FormData) -> str:
    """Who decides, by what they say themselves; whoever has the link is let in, and that is said."""
    name = "".join(char for char in _text(form, "by") if char.isprintable())[:80].strip()
    return f"{name} (by link)" if name else ""


def _said(form: FormData, sent: _Sent) -> Said:
    by, action = sent.form.by or _name(form), sent.action
    if action not in VERDICTS:
        raise InputError("decision.no_button", "Press one of the buttons; nothing was decided.")
    if not by:
        raise InputError("decision.nobody", "Give your name: it is kept with the decision.")
    comment, emphasis = _text(form, "comment"), _text(form, "emphasis")
    lines = [line.strip() for line in _text(form, "values").splitlines() if line.strip()]
    if action != "changes" and (lines or emphasis):
        raise InputError("decision.dropped", DROPPED)
    corrections = tuple(Correction(line, comment or "corrected on the page") for line in lines)
    if action != "approve" and not (comment or corrections):
        raise InputError("decision.empty", "Say what should change, or why it is rejected; the comment is kept.")
    return Said(VERDICTS[action], by, comment, corrections, emphasis if emphasis in ("income", "price") else None)
