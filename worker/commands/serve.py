"""`dealwright serve`: takes pushed messages, and shows people the pages on which they decide."""

from __future__ import annotations

import argparse
import asyncio
import socket
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute

from schemas.errors import InputError
from schemas.event import Topic
from schemas.outcome import Halted
from worker.adapters import renderers
from worker.adapters.drops import BucketDrop, Drop, FolderDrop
from worker.adapters.files import only_worker
from worker.adapters.oidc import PushGuard
from worker.adapters.transport import InProcessTransport
from worker.app import App, Progress, Publish, no_progress
from worker.bootstrap import check_inbox, check_model, open_app, open_transport
from worker.breaker import Breaker
from worker.commands.announcing import pages_link, say_now
from worker.commands.work import ROLES, heed_signals
from worker.http.metrics import metrics_route
from worker.http.server import listen, serve_site
from worker.http.site import Site, build_site
from worker.ledger.messages import mark_unsent
from worker.metrics import Metrics
from worker.ports import Source
from worker.pulling import Work, take_over, work
from worker.settings import Settings, bucket_of, emulators, load_settings
from worker.tracing import listening

LINK_GOOD_FOR = timedelta(hours=12)
Beside = Callable[[Site, asyncio.Event], Coroutine[Any, Any, None]]


def run(arguments: argparse.Namespace) -> int:
    """Serves until SIGTERM or Ctrl-C, then hands back what it has in hand; 1 if it had to end by itself.

    With `--link` it prints a link to the pages of one that serves elsewhere, and ends.
    """
    settings = load_settings()
    if arguments.link:
        say_now(_link(settings))
        return 0
    if settings.transport == "inprocess":
        check_model(settings)
    check_inbox(settings)
    bound = listen(arguments.host, settings.port if arguments.port is None else arguments.port)
    say_now(f"Listening on {arguments.host}:{bound.getsockname()[1]}; {_open_for(settings)}.")
    halted = asyncio.run(serve(settings, bound))
    if halted is not None:
        raise halted.error
    say_now("Stopped; what was in hand was finished or handed back.")
    return 0


def _link(settings: Settings) -> str:
    if not (settings.public_url and settings.link_secret):
        raise InputError("link.unset", "A link needs DEALWRIGHT_PUBLIC_URL and DEALWRIGHT_LINK_SECRET; set both.")
    return pages_link(settings, settings.public_url, LINK_GOOD_FOR)


def _open_for(settings: Settings) -> str:
    pages = (
        "pages are shown to who has a link" if settings.link_secret else "no pages: DEALWRIGHT_LINK_SECRET isn't set"
    )
    push = "pushed messages are taken" if settings.push_audience else "no push: DEALWRIGHT_PUSH_AUDIENCE isn't set"
    return f"{pages}; {push}"


async def serve(
    settings: Settings,
    bound: socket.socket,
    stop: asyncio.Event | None = None,
    *,
    beside: Beside | None = None,
    progress: Callable[[Progress], None] = no_progress,
) -> Halted | None:
    """Why the worker ended by itself, or None once it was told to stop.

    `beside` runs along, and `progress` is told what happens to jobs. Raises ConflictError `worker.busy` if another one
    works on the same SQLite database.
    """
    roles: list[Topic] = list(ROLES) if settings.transport == "inprocess" else []
    with ExitStack() as held:
        held.callback(bound.close)
        if settings.database == "sqlite":
            held.enter_context(only_worker(settings.state_dir))
        async with open_app(settings) as app, open_transport(settings, roles) as (publish, sources):
            await take_over(app)
            site, taken = _site(replace(app, progress=progress), publish, sources, stop or asyncio.Event())
            heed_signals(site.worker.stop)
            if roles:
                renderers.get_ready()
            metrics = Metrics(site.app)
            held.enter_context(listening(metrics.take))
            await _run(site, taken, bound, beside, [metrics_route(metrics)])
            await mark_unsent(app.ledger, await site.queue.close())
    return site.worker.halted


def _site(app: App, publish: Publish, sources: list[Source], stop: asyncio.Event) -> tuple[Site, list[Source]]:
    """The site, and the sources that its worker takes from: pushed work waits where all other does in one process."""
    settings = app.settings
    queue = next((source for source in sources if isinstance(source, InProcessTransport)), None)
    if queue is None:
        queue = InProcessTransport(slots=settings.slots)
        sources = [*sources, queue]
    running = replace(app, publish=publish, breaker=Breaker(app.clock))
    # Over Pub/Sub whoever does the work looks there; this process may not have the right to.
    worker = Work(running, stop, searches_inbox=settings.transport == "inprocess")
    queue.subscribe(worker.take)
    guard = PushGuard(settings.push_audience, settings.push_service_account)
    return Site(worker, queue, guard, settings.link_secret, _drop(settings)), sources


def _drop(settings: Settings) -> Drop | None:
    if not settings.inbox:
        return None
    if not settings.inbox.startswith("gs://"):
        return FolderDrop(Path(settings.inbox), settings.inbox_prefix)
    from worker.adapters.google_clients import open_storage

    client = open_storage(settings.project, emulators()[1])
    return BucketDrop(client, bucket_of(settings.inbox), settings.inbox_prefix)


async def _run(
    site: Site, sources: list[Source], bound: socket.socket, beside: Beside | None, routes: Sequence[BaseRoute]
) -> None:
    """Work, listen and do what goes on beside, until the worker is to stop; the first that fails ends all."""
    stop, grace_s = site.worker.stop, site.app.settings.stop_grace_s

    async def guarded(part: Coroutine[Any, Any, None]) -> None:
        try:
            await part
        finally:
            stop.set()

    parts = [work(site.worker, sources, grace_s=grace_s), serve_site(build_site(site, routes), bound, stop, grace_s)]
    parts += [beside(site, stop)] if beside is not None else []
    for ended in await asyncio.gather(*map(guarded, parts), return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
