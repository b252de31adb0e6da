"""The account at a walk's end: what of each upload's job is there, once, and what is not; each fault has a name."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, select

from tests.walks.stack.servers import Stack
from tests.walks.stack.traffic import Upload
from worker.app import App
from worker.ledger.tables import attempt, audit, decision, delivered, handoff, job, stage, ticket

Row = Mapping[str, Any]
TRUTH = (job, stage, attempt, ticket, handoff, decision, delivered, audit)
TURNS = {"extraction": 1, "presentation": 3, "delivery": 1}
CALLS = {"extraction": 3, "presentation": 3, "delivery": 0}
"""Turns and model calls of a job to whose documents nobody wanted changes; a round of changes is two more of each."""


@dataclass(frozen=True)
class Fault:
    """Something that must not be: what, and of whom."""

    name: str
    whose: str


@dataclass
class Books:
    """All that the ledger, the buckets and the listener hold at the end."""

    rows: dict[str, list[Row]]
    files: dict[str, dict[str, str]]
    artifacts: dict[str, list[str]]
    heard: list[tuple[str, str]]

    def of(self, table: Table) -> dict[str, list[Row]]:
        """The rows of a table by job."""
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows[table.name]:
            found[row["id" if table is job else "job_id"]].append(row)
        return found


async def rows_of(app: App, tables: Iterable[Table]) -> dict[str, list[Row]]:
    """All rows of tables."""
    return {table.name: await app.ledger.rows(select(table)) for table in tables}


async def truth(app: App) -> dict[str, list[str]]:
    """All that the ledger says of jobs, to be compared; but not `has_work`, which any message sets on a busy job."""
    found = await rows_of(app, TRUTH)
    return {name: sorted(repr({**row, "has_work": None}) for row in rows) for name, rows in found.items()}


def read_buckets(stack: Stack) -> tuple[dict[str, dict[str, str]], dict[str, list[str]]]:
    """Delivered files, job → name → sha256, and artifacts' versions: name → sha256 of each."""
    files: dict[str, dict[str, str]] = defaultdict(dict)
    for blob in stack.client.list_blobs(stack.bucket("deliveries")):
        _, job_id, name = blob.name.split("/")
        files[job_id][name] = hashlib.sha256(blob.download_as_bytes()).hexdigest()
    artifacts: dict[str, list[str]] = defaultdict(list)
    for blob in stack.client.list_blobs(stack.bucket("artifacts")):
        artifacts[blob.name.rpartition("/")[0]].append(blob.md5_hash)
    return files, artifacts


def faults_of(books: Books, uploads: Sequence[Upload], inbox: str) -> list[Fault]:
    """Everything that is not as it should be."""
    found = [*_of_uploads(books, uploads, inbox), *_left_over(books), *_of_results(books)]
    completed = {row["id"] for row in books.rows["job"] if row["state"] == "completed"}
    for job_id in completed:
        found += [Fault(name, job_id) for name in _of_job(books, job_id)]
    found += [Fault("delivered and not completed", each) for each in books.of(delivered) if each not in completed]
    return found + [Fault("artifact kept twice", name) for name in _twice(books)]


def _of_uploads(books: Books, uploads: Sequence[Upload], inbox: str) -> Iterator[Fault]:
    jobs, wanted = books.of(job), {upload.job_id(inbox): upload for upload in uploads}
    of_object = Counter((row["name"], row["generation"]) for row in books.rows["job"])
    yield from (Fault("two jobs for one upload", str(key)) for key, count in of_object.items() if count > 1)
    yield from (Fault("job of no upload", job_id) for job_id in jobs if job_id not in wanted)
    for job_id, upload in wanted.items():
        state = jobs[job_id][0]["state"] if job_id in jobs else None
        reason = (jobs[job_id][0]["reason"] or {}).get("code", "") if job_id in jobs else ""
        if upload.end == "either":
            if state not in (None, "completed") and reason not in ("object.gone", "object.superseded"):
                yield Fault("job not at its end", f"{upload.name} is {state} {reason}")
        elif state is None:
            yield Fault("upload without a job", upload.name)
        elif state != upload.end:
            yield Fault("job not at its end", f"{upload.name} is {state} {reason}")


def _of_job(books: Books, job_id: str) -> Iterator[str]:
    decided = sorted(books.of(decision)[job_id], key=lambda row: row["decided_at"])
    rounds = len(decided) - 1
    kinds = Counter(f"{row['kind']} {row['state']}" for row in books.of(ticket)[job_id])
    if kinds != dict.fromkeys(("deck done", "memo done", "approval done"), 1 + rounds):
        yield "two tickets for one document" if max(kinds.values()) > 1 + rounds else "ticket left open"
    made = books.of(delivered)[job_id]
    if len(made) != 1:
        yield "no delivery on record"
        return
    hashes = [made[0]["deck_sha256"], made[0]["memo_sha256"]]
    if hashes != [decided[-1]["subject"][f"{kind}_final_sha256"] for kind in ("deck", "memo")]:
        yield "other documents than those approved"
    if books.files.get(job_id) != dict(zip(("deck.pptx", "memo.pdf"), hashes, strict=True)):
        yield "other files than those delivered"
    noted = Counter(row["action"] for row in books.of(audit)[job_id])
    if (noted["submitted"], noted["delivered"], noted["decided"]) != (1, 1, 1 + rounds):
        yield "something noted twice"
    yield from _of_stages(books, job_id, rounds)


def _of_stages(books: Books, job_id: str, rounds: int) -> Iterator[str]:
    attempts = books.of(attempt)[job_id]
    undisturbed = all(row["outcome"] == "done" for row in attempts)
    for row in books.of(stage)[job_id]:
        more = 2 * rounds if row["stage"] == "presentation" else 0
        if row["turns"] != TURNS[row["stage"]] + more:
            yield "turn counted twice"
        if undisturbed and row["model_calls"] != CALLS[row["stage"]] + more:
            yield "model asked twice without need"


def _left_over(books: Books) -> Iterator[Fault]:
    yield from (Fault("message unsent", row["id"]) for row in books.rows["outbox"] if row["sent_at"] is None)
    for name in ("job", "ticket"):
        yield from (Fault("lease left", row["id"]) for row in books.rows[name] if row["lease_holder"])
    yield from (Fault("attempt left open", row["job_id"]) for row in books.rows["attempt"] if not row["outcome"])


def _of_results(books: Books) -> Iterator[Fault]:
    """Each result is told under one id; whoever listens may hear it more than once, and hears of nothing else."""
    told = {row["body"]["id"]: row for row in books.rows["outbox"] if row["topic"] == "results"}
    heard = {result_id for _, result_id in books.heard}
    yield from (
        Fault("result never heard", f"{row['body']['type']} {key}") for key, row in told.items() if key not in heard
    )
    yield from (Fault("result of nothing", result_id) for result_id in heard - set(told))
    of = Counter(row["job_id"] for row in told.values() if row["body"]["type"] == "dealwright.deals.delivered.v1")
    yield from (Fault("not one result of a delivery", job_id) for job_id in books.of(delivered) if of[job_id] != 1)


def _twice(books: Books) -> Iterator[str]:
    for name, versions in books.artifacts.items():
        if len(versions) > len(set(versions)):
            yield name
