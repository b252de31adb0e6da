"""What agents are asked and what they answer: the boundary that code validates on both sides."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from schemas.documents import Emphasis

Stage = Literal["extraction", "presentation"]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Verdict = Literal["approved", "rejected", "expired", "failed"]
DecisionVerdict = Literal["approved", "changes_requested", "rejected", "expired"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DealsRef(_Value):
    """Which deals: the artifact that holds them, its version, and the hash of its bytes (the deals hash)."""

    artifact: str = Field(min_length=1, max_length=300)
    version: int = Field(ge=0)
    sha256: Sha256


class ExtractionRequest(_Value):
    """An upload to read: its artifact and version, and the name that people know it by."""

    artifact: str = Field(min_length=1, max_length=300)
    version: int = Field(ge=0)
    filename: str = Field(min_length=1, max_length=200)


class ExtractionTurn(_Value):
    """What the extraction agent is told: a file to extract, or a question about deals already extracted."""

    filename: str = Field(default="", max_length=200)
    version: int = Field(default=0, ge=0)
    question: str = Field(default="", max_length=2000)


class ExtractionAnswer(_Value):
    """What the extraction agent says at its end; which deals there are is taken from state, never from here."""

    status: Literal["extracted", "failed"] = Field(description="extracted if extract_deals succeeded, else failed")
    deals: int = Field(default=0, ge=0, description="deals extracted")
    summary: str = Field(default="", max_length=1200, description="what was read and what is doubtful, or the answer")
    reason: str = Field(default="", max_length=600, description="if failed: the error, word for word")


class PresentationRequest(_Value):
    """Deals to present: their reference, a title to start from, and counts and totals without any cell text."""

    deals: DealsRef
    title: str = Field(min_length=1, max_length=120)
    summary: dict[str, Any] = Field(default_factory=dict[str, Any])


class PresentationAnswer(_Value):
    """What the presentation agent says at its end; delivery believes it only if the ledger's approval says the same."""

    verdict: Verdict = Field(description="the approval's verdict, or failed if no approval could be had")
    deck_sha256: str = Field(default="", max_length=64, description="final_sha256 of the newest deck")
    pdf_sha256: str = Field(default="", max_length=64, description="final_sha256 of the newest PDF")
    reason: str = Field(default="", max_length=600, description="if failed: what failed, word for word")


class RenderAnswer(_Value):
    """A finished render, as the answer to the call that ordered it."""

    status: Literal["done"] = "done"
    ticket_id: str
    kind: Literal["deck", "memo"]
    draft_sha256: Sha256
    final_sha256: Sha256
    artifact: str
    version: int = Field(ge=0)
    pages: int = Field(ge=1)


class FailedAnswer(_Value):
    """A render that failed for good, as the answer to the call that ordered it."""

    status: Literal["failed"] = "failed"
    ticket_id: str
    error: str = Field(min_length=1, max_length=600)


class ApprovalAnswer(_Value):
    """A person's decision, as the answer to `request_approval`; `deals` is the newest reference, pins applied."""

    status: Literal["done"] = "done"
    ticket_id: str
    verdict: DecisionVerdict
    comment: str = Field(default="", max_length=2000)
    emphasis: Emphasis | None = None
    deals: DealsRef
    by: str = ""


class ApprovalSubject(_Value):
    """What an approval binds, all taken by code from persisted events; `round` counts approvals answered before it."""

    deals_sha256: Sha256
    deck_draft_sha256: Sha256
    deck_final_sha256: Sha256
    memo_draft_sha256: Sha256
    memo_final_sha256: Sha256
    round: int = Field(ge=0)


class ModelCallStamp(_Value):
    """One model call, as logged and kept in job.json; counts are None where the model reports none."""

    stage: Stage
    invocation_id: str
    prompt_id: str
    prompt_version: str
    prompt_sha256: Sha256
    tools_sha256: Sha256
    model: str
    settings: dict[str, Any]
    request_bytes: int = Field(ge=0)
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    outcome: str
