"""`dealwright work`: a worker that takes what its topics bring until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from typing import cast

from schemas.event import Topic
from schemas.outcome import Halted
from worker.adapters import renderers
from worker.adapters.files import only_worker
from worker.adapters.transport import InProcessTransport
from worker.bootstrap import check_inbox, check_model, open_app, open_transport
from worker.breaker import Breaker
from worker.commands.terminal import tell
from worker.ledger.messages import mark_unsent
from worker.pulling import Work, take_over, work
from worker.settings import Settings, load_settings

ROLES: tuple[Topic, ...] = ("uploads", "work", "renders")


def run(arguments: argparse.Namespace) -> int:
    """Works until SIGTERM or Ctrl-C, then hands back what it has in hand; 1 if it had to end by itself."""
    settings = load_settings()
    roles = cast("list[Topic]", arguments.only) or list(ROLES)
    if "work" in roles:
        check_model(settings)
    check_inbox(settings)
    halted = asyncio.run(serve_roles(settings, roles))
    if halted is not None:
        raise halted.error
    tell("Stopped; what was in hand was finished or handed back.")
    return 0


async def serve_roles(settings: Settings, roles: list[Topic], stop: asyncio.Event | None = None) -> Halted | None:
    """Why the worker ended by itself, or None once it was told to stop.

    Raises ConflictError `worker.busy` if another one works on the same SQLite database.
    """
    with ExitStack() as held:
        if settings.database == "sqlite":
            held.enter_context(only_worker(settings.state_dir))
        async with open_app(settings) as app, open_transport(settings, roles) as (publish, sources):
            await take_over(app)
            running = replace(app, publish=publish, breaker=Breaker(app.clock))
            worker = Work(running, stop or asyncio.Event(), searches_inbox="work" in roles)
            heed_signals(worker.stop)
            if "renders" in roles:
                renderers.get_ready()
            names = ", ".join(source.name for source in sources)
            tell(f"At work on {names}; Ctrl-C or SIGTERM ends it, and hands back what isn't finished.")
            async with _measured(worker):
                await work(worker, sources, grace_s=settings.stop_grace_s)
            for source in sources:
                if isinstance(source, InProcessTransport):
                    await mark_unsent(app.ledger, await source.close())
    return worker.halted


@asynccontextmanager
async def _measured(worker: Work) -> AsyncGenerator[None]:
    """Nothing but what goes on inside, unless metrics are wanted."""
    if not worker.app.settings.metrics_port:
        yield
        return
    from worker.http.metrics import measured

    async with measured(worker.app, worker.stop):
        yield


def heed_signals(stop: asyncio.Event) -> None:
    """Have SIGTERM and Ctrl-C set `stop`."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
