"""Downloads: a job's documents, as drafts while they wait and as delivered once they are."""

from __future__ import annotations

import asyncio
from typing import Protocol, runtime_checkable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from schemas import ids
from schemas.documents import FILE_NAMES, MEDIA_TYPES
from schemas.errors import DealwrightError, InputError
from schemas.job import JobDetail
from worker.export import newest
from worker.http.pages import NO_PASS, extraction_of, pass_for
from worker.http.site import Site, sentence, site_of
from worker.jobs import read_artifact, show_job
from worker.shelves import check_hash

LINK_S = 300.0
"""How long a signed link is good: it is followed at once."""
DEALS = "deals.xlsx"
DEALS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KINDS = {name: kind for kind, name in FILE_NAMES.items()}


@runtime_checkable
class GivesLinks(Protocol):
    """Deliveries that people may fetch by themselves, by a link of the store's."""

    def signed_url(self, place: str, name: str, valid_s: float) -> str:
        """The link; blocks meanwhile."""
        ...


async def download(request: Request) -> Response:
    """The document: a way to the store that it was delivered to, if that gives links, else its bytes."""
    site, job_id, name = site_of(request), request.path_params["job_id"], request.path_params["name"]
    if pass_for(request, job_id) is None:
        return sentence(403, NO_PASS)
    try:
        detail = await show_job(site.app, job_id)
    except InputError:
        return sentence(403, NO_PASS)
    try:
        if detail.job_id == job_id and name == DEALS:
            return await _deals(site, detail)
        if detail.job_id == job_id and name in KINDS:
            return await _answer(site, detail, name)
    except DealwrightError as error:
        return sentence(422 if isinstance(error, InputError) else 503, error.message)
    return sentence(404, "There is no such document.")


async def _answer(site: Site, detail: JobDetail, name: str) -> Response:
    deliveries = site.app.deliveries
    if detail.delivered and isinstance(deliveries, GivesLinks):
        url = await asyncio.to_thread(deliveries.signed_url, detail.delivered.place, name, LINK_S)
        return RedirectResponse(url, 303)
    document = next((each for each in newest(detail) if each.kind == KINDS[name]), None)
    if document is None:
        return sentence(404, "There is no such document yet.")
    kept = document.final if detail.state == "completed" else document.draft
    data = await read_artifact(site.app, detail, kept.artifact, kept.version)
    check_hash(data, kept.sha256, f"{document.kind}'s bytes")
    return _file(detail, name, data, MEDIA_TYPES[document.kind])


async def _deals(site: Site, detail: JobDetail) -> Response:
    from tools.deals.workbook_out import deals_xlsx

    extraction = await extraction_of(site, detail)
    if extraction is None:
        return sentence(404, "There are no deals yet.")
    return _file(detail, DEALS, await asyncio.to_thread(deals_xlsx, extraction), DEALS_TYPE)


def _file(detail: JobDetail, name: str, data: bytes, media_type: str) -> Response:
    """The bytes, to be kept under the upload's name and the document's, in letters that every header takes."""
    stem = ids.safe_name(detail.filename).rpartition(".")[0] or "deals"
    plain = stem.encode("ascii", "replace").decode().replace("?", "_")
    headers = {"content-disposition": f'attachment; filename="{plain}-{name}"'}
    return Response(data, media_type=media_type, headers=headers)
