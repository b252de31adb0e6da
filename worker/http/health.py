"""Health: whether the process lives, and whether it is ready for work."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from sqlalchemy import ColumnElement, exists, select
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from schemas.errors import DealwrightError
from worker.app import App
from worker.http.site import site_of
from worker.ledger.migrate import pending
from worker.ledger.tables import outbox

PATIENCE_S = 4.0
"""How long the database may take to answer before it counts as away."""
LATE_S = 60.0
"""A promised message that is older tells of trouble with the transport: sending is tried every few seconds."""


async def healthz(_: Request) -> Response:
    """200: the process answers."""
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """200 if the database answers and is up to date, and messages go out; else 503, and why."""
    site = site_of(request)
    why = "stopping" if site.worker.stop.is_set() else await trouble(site.app)
    return JSONResponse({"ready": not why, "why": why}, 503 if why else 200)


async def trouble(app: App) -> str:
    """What keeps the app from working, in a few words; nothing if it can."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            missing = await pending(app.ledger.engine)
            late = await app.ledger.rows(select(exists().where(*_late(app)).label("late")))
    except DealwrightError as error:
        return error.message
    except Exception as error:  # noqa: BLE001 whatever it is, the database is not there for us
        return f"the database does not answer ({type(error).__name__})"
    if missing is None or any(step.phase == "pre" for step in missing):
        return "the database lacks this version's tables"
    return "promised messages can't be published" if late[0]["late"] else ""


def _late(app: App) -> tuple[ColumnElement[bool], ...]:
    until = app.clock() - timedelta(seconds=LATE_S)
    return (outbox.c.sent_at.is_(None), outbox.c.created_at < until)
