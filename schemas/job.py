"""Jobs: the states they pass through, and what people see of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from schemas.ticket import DecisionDetail, TicketDetail

JobState = Literal[
    "received",
    "extracting",
    "presenting",
    "waiting",
    "delivering",
    "completed",
    "rejected",
    "cancelled",
    "quarantined",
]
StageName = Literal["extraction", "presentation", "delivery"]

TERMINAL: frozenset[JobState] = frozenset({"completed", "rejected", "cancelled", "quarantined"})
"""States that nothing but a person's replay leads out of."""

AT_WORK: frozenset[JobState] = frozenset({"received", "extracting", "presenting", "delivering"})
"""States in which somebody is at work on a job, or should be."""

TRANSITIONS: Mapping[JobState, frozenset[JobState]] = {
    "received": frozenset({"cancelled", "quarantined", "extracting"}),
    "extracting": frozenset({"cancelled", "quarantined", "presenting", "rejected"}),
    "presenting": frozenset({"cancelled", "quarantined", "waiting", "delivering", "rejected"}),
    "waiting": frozenset({"cancelled", "quarantined", "presenting"}),
    "delivering": frozenset({"quarantined", "completed"}),
    "completed": frozenset(),
    "rejected": frozenset(),
    "cancelled": frozenset(),
    "quarantined": frozenset({"extracting", "presenting", "delivering", "cancelled"}),
}
"""From each state, the states that may follow; a replay leads from quarantine back to the stage that failed.

An upload that was written over before it was read is rejected for the newer one.
What is being delivered can't be called off: the documents may be out already.
"""


class _Detail(BaseModel):
    model_config = ConfigDict(frozen=True)


class ArtifactDetail(_Detail):
    """Bytes that were kept: artifact name, version, and the sha256 of the bytes."""

    artifact: str
    version: int
    sha256: str


class AttemptDetail(_Detail):
    """One try: of a stage's turn, or of a render (`ticket_id`); `outcome` is None while it runs."""

    stage: StageName
    number: int
    ticket_id: str | None
    holder: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None
    code: str | None
    message: str | None


class StageDetail(_Detail):
    """A stage's course: turns are stretches of work between two pauses; tokens are None where the model counts none."""

    stage: StageName
    state: str
    turns: int
    failures: int
    lost_leases: int
    model_calls: int
    tokens: int | None
    started_at: datetime | None
    ended_at: datetime | None
    answer: Mapping[str, Any] | None
    stamps: tuple[Mapping[str, Any], ...] = ()


class ModelUse(_Detail):
    """What one model was asked: calls, failed ones too, and tokens as it counted them; no cost without a price."""

    model: str
    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: Decimal | None = None
    currency: str | None = None


class DocumentDetail(_Detail):
    """A rendered document: both editions by hash, and whether it is the newest of its kind for the newest deals."""

    kind: Literal["deck", "memo"]
    title: str
    emphasis: str
    ticket_id: str
    draft: ArtifactDetail
    final: ArtifactDetail
    figures: ArtifactDetail
    pages: int
    newest: bool


class DeliveredDetail(_Detail):
    """What was delivered, where, and on whose approval."""

    place: str
    ticket_id: str
    deck_sha256: str
    memo_sha256: str
    delivered_at: datetime


class WebhookTry(_Detail):
    """One post to the webhook: a status came back, or an error's name says why none did; neither if it was cut off."""

    number: int
    at: datetime
    duration_ms: int | None
    status: int | None
    error: str | None


class WebhookDetail(_Detail):
    """A result that the webhook's listener is told of: `owed` until it has it, or a day is over (`given_up`)."""

    id: str
    state: Literal["owed", "done", "given_up"]
    tries: int
    next_at: datetime
    ended_at: datetime | None
    log: tuple[WebhookTry, ...]


class AuditLine(_Detail):
    """One thing that happened to a job: who did what, when."""

    at: datetime
    who: str
    action: str
    facts: Mapping[str, Any]


class Reason(_Detail):
    """Why a job was set aside or turned down: a stable code, one sentence, the cells."""

    code: str
    message: str
    cells: tuple[str, ...] = ()


class JobSummary(_Detail):
    """A job in one line."""

    job_id: str
    filename: str
    state: JobState
    stage: StageName
    submitted_by: str
    created_at: datetime
    updated_at: datetime
    reason: Reason | None = None


class JobDetail(JobSummary):
    """All that the ledger knows of a job."""

    user_id: str
    source: str
    size_bytes: int
    upload: ArtifactDetail | None
    """None until the object that it comes from was read."""
    deals: ArtifactDetail | None
    deals_summary: Mapping[str, Any] | None
    finished_at: datetime | None
    rounds: int
    stages: tuple[StageDetail, ...]
    models: tuple[ModelUse, ...] = ()
    attempts: tuple[AttemptDetail, ...]
    tickets: tuple[TicketDetail, ...]
    decisions: tuple[DecisionDetail, ...]
    documents: tuple[DocumentDetail, ...]
    delivered: DeliveredDetail | None
    webhooks: tuple[WebhookDetail, ...] = ()
    audit: tuple[AuditLine, ...]
