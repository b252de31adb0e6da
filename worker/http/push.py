"""Pushed messages: who pushes is checked, and what is pushed is written down or put into a queue before it is acked.

An upload's notification is one row in the ledger, written before the answer. What takes longer waits in this process
for a slot; what a crash loses of it, the ledger's sweep issues anew.
"""

from __future__ import annotations

import asyncio

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from schemas.errors import InputError
from schemas.event import Delivery, Event, PauseResolved, RenderRequested, StageRequested, parse_event
from worker.adapters.notifications import read_request
from worker.adapters.oidc import RefusedError
from worker.http.site import Site, site_of

log = structlog.get_logger(__name__)
LARGEST_BYTES = 15_000_000
"""Pub/Sub's largest message (10 MB), as base64 in its envelope. What is larger comes from somebody else."""
ANSWER_S = 8.0
"""How long an answer may take: Pub/Sub's shortest deadline is ten seconds."""
PER_SLOT = 4
"""How many messages may wait for each slot: more are better off with another process."""


async def push(request: Request) -> Response:
    """204 once the message is written or queued; 401, 403 for strangers, 429 when full, 503 when it must come again."""
    site = site_of(request)
    try:
        await asyncio.to_thread(site.guard.check, request.headers.get("authorization", ""))
    except RefusedError as refused:
        log.warning("push_refused", status=refused.status, why=refused.why)
        return _answer(refused.status)
    data = await read_body(request, LARGEST_BYTES)
    if data is None:
        return _answer(413)
    if site.worker.stop.is_set():
        return _answer(503)
    return await _take(site, read_request(request.headers, data))


async def read_body(request: Request, limit_bytes: int) -> bytes | None:
    """The request's body; None if it is larger, of which no more is read than that."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > limit_bytes:
            return None
    return bytes(data)


async def _take(site: Site, delivery: Delivery) -> Response:
    event = _long_work(delivery)
    if event is not None:
        return await _queue(site, event, delivery)
    try:
        async with asyncio.timeout(ANSWER_S):
            verdict = await site.worker.take(delivery)
    except TimeoutError:
        verdict = "nack"
    return _answer(204 if verdict == "ack" else 503)


def _long_work(delivery: Delivery) -> Event | None:
    """The event, if it asks for what takes longer than an answer may."""
    try:
        event = parse_event(delivery.body)
    except InputError:
        return None
    return event if isinstance(event, StageRequested | PauseResolved | RenderRequested) else None


async def _queue(site: Site, event: Event, delivery: Delivery) -> Response:
    held, breaker = site.queue.held(), site.app.breaker
    full = len(held) >= PER_SLOT * site.app.settings.slots and event.key not in held
    if full and breaker is not None and breaker.closed_for_s():
        # Nothing is begun while a service is down. The ledger knows what the job waits for, and the sweep says so.
        return _answer(204)
    if full:
        return _answer(429)
    await site.queue.publish(event.topic, event.key, delivery.body)
    return _answer(204)


def _answer(status: int) -> Response:
    headers = {"retry-after": "10"} if status in (429, 503) else {}
    return Response(status_code=status, headers=headers) if status == 204 else PlainTextResponse("", status, headers)
