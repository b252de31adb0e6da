"""Events: facts in the past tense that travel as messages, and the deliveries that bring them.

A message is a hint: it may come twice, late or never. What is to be done is in the ledger.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from schemas import ids
from schemas.errors import InputError
from schemas.job import StageName

Topic = Literal["uploads", "work", "renders", "results"]


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    job_id: str

    @property
    def key(self) -> str:
        """What makes this event one and the same however often it is told: its kind and what it is about."""
        return f"{type(self).__name__}:{self.job_id}"

    @property
    def topic(self) -> Topic:
        """Where it is published."""
        return "work"


class UploadReceived(_Event):
    """A workbook was received and its bytes are kept as an artifact; `source` and `name` say where it came from."""

    kind: Literal["UploadReceived"] = "UploadReceived"
    user_id: str
    source: str
    name: str
    filename: str
    sha256: str
    size_bytes: int
    artifact: str
    version: int
    submitted_by: str


class ObjectFinalized(_Event):
    """An object was written whole to a bucket (or a folder, whose path is `bucket` then); its bytes lie there still.

    Raises on a `job_id` that is not derived from the object, so that no message joins a job to another's file.
    """

    kind: Literal["ObjectFinalized"] = "ObjectFinalized"
    bucket: str = Field(min_length=1, max_length=1024)
    name: str = Field(min_length=1, max_length=1024)
    generation: int = Field(ge=0)
    size_bytes: int = Field(ge=0)

    @model_validator(mode="after")
    def _derived(self) -> ObjectFinalized:
        if self.job_id != ids.job_id_of_object(self.bucket, self.name, self.generation):
            raise ValueError("job_id is not this object's")
        return self

    @property
    def topic(self) -> Topic:
        """Uploads come from outside, on a topic of their own."""
        return "uploads"


class ObjectIgnored(_Event):
    """Something else was told of an object than that it was written whole; it asks for nothing, and `why` says so.

    `name` is what to call a file that somebody put there for us and that can't be taken; `why` is a sentence then.
    """

    job_id: str = ""
    kind: Literal["ObjectIgnored"] = "ObjectIgnored"
    why: str
    name: str = ""

    @property
    def topic(self) -> Topic:
        """As ObjectFinalized."""
        return "uploads"


class StageRequested(_Event):
    """A stage has work to do."""

    kind: Literal["StageRequested"] = "StageRequested"
    stage: StageName
    cause: str = ""
    """Tells apart requests that must not be taken for one another: a replay, a lease given back."""

    @property
    def key(self) -> str:
        """The stage, and what it was requested for."""
        return ":".join(filter(None, ("StageRequested", self.job_id, self.stage, self.cause)))


class RenderRequested(_Event):
    """A document was ordered."""

    kind: Literal["RenderRequested"] = "RenderRequested"
    ticket_id: str

    @property
    def key(self) -> str:
        """The ticket that waits for the document."""
        return f"RenderRequested:{self.ticket_id}"

    @property
    def topic(self) -> Topic:
        """Renders have a topic of their own, so that they scale apart."""
        return "renders"


class PauseResolved(_Event):
    """Nothing that a session's pause waited for is open any more."""

    kind: Literal["PauseResolved"] = "PauseResolved"
    pause_id: str

    @property
    def key(self) -> str:
        """The pause."""
        return f"PauseResolved:{self.pause_id}"


Event = UploadReceived | ObjectFinalized | ObjectIgnored | StageRequested | RenderRequested | PauseResolved
_READER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def parse_event(body: dict[str, Any]) -> Event:
    """The event that a message's body tells; raises InputError `event.unknown` for anything else."""
    try:
        return _READER.validate_python(body)
    except ValidationError as broken:
        raise InputError("event.unknown", "The message is no event of dealwright's; it was set aside.") from broken


class Delivery(BaseModel):
    """One hand-over of a message: unique by subscription and message id, numbered from 1 as it is redelivered.

    `trace` is the W3C trace context (`traceparent`) that came with it, if any.
    """

    model_config = ConfigDict(frozen=True)

    subscription: str
    message_id: str
    body: dict[str, Any]
    number: int = 1
    trace: str = ""
