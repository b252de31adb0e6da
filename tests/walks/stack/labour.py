"""A worker process of a walk with real servers: `dealwright work`, by settings from the environment, a little hurried.

What waits minutes in the field waits seconds here; each message is published twice, the second time at a random moment
later; and the process may die or freeze at a named point, or lack a safeguard, if its orders say so.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import structlog

from schemas.documents import DocumentOrder
from worker import breaker, outbox, pulling
from worker.adapters import pubsub, renderers
from worker.adapters.pubsub_leases import Terms
from worker.adapters.renderers import Rendered
from worker.bootstrap import open_app
from worker.cli import main
from worker.commands import work

LATEST_S = 2.0
"""How much later the second of two equal messages is published at most."""
SWEEP_S, RELAY_S = 1.0, 0.5
MESSAGE_LEASE_S = 10


@dataclass(frozen=True)
class Orders:
    """What a worker process is told: its environment, folder and seed, and what befalls it.

    `faults` are `die` or `freeze`, a point and, after `@`, the stage or topic that it is passed in
    (`freeze before record@presentation`); each befalls one process once. Without `documents` each document is a few
    bytes that tell what it was made of, and takes `render_s`; workbooks are read in the worker itself, not in a child.
    """

    environment: Mapping[str, str]
    folder: str
    seed: int
    copies: int = 2
    documents: bool = True
    faults: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    hurried: bool = True
    reissue_s: float = 6.0
    render_s: float = 0
    driver: int = field(default_factory=os.getpid)

    def told(self) -> str:
        """As the argument of a process."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, told: str) -> Orders:
        """From the argument."""
        values = json.loads(told)
        return cls(**values | {"faults": tuple(values["faults"]), "removed": tuple(values["removed"])})


class Point:
    """The checkpoint of a worker: each fault befalls whichever process first passes its point."""

    def __init__(self, orders: Orders) -> None:
        self.folder = Path(orders.folder)
        self.faults = [(number, *fault.split(" ", 1)) for number, fault in enumerate(orders.faults)]

    def __call__(self, name: str) -> None:
        """Pass a point."""
        here = (name, f"{name}@{structlog.contextvars.get_contextvars().get('stage', '')}")
        for number, act, point in self.faults:
            if point in here and self.claim(number):
                os.kill(os.getpid(), signal.SIGKILL if act == "die" else signal.SIGSTOP)

    def claim(self, number: int) -> bool:
        """Whether the fault is this process's."""
        with suppress(FileExistsError):
            handle = os.open(self.folder / f"fault-{number}", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            os.write(handle, str(os.getpid()).encode())
            os.close(handle)
            return True
        return False


def hurry(reissue_s: float) -> None:
    """Have what waits for minutes wait for seconds, and refused messages come again at once."""
    pulling.sweep_all = partial(outbox.sweep_all, older_than_s=reissue_s)
    pulling.SWEEP_S, pulling.RELAY_S = SWEEP_S, RELAY_S
    breaker.FIRST_WAIT_S, breaker.LONGEST_WAIT_S = 1.0, 4.0
    breaker._Circuit = partial(breaker._Circuit, wait_s=1.0)
    pubsub.Terms = partial(Terms, lease_s=MESSAGE_LEASE_S, beat_s=2.0, wait_s=5.0, first_delay_s=0, last_delay_s=0)


def double(seed: int) -> None:
    """Have each message published twice."""
    once, draw, later = pubsub.PubsubPublisher.publish, random.Random(seed), set[asyncio.Task[None]]()

    async def again(publisher: Any, *message: Any) -> None:
        await asyncio.sleep(draw.uniform(0, LATEST_S))
        with suppress(Exception):
            await once(publisher, *message)

    async def twice(publisher: Any, *message: Any) -> None:
        await once(publisher, *message)
        task = asyncio.create_task(again(publisher, *message))
        later.add(task)
        task.add_done_callback(later.discard)

    pubsub.PubsubPublisher.publish = twice


def stub_documents(render_s: float) -> None:
    """Have documents cost nothing but time; all that is done about them stays as it is."""
    import worker.handlers.render as renders
    from agents.extraction import reading
    from tools.deals.extract import extract
    from tools.deals.survey import survey

    def make(*given: Any) -> Rendered:
        time.sleep(render_s)
        return stub_document(*given)

    renders.render, renderers.get_ready = make, lambda: None
    reading.extract_limited, reading.survey_limited = extract, survey


def stub_document(deals: bytes, order: DocumentOrder, as_of: date) -> Rendered:
    """A few bytes that tell what the document was made of, different in each edition."""
    made_of = hashlib.sha256(deals + order.model_dump_json().encode() + str(as_of).encode()).hexdigest().encode()
    return Rendered(b"draft " + made_of, b"final " + made_of, b"figures " + made_of, 1)


def end_with(driver: int) -> None:
    """End this process once the one that drives the walk is gone: nobody else would."""
    while psutil.pid_exists(driver):
        time.sleep(2)
    os._exit(1)


def labour(told: str, log: str | None = None) -> None:
    """Work until told to stop, or until something befalls this process."""
    from tests.walks.stack.removals import remove

    if log is not None:
        handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
    orders = Orders.read(told)
    threading.Thread(target=end_with, args=(orders.driver,), daemon=True).start()
    os.environ.update(orders.environment)
    if orders.hurried:
        hurry(orders.reissue_s)
    if orders.copies > 1:
        double(orders.seed)
    if not orders.documents:
        stub_documents(orders.render_s)
    remove(orders.removed)
    work.open_app = partial(open_app, checkpoint=Point(orders))
    sys.exit(main(["work"]))


if __name__ == "__main__":
    labour(sys.argv[1])
