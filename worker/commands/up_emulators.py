"""`dealwright up --emulators`: the service as it runs on Google, on one machine: servers, two workers, the pages.

This process does none of the work: it starts the others, makes what infra/topology.yaml names, tells what happens, and
ends all of them.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import quote

from schemas.errors import TransientError
from worker.adapters.clock import system_clock
from worker.adapters.provisioning import make_buckets, make_queues
from worker.adapters.secret_file import kept_secret
from worker.bootstrap import LEDGER_SCHEMA, check_model, migrate_database
from worker.commands.announcing import Announcer, pages_link, say_now
from worker.commands.up import GOOD_FOR, HERE
from worker.commands.work import heed_signals
from worker.emulators.gcs import Notifies
from worker.emulators.kept import Kept
from worker.emulators.leashed import Leashed, ServerError
from worker.emulators.stack import Programs, Stack, open_stack
from worker.http.server import listen
from worker.ledger.engine import make_engine
from worker.ledger.ledger import Ledger
from worker.settings import PREFIX, Settings, inherited, load_settings
from worker.topology import Topology, read_topology

PROJECT = "dealwright-up"
SETTINGS = "settings.env"
WORKERS = 2
WATCH_S = 0.5


def run_emulated(port: int | None) -> int:
    """Runs until Ctrl-C or SIGTERM; raises InputError `emulator.missing` for a server that this machine lacks."""
    topology, plain = read_topology(), load_settings()
    check_model(plain)
    listening = listen(HERE, plain.port if port is None else port, or_next=port is None)
    address = f"http://{HERE}:{listening.getsockname()[1]}"
    # Only found here: the pages are a process of their own, and listen for themselves.
    listening.close()
    notice = topology.notification
    bucket = topology.bucket_name(notice.bucket, PROJECT)
    notifies = Notifies(PROJECT, topology.topics[notice.topic].name, bucket, notice.prefix)
    environment = inherited()
    programs = Programs(environment.get("PUBSUB_EMULATOR_JAR"), environment.get("PG_BIN"), environment)
    say_now("Starting Pub/Sub's emulator, fake-gcs-server and PostgreSQL …")
    with open_stack(programs, notifies) as stack:
        given = _given(stack, topology, plain, address)
        _keep(stack, given)
        asyncio.run(_run(stack, topology, load_settings(**given), _told(stack, given, environment)))
    say_now("Stopped; the servers and all that they held are gone.")
    return 0


def _given(stack: Stack, topology: Topology, plain: Settings, address: str) -> dict[str, str]:
    """The settings that a set-up on the servers needs, as they would be set for one on Google."""
    places = {role: f"gs://{topology.bucket_name(role, PROJECT)}" for role in ("inbox", "artifacts", "deliveries")}
    return {
        **places,
        "state_dir": str(stack.folder / "state"),
        "database_url": stack.database_url,
        "transport": "pubsub",
        "project": PROJECT,
        "inbox_prefix": topology.notification.prefix,
        "public_url": address,
        "port": address.rpartition(":")[2],
        "link_secret": plain.link_secret or kept_secret(stack.folder / "link.secret"),
    }


def _told(stack: Stack, given: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """The surroundings of the processes that work."""
    return stack.environment({**environment, **{f"{PREFIX}{name.upper()}": value for name, value in given.items()}})


def _keep(stack: Stack, given: Mapping[str, str]) -> None:
    """Write what other commands must be told to see this set-up to a file that shells read; it holds the secret."""
    told = _told(stack, given, {})
    place = stack.folder / SETTINGS
    place.touch(0o600)
    place.write_text("".join(f"{name}={quote(value)}\n" for name, value in sorted(told.items())), encoding="utf-8")


async def _run(stack: Stack, topology: Topology, settings: Settings, environment: Mapping[str, str]) -> None:
    stop = asyncio.Event()
    heed_signals(stop)
    await make_queues(topology, PROJECT, stack.pubsub_host)
    await make_buckets(topology, PROJECT, stack.storage_url)
    await migrate_database(settings)
    engine = make_engine(settings.database_url, LEDGER_SCHEMA)
    processes = _start(stack.folder, settings, environment)
    try:
        await _come_up(processes["the pages"].process, settings.port)
        _say_where(stack, settings)
        announcer = Announcer(Ledger(engine, system_clock), settings.public_url, settings.link_secret, system_clock())
        await asyncio.gather(announcer.run(stop), _watch(stack, processes, stop))
    finally:
        await asyncio.to_thread(_end, processes)
        await engine.dispose()


async def _come_up(pages: Leashed, port: int) -> None:
    try:
        await asyncio.to_thread(pages.wait_for_port, port)
    except ServerError as error:
        raise TransientError("process.ended", f"The pages did not come up; their log says why: {pages.log}") from error


def _start(folder: Path, settings: Settings, environment: Mapping[str, str]) -> dict[str, Kept]:
    """The processes that work, by what people call them."""
    lines = {f"worker {number}": ["work"] for number in range(1, WORKERS + 1)}
    lines["the pages"] = ["serve", "--host", HERE]
    grace_s = settings.stop_grace_s + 10
    makes = {name: partial(_leashed, folder, name, line, environment, grace_s) for name, line in lines.items()}
    return {name: Kept(name, make) for name, make in makes.items()}


def _leashed(folder: Path, name: str, line: Sequence[str], environment: Mapping[str, str], grace_s: float) -> Leashed:
    command = [sys.executable, "-m", "worker.cli", *line, "--log-json"]
    return Leashed(command, folder / f"{name.replace(' ', '-')}.log", env=environment, grace_s=grace_s)


def _say_where(stack: Stack, settings: Settings) -> None:
    say_now(f"Pub/Sub        PUBSUB_EMULATOR_HOST={stack.pubsub_host}")
    say_now(f"Cloud Storage  STORAGE_EMULATOR_HOST={stack.storage_url}")
    say_now(f"PostgreSQL     {stack.database_url}")
    say_now(f"Logs           {stack.folder}")
    say_now(f"Other commands see it after  set -a; . {quote(str(stack.folder / SETTINGS))}; set +a")
    say_now(f"Upload to      {settings.inbox}/{settings.inbox_prefix}")
    say_now(f"See jobs at    {pages_link(settings, settings.public_url, GOOD_FOR)}")
    say_now("Ctrl-C ends it; nothing is kept, unless a part fails: then the logs are.")


async def _watch(stack: Stack, processes: Mapping[str, Kept], stop: asyncio.Event) -> None:
    """Start what ended by itself again, and return once `stop` is set.

    Raises TransientError `process.ended` if a server ends, which holds what would be lost, or another part too often.
    """
    loop = asyncio.get_running_loop()
    try:
        while not stop.is_set():
            if fallen := stack.fallen():
                raise TransientError("process.ended", fallen)
            for kept in processes.values():
                if told := kept.look(loop.time()):
                    say_now(told)
            await asyncio.sleep(WATCH_S)
    finally:
        stop.set()


def _end(processes: Mapping[str, Kept]) -> None:
    """Let them hand back what they have in hand; all at once, since each may take its grace."""
    for kept in processes.values():
        kept.process.let_go()
    for kept in processes.values():
        kept.process.release()
