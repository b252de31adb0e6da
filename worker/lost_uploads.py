"""Uploads whose notification was lost: the inbox is gone through, and what no job knows has one opened."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from sqlalchemy import select

from schemas import ids
from schemas.event import ObjectFinalized
from schemas.outcome import Done
from worker.app import App
from worker.handlers.upload import on_object_finalized
from worker.ledger.migrate import made_at
from worker.ledger.tables import job
from worker.outbox import REISSUE_S
from worker.ports import Listed, ListsObjects
from worker.settings import bucket_of

log = structlog.get_logger(__name__)
PAGE = 900
"""Objects that are looked at with one request to the store and one query of the ledger."""
PAGES_AT_ONCE = 10
REST_S = 3600.0
"""How long a worker that has seen all of the inbox, or could not, looks no further."""


@dataclass(slots=True)
class InboxRound:
    """A going through the inbox by its names: `after` is the last that was looked at, and `done` says that it was all.

    `awaited` counts uploads without a job that are too young to be lost.

    Only a bucket needs it: a folder is watched, and brings all that is in it to whoever begins to. What lay in the
    bucket before the ledger was made is left alone: no message was to tell of it.
    """

    app: App
    after: str = ""
    done: bool = False
    looked_at: int = 0
    awaited: int = 0
    since: datetime | None = None

    async def go_on(self, pages: int) -> int:
        """How many jobs were opened, for what lies on the next so many pages longer than a message is waited for.

        The job of an object that a message tells of at the same time is opened once. Raises what the store and the
        ledger raise; the page on which that happens is looked at again.
        """
        objects, settings = self.app.objects, self.app.settings
        if not (settings.inbox.startswith("gs://") and isinstance(objects, ListsObjects)):
            self.done = True
            return 0
        opened, where = 0, (bucket_of(settings.inbox), settings.inbox_prefix)
        for _ in range(pages):
            if self.done:
                break
            page = await asyncio.to_thread(objects.listed, *where, self.after, PAGE)
            opened += await self._open_unknown(where[0], page)
            self.done, self.after = len(page) < PAGE, page[-1].name if page else self.after
            self.looked_at += len(page)
        return opened

    async def _open_unknown(self, bucket: str, page: list[Listed]) -> int:
        self.since = self.since or await made_at(self.app.ledger.engine)
        until = self.app.clock() - timedelta(seconds=REISSUE_S)
        ours = [each for each in page if self.since <= each.created_at and _is_upload(each)]
        by_id = {ids.job_id_of_object(bucket, each.name, each.generation): each for each in ours}
        known = {row["id"] for row in await self.app.ledger.rows(select(job.c.id).where(job.c.id.in_(by_id)))}
        opened = 0
        for job_id, each in by_id.items():
            if job_id in known:
                continue
            if each.created_at > until:
                self.awaited += 1
                continue
            told = {"bucket": bucket, "name": each.name, "generation": each.generation, "size_bytes": each.size_bytes}
            outcome = await on_object_finalized(self.app, ObjectFinalized.model_validate({"job_id": job_id, **told}))
            if outcome == Done("opened"):
                log.warning("upload_found", job_id=job_id)
                opened += 1
        return opened


def _is_upload(listed: Listed) -> bool:
    return not (listed.name.endswith("/") or ids.is_hidden(listed.name))


@dataclass(slots=True)
class InboxRounds:
    """One round after another, a few pages at a time, with a rest between them: for a worker that does other work."""

    app: App
    round: InboxRound = field(init=False)
    rest_until: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.round, self.rest_until = InboxRound(self.app), self.app.clock()

    async def go_on(self) -> int:
        """How many jobs were opened; nothing is looked at during a rest. Raises as InboxRound does, then rests too."""
        now = self.app.clock()
        if now < self.rest_until:
            return 0
        self.rest_until = now + timedelta(seconds=REST_S)
        opened = await self.round.go_on(PAGES_AT_ONCE)
        if self.round.done:
            self.round = InboxRound(self.app)
        else:
            self.rest_until = now
        return opened
