"""Counts what one job asks of the database and of the stores: `python -m tests.infra.load [JOBS]`.

The arithmetic in infra/decisions/ stands on these numbers, so they are counted where they arise, on PostgreSQL: each
statement that SQLAlchemy sends, by the schema that it is for; each message; the bytes of rows, of the write-ahead log
and of artifacts; the processor time of both sides. Nothing is in the way between deliveries: a message that was
published is handed over, as a worker does it, with no polling.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from sqlalchemy import event, select, text
from sqlalchemy.engine import Engine

from schemas.event import Delivery, Topic
from tests.servers import folder, postgres
from worker.app import App
from worker.bootstrap import open_app
from worker.decisions import Said, decide
from worker.dispatch import dispatch
from worker.jobs import submit_file
from worker.ledger.tables import stage
from worker.log import set_up_logs
from worker.outbox import publish_promised
from worker.settings import Settings

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "portfolio.xlsx"
SIZES = """
select schemaname, sum(pg_total_relation_size(relid)), sum(n_live_tup) from pg_stat_user_tables group by schemaname
"""


@contextmanager
def counting() -> Iterator[Counter[tuple[str, str]]]:
    """How many statements any engine made inside sends, by the schema they are for and their verb."""
    counts: Counter[tuple[str, str]] = Counter()

    def remember(dbapi: Any, record: Any) -> None:
        cursor = dbapi.cursor()
        cursor.execute("show search_path")
        record.info["schema"] = cursor.fetchone()[0]
        cursor.close()

    def sent(connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        counts[connection.info["schema"], statement.split(None, 1)[0].lower()] += 1

    hooks = (("connect", remember), ("before_cursor_execute", sent))
    for name, hook in hooks:
        event.listen(Engine, name, hook)
    try:
        yield counts
    finally:
        for name, hook in hooks:
            event.remove(Engine, name, hook)


class Worker:
    """One worker at its plainest: what was published is handed over, one message after another, until none is left."""

    def __init__(self, app: App) -> None:
        self.waiting: deque[tuple[Topic, str, dict[str, Any]]] = deque()
        self.published: Counter[str] = Counter()
        self.app = replace(app, publish=self._publish)

    async def _publish(self, topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
        self.published[topic] += 1
        if topic != "results":
            self.waiting.append((topic, message_id, dict(body)))

    async def drain(self) -> None:
        """Work until nothing is left to do."""
        await publish_promised(self.app)
        while self.waiting:
            topic, message_id, body = self.waiting.popleft()
            verdict = await dispatch(self.app, Delivery(subscription=topic, message_id=message_id, body=body))
            assert verdict == "ack", body
            await publish_promised(self.app)

    async def run_job(self, path: Path) -> str:
        """The id of a new job of the file, taken from upload to delivery with one approval."""
        job_id = (await submit_file(self.app, path, fresh=True, by="load")).job_id
        await self.drain()
        await decide(self.app, job_id, Said("approved", "load"))
        await self.drain()
        state = (await self.app.ledger.job(job_id))["state"]
        assert state == "completed", state
        return job_id


async def measure(server: postgres.Server, url: str, home: Path, jobs: int = 10) -> dict[str, Any]:
    """What a job costs on average, over `jobs` jobs after one that isn't counted: it makes tables and connections."""
    with counting() as counts:
        async with open_app(Settings(state_dir=home, database_url=url)) as app:
            worker = Worker(app)
            await worker.run_job(SAMPLE)
            worker.published.clear()
            sizes = await _sizes(app)
            before, kept, busy = await _counters(app), _artifacts(home), _processor_s(server)
            counts.clear()
            ids = [await worker.run_job(SAMPLE) for _ in range(jobs)]
            statements = Counter(counts)
            spent = {name: seconds - busy[name] for name, seconds in _processor_s(server).items()}
            after, kept_after = await _counters(app), _artifacts(home)
            before, after = before | sizes, after | await _sizes(app)
            stages = await app.ledger.rows(select(stage).where(stage.c.job_id.in_(ids)))
    each = {f"{schema} {verb}": n / jobs for (schema, verb), n in sorted(statements.items())}
    return {
        "statements": each,
        "statements_in_all": sum(each.values()),
        "writes_in_all": sum(n for name, n in each.items() if not name.endswith("select")),
        "database": {name: round((after[name] - before.get(name, 0)) / jobs, 1) for name in sorted(after)},
        "messages": {topic: n / jobs for topic, n in sorted(worker.published.items())},
        "model_calls": sum(row["model_calls"] for row in stages) / jobs,
        "model_tokens": sum(row["tokens"] or 0 for row in stages) / jobs,
        "artifacts": {name: (number - kept[name]) / jobs for name, number in kept_after.items()},
        "processor_s": {name: round(seconds / jobs, 3) for name, seconds in spent.items()},
        "upload_bytes": SAMPLE.stat().st_size,
    }


async def _counters(app: App) -> dict[str, float]:
    """What the server itself counts: transactions, and bytes of its write-ahead log."""
    async with app.ledger.singly.connect() as connection:
        log_bytes = await connection.scalar(text("select pg_current_wal_lsn() - '0/0'::pg_lsn"))
        commits = await connection.scalar(
            text("select xact_commit from pg_stat_database where datname = current_database()")
        )
    return {"log_bytes": float(log_bytes or 0), "transactions": float(commits or 0)}


async def _sizes(app: App) -> dict[str, float]:
    """Bytes, indices included, and rows of each schema, without what updates left behind for the server to clear."""
    async with app.ledger.singly.connect() as connection:
        await connection.execute(text("vacuum full"))
        sizes = (await connection.execute(text(SIZES))).all()
    return {
        f"{name} {what}": float(value)
        for name, size, rows in sizes
        for what, value in (("bytes", size), ("rows", rows))
    }


def _artifacts(home: Path) -> dict[str, int]:
    sizes = [path.stat().st_size for path in (home / "artifacts").rglob("*") if path.is_file()]
    return {"objects": len(sizes), "bytes": sum(sizes)}


def _processor_s(server: postgres.Server) -> dict[str, float]:
    """Seconds of processor time so far: of this process and those it started, and of the database's."""
    postmaster = int((server.home / "data" / "postmaster.pid").read_text().splitlines()[0])
    return {"worker": _seconds_of(psutil.Process()), "database": _seconds_of(psutil.Process(postmaster))}


def _seconds_of(root: psutil.Process) -> float:
    """Processor time of a process and of those below it, with what each of them has seen end."""
    times = [process.cpu_times() for process in (root, *root.children(recursive=True))]
    return sum(time.user + time.system + time.children_user + time.children_system for time in times)


def main() -> None:
    """Print the costs, on a PostgreSQL of this run's own."""
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    set_up_logs()
    made = folder.make_folder()
    try:
        server = postgres.open_server(made / "postgres")
        with TemporaryDirectory() as home:
            costs = asyncio.run(measure(server, server.url("postgres"), Path(home), jobs))
        print(json.dumps(costs, indent=1))
    finally:
        folder.clear_folder(made)


if __name__ == "__main__":
    main()
