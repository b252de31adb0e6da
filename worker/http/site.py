"""The site: what its parts share, and all its routes in one ASGI application."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from schemas.deal import Extraction
from worker.adapters.drops import Drop
from worker.adapters.oidc import PushGuard
from worker.adapters.transport import InProcessTransport
from worker.app import App
from worker.links import Pass, Purpose, read_pass, sign
from worker.outbox import publish_promised
from worker.pulling import Work

log = structlog.get_logger(__name__)
TEMPLATES = Path(__file__).parent / "templates"
COOKIE = "dealwright"
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Site:
    """What the routes work with: the worker whose app they read, the queue that pushed work waits in, the rest.

    `secret` signs passes; without one there are no pages. `drop` takes files for the inbox, if there is one.
    """

    worker: Work
    queue: InProcessTransport
    guard: PushGuard
    secret: str = ""
    drop: Drop | None = None
    kept: dict[str, Extraction] = field(default_factory=dict[str, Extraction])
    """Deals that were read lately, by their hash: a page is often looked at again."""

    @property
    def app(self) -> App:
        """The app whose jobs are shown."""
        return self.worker.app

    def pass_of(self, token: str, purpose: Purpose = "link") -> Pass | None:
        """The pass that a text is, if it is good now, for that."""
        return read_pass(self.secret, token, self.app.clock(), purpose)

    def sign(self, granted: Pass, **changes: Any) -> str:
        """The pass, with `changes`, as text."""
        return sign(self.secret, granted.model_copy(update=changes))

    async def publish(self, job_id: str) -> None:
        """Send what the job's last change promised; what can't be sent now goes with the worker's next round."""
        try:
            await publish_promised(self.app, job_id)
        except Exception as error:  # noqa: BLE001 the change is made, whatever is down; nobody is to be told otherwise
            log.warning("publish_later", job_id=job_id, error=type(error).__name__)


PAGES = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def page(name: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """A page; everything in `shown` is escaped where it is put in."""
    return HTMLResponse(PAGES.get_template(name).render(**shown), status)


def sentence(status: int, text: str) -> HTMLResponse:
    """A page that says one thing."""
    return page("sentence.html", status, text=text)


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    return cast("Site", request.app.state.site)


def build_site(site: Site, routes: Sequence[BaseRoute] = ()) -> Sealed:
    """The ASGI application; `routes` are further ones, which come first."""
    from worker.http import deciding, files, health, pages, push, uploads

    ours = [
        Route("/push", push.push, methods=["POST"]),
        Route("/healthz", health.healthz),
        Route("/readyz", health.readyz),
        Route("/", pages.jobs),
        Route("/enter", pages.enter),
        Route("/style.css", pages.style),
        Route("/uploads", uploads.upload, methods=["POST"]),
        Route("/jobs/{job_id}", pages.job),
        Route("/jobs/{job_id}/decision", deciding.decide_gate, methods=["POST"]),
        Route("/jobs/{job_id}/files/{name}", files.download),
    ]
    made = Starlette(routes=[*routes, *ours], exception_handlers={404: _missing, 405: _not_so, Exception: _failed})
    made.state.site = site
    return Sealed(made)


async def _missing(_: Request, __: Exception) -> Response:
    return sentence(404, "There is no such page.")


async def _not_so(_: Request, __: Exception) -> Response:
    return PlainTextResponse("This address isn't asked so.\n", 405)


async def _failed(request: Request, error: Exception) -> Response:
    log.error("request_failed", path=request.url.path, error=type(error).__name__, exc_info=error)
    return sentence(500, "Something of ours failed; the log says what. Nothing was decided: look again in a moment.")


SEALS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""What every answer says: nothing of others runs or shows in it, its address goes nowhere, and nobody keeps it."""


class Sealed:
    """Adds SEALS to every answer of an ASGI application, those to its own failures too."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""

        async def sealed(message: Any) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in SEALS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        await self._app(scope, receive, sealed)
