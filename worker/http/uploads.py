"""Uploading a file by the page: it is put into the inbox, and comes in from there as every other does."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from schemas.errors import DealwrightError
from worker.http.pages import NO_PASS, cookie_pass
from worker.http.site import Site, sentence, site_of
from worker.links import Pass

NOTE_S = 60.0
"""How long the page says what a file was kept as."""
ENVELOPE_BYTES = 10_000
"""How much a form adds to the file in it."""


async def upload(request: Request) -> Response:
    """To the list of jobs once the file lies in the inbox."""
    site, limit_bytes = site_of(request), site_of(request).app.settings.max_file_bytes
    size = request.headers.get("content-length", "")
    if not size.isdecimal() or int(size) > limit_bytes + ENVELOPE_BYTES:
        return sentence(413, f"That file is too large; the limit is {limit_bytes:,} bytes.")
    # Nobody's bytes are read before the cookie says who sends them: no other site has the browser send it along.
    if site.drop is None or not _may_upload(cookie_pass(request)):
        return sentence(403, NO_PASS)
    async with request.form(max_files=1, max_fields=1) as form:
        token, file = form.get("form"), form.get("file")
        granted = site.pass_of(token, "form") if isinstance(token, str) else None
        if granted is None or not _may_upload(granted):
            return sentence(403, NO_PASS)
        data = await file.read() if isinstance(file, UploadFile) else b""
        name = (file.filename or "") if isinstance(file, UploadFile) else ""
    if not data or not name:
        return sentence(400, "Choose a workbook that holds something, then send it.")
    try:
        kept = await asyncio.to_thread(site.drop.put, name, data)
    except DealwrightError as error:
        return sentence(503, error.message)
    return RedirectResponse(f"/?note={_note(site, granted, kept)}", 303)


def _may_upload(granted: Pass | None) -> bool:
    return granted is not None and not granted.job_id and "upload" in granted.actions


def _note(site: Site, granted: Pass, kept: str) -> str:
    """What the list shows next: signed, so that no link of others has the page say anything."""
    until = min(granted.expires_at, site.app.clock() + timedelta(seconds=NOTE_S))
    told = f"It is in the inbox as {kept}, and becomes a job in a moment, if it isn't one yet."
    return site.sign(Pass(purpose="note", by=told, expires_at=until))
