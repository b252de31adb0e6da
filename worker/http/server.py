"""Listening: the site's requests are answered until the worker is told to stop, and those begun then are finished."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import uvicorn

from schemas.errors import InputError

TRIES = 50
"""How many ports after the wanted one are tried, where any will do."""


def listen(host: str, port: int, *, or_next: bool = False) -> socket.socket:
    """A listening socket; raises InputError `port.taken` if the port, or with `or_next` each of many, is taken."""
    for each in range(port, min(port + TRIES, 65_536) if or_next and port else port + 1):
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, each))
            bound.listen(128)
        except OSError:
            bound.close()
        else:
            return bound
    raise InputError("port.taken", f"Port {port} of {host} can't be listened on; name another with --port.")


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Capture none."""
        yield


async def serve_site(site: Any, bound: socket.socket, stop: asyncio.Event, grace_s: float) -> None:
    """Return once `stop` is set and what was begun is answered; what takes longer than `grace_s` is cut off."""
    config = uvicorn.Config(
        site,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=max(1, round(grace_s)),
    )
    server = _Server(config)

    async def end() -> None:
        await stop.wait()
        server.should_exit = True

    ending = asyncio.create_task(end())
    try:
        await server.serve(sockets=[bound])
    finally:
        stop.set()
        ending.cancel()
        bound.close()
