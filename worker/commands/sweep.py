"""`dealwright sweep`: what got lost is issued anew, what is overdue is done; `--dead` looks at dead letters first."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, replace

from schemas.errors import ConflictError, InputError
from worker.adapters.files import only_worker
from worker.app import App
from worker.bootstrap import open_app, open_transport
from worker.commands.jobs import clipped
from worker.commands.terminal import print_json, tell, tell_table
from worker.dead_letters import DeadLetter, bury
from worker.ledger.leases import break_leases
from worker.outbox import REISSUE_S
from worker.settings import Settings, emulators, load_settings
from worker.sweeping import Swept, sweep_once

AT_ONCE, WAIT_S, SETTLE_S = 100, 5.0, 30.0


def run(arguments: argparse.Namespace) -> int:
    """Prints how many of what; 0 whatever was found."""
    settings = load_settings()
    if arguments.dead and settings.transport != "pubsub":
        raise InputError(
            "line.wrong", "Only Pub/Sub has dead letters; set DEALWRIGHT_TRANSPORT=pubsub to look at them."
        )
    letters, swept = asyncio.run(_sweep(settings, dead=arguments.dead))
    if arguments.json:
        print_json(asdict(swept) | ({"dead": [asdict(each) for each in letters]} if arguments.dead else {}))
        return 0
    if letters:
        heads = ("message", "kind", "about", "job", "state", "became")
        rows = [
            (each.message_id, each.kind, clipped(each.about), each.job_id[:12], each.state, each.became)
            for each in letters
        ]
        tell_table(heads, rows)
    elif arguments.dead:
        tell("No dead letters.")
    tell(_sentence(swept, settings))
    if swept.on_their_way and settings.transport == "inprocess":
        tell("A running worker takes them up; without one, dealwright work does.")
    return 0


def _sentence(swept: Swept, settings: Settings) -> str:
    done = f"{swept.reissued} messages issued anew, {swept.published} published, {swept.expired} gates expired"
    posts = f", {swept.posted} results posted" if settings.webhook_url else ""
    posts += f", {swept.found} uploads found that no job knew" if swept.looked_at else ""
    states = ", ".join(f"{count} {state}" for state, count in sorted(swept.stuck.items()))
    stuck = f" Stuck: {states}; dealwright jobs lists them." if states else ""
    more = f" The inbox holds more than the {swept.looked_at:,} that were looked at; workers go through all of it."
    return f"{done}{posts}.{more if swept.inbox_goes_on else ''}{_awaited(swept)}{stuck}{_later(swept)}"


def _awaited(swept: Swept) -> str:
    if not swept.awaited:
        return ""
    uploads = "1 upload has no job, and is" if swept.awaited == 1 else f"{swept.awaited} uploads have no job, and are"
    bound = f"less than {REISSUE_S / 60:.0f} minutes old"
    return f" {uploads} {bound}: a message may still come; a sweep after that finds what none told of."


def _later(swept: Swept) -> str:
    if not swept.on_their_way:
        return ""
    states = ", ".join(f"{count} {state}" for state, count in sorted(swept.on_their_way.items()))
    bound = f"waits to be sent, or was sent less than {REISSUE_S / 60:.0f} minutes ago; after that it is sent again"
    return f" Nobody is at work yet on {states}: what each waits for {bound}."


@asynccontextmanager
async def sending(settings: Settings) -> AsyncGenerator[App]:
    """An App whose messages go out over Pub/Sub, if that is the transport; else they wait for a worker's own."""
    async with open_app(settings) as app, open_transport(settings, []) as (publish, _):
        yield replace(app, publish=publish) if settings.transport == "pubsub" else app


async def _sweep(settings: Settings, *, dead: bool) -> tuple[list[DeadLetter], Swept]:
    async with sending(settings) as app:
        letters = await _bury_all(app) if dead else []
        with _older_than_s(settings) as age_s:
            if not age_s:
                await break_leases(app.ledger)
            return letters, await sweep_once(app, publish=settings.transport == "pubsub", older_than_s=age_s)


@contextmanager
def _older_than_s(settings: Settings) -> Generator[float]:
    """The age from which messages count as lost: 0 if no worker runs that could still have them, nor may start now."""
    if settings.transport == "pubsub" or settings.database != "sqlite":
        yield REISSUE_S
        return
    with ExitStack() as held:
        try:
            held.enter_context(only_worker(settings.state_dir))
        except ConflictError:
            age_s = REISSUE_S
        else:
            age_s = 0.0
        yield age_s


async def _bury_all(app: App) -> list[DeadLetter]:
    """Each is acked after the commit of what it led to; pulled until none comes."""
    from google.api_core.exceptions import DeadlineExceeded

    from worker.adapters.pubsub import read_delivery
    from worker.adapters.pubsub_calls import FAILURES, PullCalls, transport_trouble
    from worker.topology import read_topology

    name, letters = read_topology().subscriptions["dead"].name, list[DeadLetter]()
    calls = PullCalls(f"projects/{app.settings.project}/subscriptions/{name}", emulators()[0])
    try:
        while messages := await calls.pull(AT_ONCE, WAIT_S):
            for message in messages:
                letters.append(await bury(app, read_delivery(name, message)))
                await calls.acknowledge(message.ack_id, SETTLE_S)
    except DeadlineExceeded:
        pass
    except FAILURES as error:
        raise transport_trouble(error, f"subscription {name}") from error
    finally:
        await calls.close()
    return letters
