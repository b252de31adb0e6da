"""Metrics for whoever scrapes them from beside the process: they are nothing for the world that a site is open to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from ipaddress import ip_address

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from worker.app import App
from worker.http.server import listen, serve_site
from worker.metrics import MEDIA_TYPE, Metrics
from worker.tracing import listening

log = structlog.get_logger(__name__)
FROM_AFAR = ("x-forwarded-for", "forwarded", "via")
"""What a front end adds to the requests that it hands on."""
EVERYWHERE = "0.0.0.0"  # noqa: S104  a scraper beside a container comes from the network that they share


def metrics_route(metrics: Metrics) -> Route:
    """`/metrics`: the text for requests straight from a private network; others are told that there is nothing."""

    async def answer(request: Request) -> Response:
        if not _is_near(request):
            return PlainTextResponse("There is no such page.\n", 404)
        try:
            return Response(await metrics.text(), media_type=MEDIA_TYPE)
        except Exception as error:  # noqa: BLE001 whatever the ledger has, the scraper is told that there is no answer
            log.warning("metrics_failed", error=type(error).__name__)
            return PlainTextResponse("The ledger does not answer.\n", 503)

    return Route("/metrics", answer)


def _is_near(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in FROM_AFAR):
        return False
    try:
        return ip_address(request.client.host).is_private
    except ValueError:
        return False


@asynccontextmanager
async def measured(app: App, stop: asyncio.Event) -> AsyncGenerator[None]:
    """Count what is done meanwhile, and answer `/metrics` on METRICS_PORT; raises InputError `port.taken`."""
    metrics, bound = Metrics(app), listen(EVERYWHERE, app.settings.metrics_port)
    site = Starlette(routes=[metrics_route(metrics)])
    with listening(metrics.take):
        answering = asyncio.create_task(serve_site(site, bound, stop, 1))
        try:
            yield
        finally:
            stop.set()
            await answering
