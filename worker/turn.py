"""A turn of an agent: give its model what it is owed, then write down, from what ADK stored, what is to happen next.

Start and resume are the same thing: the session's stored events say where it stands, the ledger what was answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemas.agent_answers import ExtractionRequest, ModelCallStamp, PresentationRequest, Stage
from schemas.errors import OutputError
from worker.adapters.adk import APP_NAME, AdkServices
from worker.app import App
from worker.attempt import Finish
from worker.intake import take_in
from worker.ledger import tickets
from worker.ledger.jobs import stage_rows
from worker.ledger.leases import Lease
from worker.ledger.ledger import Row
from worker.pipeline import turns_allowed
from worker.tracing import mention

if TYPE_CHECKING:
    # ADK is loaded by the first turn, not by whoever imports this.
    from google.adk.runners import Runner
    from google.adk.sessions.session import Session
    from google.genai import types

    from agents.pause import Phase


@dataclass(slots=True)
class Turn:
    """One turn: the job, its stage's row, the session, whether the agent ran, and the stamps of its model calls."""

    app: App
    job: Row
    name: Stage
    stage: Row
    services: AdkServices
    session: Session
    tokens_before: int
    ran: bool = False
    stamps: list[ModelCallStamp] = field(default_factory=list[ModelCallStamp])

    def keep(self, stamp: ModelCallStamp) -> None:
        """Keep the stamp of a call; what it cost is counted at once, whatever becomes of the turn."""
        self.stamps.append(stamp)
        asked = stamp.request_bytes // 4 if stamp.prompt_tokens is None else stamp.prompt_tokens
        facts = {"model": stamp.model, "outcome": stamp.outcome, "stage": stamp.stage}
        mention("model call", asked=asked, answered=stamp.answer_tokens or 0, **facts)

    @property
    def tokens(self) -> int:
        """Tokens of the calls made; where a model counts none, bytes asked ÷ 4 stand for them."""
        asked = sum(
            stamp.request_bytes // 4 if stamp.prompt_tokens is None else stamp.prompt_tokens for stamp in self.stamps
        )
        return asked + sum(stamp.answer_tokens or 0 for stamp in self.stamps)


async def take_turn(app: App, lease: Lease, name: Stage) -> Finish:
    """What to write after the turn: where the session then stands, which is the same however often this is repeated."""
    from agents import pause
    from worker.record import finish_of, spend

    turn = await _open(app, await take_in(app, lease), name)
    found = pause.phase(turn.session.events)
    message, state = await _owed(turn, found)
    if message is not None or found == "owed":
        if turn.stage["turns"] >= turns_allowed(app.settings.max_change_rounds):
            raise OutputError("stage.turns", f"The {name} agent took {turn.stage['turns']} turns and is not done.")
        turn.ran = True
        app.checkpoint("before run")
        try:
            await _run(turn, message, state)
        except BaseException:
            # What was spent counts, whatever became of it.
            await spend(turn)
            raise
        if app.breaker is not None and turn.stamps:
            app.breaker.answered(lease.job_id, "model")
        app.checkpoint("after run")
        await _reload(turn)
    return await finish_of(turn)


async def _reload(turn: Turn) -> None:
    """What was written down is what counts, not what was seen go by."""
    stored = await turn.services.sessions.get_session(
        app_name=APP_NAME, user_id=turn.job["user_id"], session_id=turn.session.id
    )
    assert stored is not None, "sessions are never deleted"
    turn.session = stored


async def _open(app: App, job: Row, name: Stage) -> Turn:
    from agents.registry import session_id

    services, rows = await app.services(), {row["stage"]: row for row in await stage_rows(app.ledger, job["id"])}
    epoch = rows[name]["epoch"]
    # A session whose answer was no good is left as it is; the next attempt starts in a fresh one.
    key = session_id(job["id"], name) + (f".{epoch}" if epoch else "")
    sessions, user = services.sessions, job["user_id"]
    session = await sessions.get_session(app_name=APP_NAME, user_id=user, session_id=key)
    if session is None:
        state = _start(job, name)[1]
        session = await sessions.create_session(app_name=APP_NAME, user_id=user, session_id=key, state=state)
        app.checkpoint("session created")
    return Turn(app, job, name, rows[name], services, session, sum(row["tokens"] or 0 for row in rows.values()))


def _start(job: Row, name: Stage) -> tuple[types.Content, dict[str, Any]]:
    """A session's first message and state: the same however often a job's stage is started."""
    if name == "extraction":
        from agents.extraction import agent as extraction

        upload: Mapping[str, Any] = job["upload"]
        return extraction.start(
            ExtractionRequest(artifact=upload["artifact"], version=upload["version"], filename=job["filename"][:200])
        )
    from agents.presentation import agent as presentation

    return presentation.start(
        PresentationRequest.model_validate(
            {"deals": job["deals"], "title": title_of(job["filename"]), "summary": job["deals_summary"]}
        )
    )


def title_of(filename: str) -> str:
    """A title to start from: the file's name without its ending, in words."""
    stem = filename.rsplit("/", 1)[-1].rpartition(".")[0] or filename
    words = " ".join("".join(char if char.isprintable() else " " for char in stem.replace("_", " ")).split())
    return words[:1].upper() + words[1:120] or "Deals"


async def _owed(turn: Turn, phase: Phase) -> tuple[types.Content | None, dict[str, Any]]:
    """The message that the session is owed: its first, or all answers in one, with their state."""
    from agents import pause

    if phase == "new":
        return _start(turn.job, turn.name)[0], {}
    if phase != "waiting":
        return None, {}
    calls = [call.id or "" for call in pause.open_calls(turn.session.events)]
    found = await tickets.answers(turn.app.ledger, turn.session.id, calls)
    return (None, {}) if found is None else (pause.answer_message(found), pause.answer_state(found))


async def _run(turn: Turn, message: types.Content | None, state: dict[str, Any]) -> None:
    """Run the agent; a turn that a crash cut short goes on by its invocation id alone."""
    from google.adk.agents.run_config import RunConfig
    from google.adk.telemetry import TelemetryConfig
    from google.adk.telemetry.context import ContentCapturingMode

    runner = _runner(turn)
    user, key = turn.job["user_id"], turn.session.id
    telemetry = TelemetryConfig(capture_message_content=ContentCapturingMode.NO_CONTENT)
    config = RunConfig(max_llm_calls=turn.app.settings.max_model_calls, telemetry=telemetry)
    events = runner.run_async(
        user_id=user,
        session_id=key,
        invocation_id=key,
        new_message=message,
        state_delta=state or None,
        run_config=config,
    )
    with turn.services.sessions.just_read(turn.session):
        async with aclosing(events):
            async for event in events:
                for call in event.get_function_calls():
                    turn.app.tell(turn.job["id"], "tool_called", call.name or "")
                turn.app.checkpoint(f"event by {event.author}")


def _runner(turn: Turn) -> Runner:
    from google.adk.runners import Runner

    from agents.model_calls import ModelCalls

    settings = turn.app.settings
    run = ModelCalls(turn.keep, settings.max_model_calls, settings.max_tokens, turn.tokens_before)
    app = turn.app.build_agent(turn.name, turn.app.open_prompts(turn.job["prompts"]), run)
    services = turn.services
    return Runner(
        app=app, app_name=APP_NAME, session_service=services.sessions, artifact_service=services.shelf.service
    )
