"""The webhook: each result is posted until its listener has it, at ever longer intervals, for a day."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

import structlog

from worker.adapters.webhook_sender import TIME_LIMIT_S, Answer, WebhookSender
from worker.app import App
from worker.ledger import webhooks
from worker.ledger.ledger import Row
from worker.ledger.webhooks import Claim
from worker.tracing import span

log = structlog.get_logger(__name__)
FIRST_WAIT_S, LONGEST_WAIT_S, GROWTH = 5.0, 6 * 3600.0, 4
"""The wait after the first failed try, the longest, and how each grows over the one before: 11 tries in a day."""
GIVE_UP_S = 24 * 3600.0
LEASE_S = 3 * TIME_LIMIT_S
"""For how long a try is its worker's own: a post and the note of it, with room for a slow database."""
AT_ONCE = 20
GONE = 410
"""The status by which a listener says that it wants nothing more."""
BUSY = (429, 503)
"""The statuses by which it says that it may want it later; `Retry-After` says when."""


async def owe(app: App, messages: Sequence[Row]) -> None:
    """Have the results among messages of the outbox posted, if there is anybody to post them to."""
    results = [message for message in messages if message["topic"] == "results"]
    if app.webhook is not None and results:
        await webhooks.owe(app.ledger, results)


async def deliver_due(app: App) -> int:
    """How many tries were made of what is due; one whose worker dies before it notes the answer is made again."""
    if app.webhook is None:
        return 0
    claims = await webhooks.claim_due(app.ledger, LEASE_S, AT_ONCE)
    ended = await asyncio.gather(*(_try(app, app.webhook, claim) for claim in claims), return_exceptions=True)
    for failed in ended:
        if isinstance(failed, BaseException):
            raise failed
    return len(claims)


async def _try(app: App, sender: WebhookSender, claim: Claim) -> None:
    body = json.dumps(claim.body, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
    whose = {"message_id": claim.message_id, "job_id": claim.job_id}
    with span("webhook", "client", within=claim.trace, number=claim.number, **whose) as posted:
        answer = await sender.post(claim.message_id, body)
        posted.tell(status=answer.status, outcome="taken" if _taken(answer) else "refused")
    app.checkpoint("webhook posted")
    ended = {"status": answer.status, "error": answer.error, "duration_ms": answer.duration_ms}
    told = {"message_id": claim.message_id, "job_id": claim.job_id, "number": claim.number, **ended}
    if _taken(answer):
        await webhooks.note_try(app.ledger, claim, ended, "done")
        log.info("webhook_delivered", **told)
        return
    wait_s = _wait_s(app, claim, answer)
    if wait_s is None:
        await webhooks.note_try(app.ledger, claim, ended, "given_up")
        log.error("webhook_given_up", **told)
        return
    next_at = app.clock() + timedelta(seconds=wait_s)
    await webhooks.note_try(app.ledger, claim, ended, "owed", next_at)
    log.warning("webhook_refused", wait_s=round(wait_s), **told)


def _taken(answer: Answer) -> bool:
    return answer.status is not None and 200 <= answer.status < 300


def _wait_s(app: App, claim: Claim, answer: Answer) -> float | None:
    """How long until the next try; None if there is to be none.

    A listener that is busy is left alone as long as it asks, up to LONGEST_WAIT_S, and never asked sooner than others.
    """
    left_s = GIVE_UP_S - (app.clock() - claim.created_at).total_seconds()
    if answer.status == GONE or left_s <= 0:
        return None
    wait_s = min(FIRST_WAIT_S * GROWTH ** min(claim.number - 1, 20), LONGEST_WAIT_S)
    asked_s = min(answer.retry_after_s, LONGEST_WAIT_S) if answer.status in BUSY else 0.0
    return min(max(wait_s * _spread(claim), asked_s), left_s)


def _spread(claim: Claim) -> float:
    """Between 0.8 and 1.2, so that what failed together does not come together again."""
    digest = sha256(f"{claim.message_id}:{claim.number}".encode()).digest()
    return 0.8 + 0.4 * digest[0] / 255
