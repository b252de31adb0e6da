"""`dealwright up`: the whole of it on one machine, from a watched folder to delivered documents."""

from __future__ import annotations

import argparse
import asyncio
import socket
from datetime import timedelta
from pathlib import Path

from schemas.outcome import Halted
from worker.adapters.secret_file import kept_secret
from worker.bootstrap import check_inbox, check_model
from worker.commands.announcing import Announcer, pages_link, say_now, tell_left_alone
from worker.commands.serve import serve
from worker.http.server import listen
from worker.http.site import Site
from worker.settings import Settings, load_settings

HERE = "127.0.0.1"
GOOD_FOR = timedelta(days=30)
"""How long the link to the pages is good; each start prints a new one."""


def run(arguments: argparse.Namespace) -> int:
    """Runs until Ctrl-C or SIGTERM; 1 if it had to end by itself."""
    if arguments.emulators:
        from worker.commands.up_emulators import run_emulated

        return run_emulated(arguments.port)
    plain = load_settings()
    check_model(plain)
    check_inbox(plain)
    bound = listen(HERE, plain.port if arguments.port is None else arguments.port, or_next=arguments.port is None)
    address = f"http://{HERE}:{bound.getsockname()[1]}"
    settings = load_settings(
        inbox=plain.inbox or str(plain.state_dir),
        link_secret=plain.link_secret or kept_secret(plain.state_dir / "link.secret"),
        public_url=plain.public_url or address,
    )
    halted = asyncio.run(_serve(settings, bound, address))
    if halted is not None:
        raise halted.error
    say_now("Stopped; what was in hand was finished or handed back.")
    return 0


async def _serve(settings: Settings, bound: socket.socket, address: str) -> Halted | None:
    async def beside(site: Site, stop: asyncio.Event) -> None:
        say_now(f"Drop workbooks into  {Path(settings.inbox) / settings.inbox_prefix}")
        say_now(f"See them at          {pages_link(settings, address, GOOD_FOR)}")
        say_now(f"Documents go to      {settings.delivery_dir}")
        say_now("Ctrl-C ends it, and hands back what isn't finished.")
        app = site.app
        await Announcer(app.ledger, settings.public_url, settings.link_secret, app.clock()).run(stop)

    return await serve(settings, bound, beside=beside, progress=tell_left_alone)
