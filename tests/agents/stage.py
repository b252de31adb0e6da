"""A stage of one job, run on the real App with sessions and artifacts in memory; each run builds all of it anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from google.adk.artifacts import InMemoryArtifactService
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types

from agents import pause, registry
from agents.extraction import agent as extraction_agent
from agents.model import build_model
from agents.model_calls import ModelCalls
from agents.presentation import agent as presentation_agent
from agents.uploads import artifact_name
from schemas.agent_answers import DealsRef, ExtractionRequest, ModelCallStamp, PresentationRequest, Stage
from tools.workbook.limits import DEFAULT_LIMITS, Limits

USER = "analyst"
JOB = "job-1"
DEALS = DealsRef(artifact="deals/" + "a" * 64, version=0, sha256="a" * 64)
PINNED = DealsRef(artifact="deals/" + "b" * 64, version=0, sha256="b" * 64)
REQUEST = PresentationRequest(deals=DEALS, title="Harbor Street Portfolio", summary={"deals": 12})


@dataclass
class StageRun:
    """One stage's session, and the model that answers in it."""

    stage: Stage
    model: BaseLlm = field(default_factory=lambda: build_model("offline"))
    limits: Limits = DEFAULT_LIMITS
    job_id: str = JOB
    sessions: InMemorySessionService = field(default_factory=InMemorySessionService)
    artifacts: InMemoryArtifactService = field(default_factory=InMemoryArtifactService)
    stamps: list[ModelCallStamp] = field(default_factory=list)

    @property
    def session_id(self) -> str:
        """The session's id."""
        return registry.session_id(self.job_id, self.stage)

    @property
    def key(self) -> dict[str, str]:
        """What names the session for ADK's services."""
        return {"app_name": registry.APP_NAME, "user_id": USER, "session_id": self.session_id}

    async def open(self, state: Mapping[str, Any]) -> None:
        """Makes the session."""
        await self.sessions.create_session(**self.key, state=dict(state))

    async def session(self) -> Session:
        """The session as it is stored."""
        found = await self.sessions.get_session(**self.key)
        assert found is not None
        return found

    async def run(
        self,
        message: types.Content | None = None,
        *,
        invocation: str | None = None,
        state: Mapping[str, Any] | None = None,
        calls: ModelCalls | None = None,
    ) -> list[Event]:
        """The events of one run, in a Runner of its own."""
        calls = calls or ModelCalls()
        calls.sink = self.stamps.append
        app = registry.build_app(self.stage, self.model, registry.open_prompts(), run=calls, limits=self.limits)
        runner = Runner(app=app, session_service=self.sessions, artifact_service=self.artifacts)
        found = runner.run_async(
            user_id=USER,
            session_id=self.session_id,
            invocation_id=invocation or self.session_id,
            new_message=message,
            state_delta=dict(state) if state else None,
        )
        return [event async for event in found]

    @property
    def request_bytes(self) -> int:
        """The bytes of all requests so far."""
        return sum(stamp.request_bytes for stamp in self.stamps)


async def open_presentation(
    model: BaseLlm | None = None, request: PresentationRequest = REQUEST, **kept: Any
) -> StageRun:
    """A presentation that has run up to its first pause."""
    stage = StageRun("presentation", model or build_model("offline"), **kept)
    message, state = presentation_agent.start(request)
    await stage.open(state)
    await stage.run(message)
    return stage


async def open_extraction(data: bytes, filename: str, model: BaseLlm | None = None, **kept: Any) -> StageRun:
    """An extraction of an uploaded workbook, run to its end."""
    stage = StageRun("extraction", model or build_model("offline"), **kept)
    artifact = artifact_name(filename)
    part = types.Part(inline_data=types.Blob(data=data, mime_type="application/octet-stream"))
    version = await stage.artifacts.save_artifact(**stage.key, filename=artifact, artifact=part)
    message, state = extraction_agent.start(ExtractionRequest(artifact=artifact, version=version, filename=filename))
    await stage.open(state)
    await stage.run(message)
    return stage


def rendered(ticket: pause.TicketSpec, pages: int = 9) -> dict[str, Any]:
    """A finished render's answer; its hashes follow from the ticket."""
    digest = (ticket.ticket_id * 3)[:64]
    return {
        "status": "done",
        "ticket_id": ticket.ticket_id,
        "kind": ticket.kind,
        "draft_sha256": digest,
        "final_sha256": digest[::-1],
        "artifact": f"{ticket.kind}/{digest}",
        "version": 0,
        "pages": pages,
    }


def decided(ticket: pause.TicketSpec, verdict: str, comment: str = "", **more: Any) -> dict[str, Any]:
    """A decision's answer."""
    said = {"status": "done", "ticket_id": ticket.ticket_id, "verdict": verdict, "comment": comment, "by": "approver"}
    return said | {"deals": ticket.deals.model_dump()} | more


async def resume(stage: StageRun, *answers: Mapping[str, Any]) -> list[Event]:
    """A run on one message with these answers, for the open calls in their order."""
    tickets = pause.tickets_of(stage.job_id, await stage.session())
    assert len(tickets) == len(answers)
    given = [(ticket.call_id, ticket.call_name, answer) for ticket, answer in zip(tickets, answers, strict=True)]
    return await stage.run(pause.answer_message(given), state=pause.answer_state(given))


async def tickets(stage: StageRun) -> list[pause.TicketSpec]:
    """The tickets that the stage waits for."""
    return pause.tickets_of(stage.job_id, await stage.session())


async def render_all(stage: StageRun) -> list[Event]:
    """A run on the renders that are waited for, all done."""
    return await resume(stage, *[rendered(ticket) for ticket in await tickets(stage)])


async def decide(stage: StageRun, verdict: str, comment: str = "", **more: Any) -> list[Event]:
    """A run on a decision about the approval that is waited for."""
    (ticket,) = await tickets(stage)
    return await resume(stage, decided(ticket, verdict, comment, **more))
