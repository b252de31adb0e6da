"""Results: what is told to whoever listens outside, as CloudEvents 1.0 in JSON, each type with a version of its own.

A result is told at least once, under an `id` that is the same each time. Fields are added to a version, never changed
or taken away; whatever can't be said so is a new version.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from schemas.agent_answers import DealsRef, Sha256
from schemas.event import Topic

SOURCE = "dealwright"


class Outbound(BaseModel):
    """What every result says: which job, whose, of which file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    job_id: str
    user_id: str
    filename: str

    @property
    def key(self) -> str:
        """What makes this result one and the same however often it is told."""
        return f"{type(self).__name__}:{self.job_id}"

    @property
    def topic(self) -> Topic:
        """Where it is published."""
        return "results"


class DealsExtracted(Outbound):
    """The deals were read: where they are kept, how many there are, and how many issues by their codes."""

    kind: Literal["DealsExtracted"] = "DealsExtracted"
    deals: DealsRef
    records: int = Field(ge=0)
    issues: dict[str, int]


class DocumentReady(BaseModel):
    """A document's drafts: the artifact that holds them, and the hashes of both editions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["deck", "memo"]
    draft_sha256: Sha256
    final_sha256: Sha256


class DocumentsReady(Outbound):
    """Deck and memorandum were made of these deals, and are about to be put before a person."""

    kind: Literal["DocumentsReady"] = "DocumentsReady"
    ticket_id: str
    deals_sha256: Sha256
    documents: tuple[DocumentReady, ...]

    @property
    def key(self) -> str:
        """The gate that they are put before."""
        return f"DocumentsReady:{self.ticket_id}"


class ApprovalRequested(Outbound):
    """A person is asked to decide, until `expires_at`, at `url` if the pages have an address; whoever has it may."""

    kind: Literal["ApprovalRequested"] = "ApprovalRequested"
    ticket_id: str
    expires_at: datetime
    url: str = ""

    @property
    def key(self) -> str:
        """The gate."""
        return f"ApprovalRequested:{self.ticket_id}"


class DealsDelivered(Outbound):
    """The approved documents were delivered to `place`."""

    kind: Literal["DealsDelivered"] = "DealsDelivered"
    place: str
    deck_sha256: Sha256
    memo_sha256: Sha256
    deals_sha256: Sha256


class JobQuarantined(Outbound):
    """The job was set aside: a stable code, a sentence on what to do, the cells; `fence` tells the times apart."""

    kind: Literal["JobQuarantined"] = "JobQuarantined"
    stage: str
    code: str
    message: str
    cells: tuple[str, ...] = ()
    fence: int

    @property
    def key(self) -> str:
        """The job, and which time."""
        return f"JobQuarantined:{self.job_id}:{self.fence}"


class JobRejected(Outbound):
    """Nothing is delivered: a person refused it, nobody decided in time, or a newer upload took its place unread."""

    kind: Literal["JobRejected"] = "JobRejected"
    verdict: Literal["rejected", "expired", "superseded"]
    comment: str


Result = Annotated[
    DealsExtracted | DocumentsReady | ApprovalRequested | DealsDelivered | JobQuarantined | JobRejected,
    Field(discriminator="kind"),
]
TYPES: dict[str, str] = {
    "DealsExtracted": "dealwright.deals.extracted.v1",
    "DocumentsReady": "dealwright.documents.ready.v1",
    "ApprovalRequested": "dealwright.approval.requested.v1",
    "DealsDelivered": "dealwright.deals.delivered.v1",
    "JobQuarantined": "dealwright.job.quarantined.v1",
    "JobRejected": "dealwright.job.rejected.v1",
}
"""The CloudEvents type of each kind."""


class CloudEvent(BaseModel):
    """The envelope, CloudEvents 1.0 structured mode (cloudevents.io/spec 1.0.2, JSON format)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    specversion: Literal["1.0"] = "1.0"
    id: str
    source: str = SOURCE
    type: str
    subject: str
    time: datetime
    datacontenttype: Literal["application/json"] = "application/json"
    data: Result


def cloud_event(result: Outbound, at: datetime) -> dict[str, Any]:
    """The result in its envelope, JSON-plain; `at` is the moment of the commit that it tells of."""
    kind = type(result).__name__
    told = CloudEvent.model_validate(
        {"id": result.key, "type": TYPES[kind], "subject": result.job_id, "time": at, "data": result}
    )
    return told.model_dump(mode="json")
